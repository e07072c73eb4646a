import type { Authority } from '@htskit/protocol';
import { readConfig } from '../../config/parse-config.js';
import type { Config } from '../../config/schema.js';
import type { LogSection } from '../../config/sections/operation.js';
import { toServeOptions } from '../../config/serve-options.js';
import { describeError } from '../../errors.js';
import { type Logger, ReloadableLogger } from '../../runtime/logger.js';
import { type RunningServer, type ServeOptions, serve } from '../../runtime/serve.js';
import { type ProgressBar, startDigestProgress } from '../../terminal/progress.js';
import { writeExamples } from './examples.js';

/** The options of `htskit serve`. */
export interface ServeCommandFlags {
  readonly config?: string;
  readonly host?: string;
  readonly port?: number;
  readonly publicUrl?: string;
  readonly authority?: Authority;
  readonly namingAuthority?: string;
  readonly circular: readonly string[];
  readonly aliases: readonly string[];
  readonly cache?: string;
  readonly examples: boolean;
}

/** Serves until SIGTERM or SIGINT. */
export async function runServe(paths: readonly string[], flags: ServeCommandFlags): Promise<void> {
  const first = await loadOptions(paths, flags);
  const logger = new ReloadableLogger(first.logSection);
  const withLogger = (options: LoadedOptions): ServeOptions => {
    const log = (message: string): void => logger.warn(message);
    const startProgress = (name: string, byteLength: number): ProgressBar => startDigestProgress(name, byteLength, log);
    return { ...options.serve, log, logger, startProgress };
  };
  const starting = serve(withLogger(first));
  const load = (): Promise<LoadedOptions> => loadOptions(paths, flags);
  const reload = async (options: LoadedOptions): Promise<void> => {
    await (await starting).reload(withLogger(options));
    logger.reload(options.logSection);
  };
  if (flags.config !== undefined) reloadOnSignal({ load, reload, logger });
  const server = await starting;
  endOnSignal(server, logger);
  process.stdout.write(`listening on ${server.url}\n`);
  if (flags.examples) {
    const write = (text: string): void => void process.stderr.write(`${text}\n`);
    await writeExamples(server, { baseUrl: server.publicUrl, write });
  }
}

interface LoadedOptions {
  readonly serve: Omit<ServeOptions, 'log' | 'logger' | 'startProgress'>;
  readonly logSection: LogSection | undefined;
}

/** Reads the configuration and applies the options of the command line to it. */
async function loadOptions(paths: readonly string[], flags: ServeCommandFlags): Promise<LoadedOptions> {
  const { config: file, namingAuthority, circular, aliases, cache } = flags;
  const config: Config = file === undefined ? {} : (await readConfig(file)).config;
  const servedPaths = file === undefined && paths.length === 0 ? ['.'] : paths;
  const options = await toServeOptions({
    config,
    file: file ?? 'htskit.yaml',
    flags: { ...flags, paths: servedPaths },
    environment: process.env,
  });
  return {
    serve: { ...options, namingAuthority, circular, aliases, cache },
    // Without a configuration, a person started the server and reads its log.
    logSection: file === undefined ? { format: 'text' } : config.log,
  };
}

interface Reloading {
  readonly load: () => Promise<LoadedOptions>;
  readonly reload: (options: LoadedOptions) => Promise<void>;
  readonly logger: Logger;
}

/** Reloads the configuration on SIGHUP. An invalid one is logged and changes nothing. */
function reloadOnSignal({ load, reload, logger }: Reloading): void {
  // Read in the order of the signals, so that the last configuration wins.
  let loading: Promise<unknown> = Promise.resolve();
  process.on('SIGHUP', () => {
    const loaded = loading.then(load);
    loading = loaded.catch(() => undefined);
    loaded.then(reload).then(
      () => logger.info('reloaded the configuration'),
      (error: unknown) => {
        for (const line of describeError(error).split('\n')) logger.error(line);
        logger.error('cannot reload the configuration, keeping the current one');
      },
    );
  });
}

function endOnSignal(server: RunningServer, logger: Logger): void {
  const stop = (): void => {
    logger.info('closing: waiting for running responses');
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error(describeError(error));
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', stop).once('SIGINT', stop);
}
