import type { Readable } from 'node:stream';
import { Miniflare } from 'miniflare';
import { rolldown } from 'rolldown';
import { BUCKET_WORKER, type LocalBucket, openLocalBucket } from './local-bucket.js';

export interface LocalWorkerOptions {
  /** The path of the Worker's module. Default: a Worker that answers nothing. */
  readonly entry?: string;
  /** The folder in which its modules find packages that are not in a folder above them. */
  readonly packages?: string;
  /** Its variables and secrets. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** A Worker in workerd, and its bucket. */
export interface LocalWorker {
  readonly url: URL;
  /** An empty bucket, which the Worker has as `BUCKET`. */
  readonly bucket: LocalBucket;
  /** Starts the Worker again at its URL, as another isolate. The bucket and the Cache API keep their contents. */
  readonly restart: (changedVariables?: LocalWorkerOptions['variables']) => Promise<LocalWorker>;
  readonly dispose: () => Promise<void>;
}

const IDLE = 'export default { fetch: () => new Response() }';
/** Later ones need a later workerd, whose miniflare needs Node 22. */
const COMPATIBILITY_DATE = '2026-04-01';

/** Bundles a Worker from the sources of the packages, and starts it in workerd, which takes half a second. */
export async function startLocalWorker({
  entry,
  packages,
  variables = {},
}: LocalWorkerOptions = {}): Promise<LocalWorker> {
  const script = entry === undefined ? IDLE : await bundle(entry, packages);
  const shared = { modules: true, compatibilityDate: COMPATIBILITY_DATE, r2Buckets: { BUCKET: 'bucket' } };
  const toOptions = (
    bindings: LocalWorkerOptions['variables'],
    port: number,
  ): ConstructorParameters<typeof Miniflare>[0] => ({
    host: '127.0.0.1',
    port,
    // Refusals, which tests provoke, are logged by workerd.
    handleRuntimeStdio: (stdout: Readable, stderr: Readable) => {
      stdout.resume();
      stderr.resume();
    },
    workers: [
      { ...shared, name: 'worker', script, bindings: { ...bindings } },
      { ...shared, name: 'bucket', script: BUCKET_WORKER, unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }] },
    ],
  });
  const miniflare = new Miniflare(toOptions(variables, 0));
  const url = await miniflare.ready;
  let restarts = 0;
  const open = async (): Promise<LocalWorker> => ({
    url,
    bucket: openLocalBucket(await miniflare.unsafeGetDirectURL('bucket')),
    restart: async (changedVariables) => {
      restarts++;
      const bindings = { ...variables, ...changedVariables, RESTARTS: String(restarts) };
      await miniflare.setOptions(toOptions(bindings, Number(url.port)));
      return open();
    },
    dispose: () => miniflare.dispose(),
  });
  return open();
}

async function bundle(entry: string, packages: string | undefined): Promise<string> {
  const build = await rolldown({
    input: entry,
    platform: 'browser',
    external: /^cloudflare:/,
    resolve: {
      conditionNames: ['@htskit/source', 'workerd', 'import', 'default'],
      modules: ['node_modules', ...(packages === undefined ? [] : [packages])],
    },
  });
  const { output } = await build.generate({ format: 'es', codeSplitting: false });
  await build.close();
  return output[0].code;
}
