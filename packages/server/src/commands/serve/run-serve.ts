import cluster from 'node:cluster';
import { ReloadableLogger } from '../../runtime/logger.js';
import { serve } from '../../runtime/serve.js';
import { writeExamples } from './examples.js';
import { type LoadedOptions, loadOptions, readConfigText, type ServeArguments, withLogger } from './load-options.js';
import { runPrimary } from './run-primary.js';
import { runWorker } from './run-worker.js';
import { endOnSignal, logCrash, logWarnings, reloadOnSignal } from './signals.js';
import { logStart } from './start-report.js';

/** Serves until SIGTERM or SIGINT, in this process or in several. */
export async function runServe(command: ServeArguments): Promise<void> {
  if (cluster.isWorker) return runWorker(command);
  const text = await readConfigText(command);
  const options = await loadOptions(command, text);
  return options.processes > 1 ? runPrimary(command, { options, text }) : runSingle(command, options);
}

async function runSingle(command: ServeArguments, first: LoadedOptions): Promise<void> {
  const logger = new ReloadableLogger(first.logSection);
  logWarnings(logger);
  logCrash(logger);
  const starting = serve(withLogger(first, logger));
  const reload = async (options: LoadedOptions): Promise<void> => {
    await (await starting).reload(withLogger(options, logger));
    logger.reload(options.logSection);
    if (options.processes !== first.processes) logger.warn('this setting changes only with a restart: processes');
  };
  if (command.flags.config !== undefined) reloadOnSignal({ command, current: first, reload, logger });
  const server = await starting;
  const closing = new AbortController();
  endOnSignal(() => {
    closing.abort();
    return server.close();
  }, logger);
  process.stdout.write(`listening on ${server.url}\n`);
  await logStart(server, { command, options: first.serve, logger, signal: closing.signal });
  if (!command.flags.examples) return;
  const write = (line: string): void => void process.stderr.write(`${line}\n`);
  await writeExamples(server, { baseUrl: server.publicUrl, write });
}
