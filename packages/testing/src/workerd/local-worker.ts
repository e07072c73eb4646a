import type { Readable } from 'node:stream';
import { Miniflare } from 'miniflare';
import { rolldown } from 'rolldown';
import { BUCKET_WORKER, type LocalBucket, openLocalBucket } from './local-bucket.js';

export interface LocalWorkerOptions {
  /** The path of the Worker's module. Default: a Worker that answers nothing. */
  readonly entry?: string;
  /** Its variables and secrets. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** A Worker in workerd, and its bucket. */
export interface LocalWorker {
  readonly url: URL;
  /** An empty bucket, which the Worker has as `BUCKET`. */
  readonly bucket: LocalBucket;
  /** Starts the Worker again, as another isolate. The bucket and the Cache API keep their contents. */
  readonly restart: () => Promise<void>;
  readonly dispose: () => Promise<void>;
}

const IDLE = 'export default { fetch: () => new Response() }';
/** Later ones need a later workerd, whose miniflare needs Node 22. */
const COMPATIBILITY_DATE = '2026-04-01';

/** Bundles a Worker from the sources of the packages, and starts it in workerd, which takes half a second. */
export async function startLocalWorker({ entry, variables = {} }: LocalWorkerOptions = {}): Promise<LocalWorker> {
  const script = entry === undefined ? IDLE : await bundle(entry);
  const shared = { modules: true, compatibilityDate: COMPATIBILITY_DATE, r2Buckets: { BUCKET: 'bucket' } };
  const socket = { host: '127.0.0.1', port: 0 };
  const toOptions = (generation: number): ConstructorParameters<typeof Miniflare>[0] => ({
    // What workerd logs about the refusals that tests provoke.
    handleRuntimeStdio: (stdout: Readable, stderr: Readable) => {
      stdout.resume();
      stderr.resume();
    },
    workers: [
      { ...shared, name: 'worker', script, bindings: { ...variables, GENERATION: String(generation) } },
      { ...shared, name: 'bucket', script: BUCKET_WORKER, unsafeDirectSockets: [socket] },
    ],
  });
  const miniflare = new Miniflare(toOptions(0));
  const url = await miniflare.ready;
  let generation = 0;
  return {
    url,
    bucket: openLocalBucket(await miniflare.unsafeGetDirectURL('bucket')),
    restart: async () => {
      generation++;
      await miniflare.setOptions(toOptions(generation));
    },
    dispose: () => miniflare.dispose(),
  };
}

async function bundle(entry: string): Promise<string> {
  const build = await rolldown({
    input: entry,
    platform: 'browser',
    resolve: { conditionNames: ['@htskit/source', 'workerd', 'import', 'default'] },
  });
  const { output } = await build.generate({ format: 'es', codeSplitting: false });
  await build.close();
  return output[0].code;
}
