import { describeError } from '../../errors.js';
import { shareOfContainer } from '../../runtime/gate/load.js';
import { ReloadableLogger } from '../../runtime/logger.js';
import type { PrimaryMessage } from '../../runtime/processes/messages.js';
import { type Channel, WorkerLink } from '../../runtime/processes/worker-link.js';
import { serve } from '../../runtime/serve.js';
import { writeExamples } from './examples.js';
import { loadOptions, type ServeArguments, withLogger } from './load-options.js';
import { logCrash, logWarnings } from './signals.js';
import { logStart } from './start-report.js';

/** Serves as one of several processes, until the primary process closes it. */
export async function runWorker(command: ServeArguments): Promise<void> {
  // A terminal and systemd send these to all processes. The primary process decides what they mean.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  const link = new WorkerLink(processChannel);
  // Nothing has been answered yet.
  link.onClose = () => process.exit(0);
  const { key, configText, host, port, count, isFirst } = await link.started;
  const loaded = await loadOptions(command, configText);
  const logger = new ReloadableLogger(loaded.logSection);
  logWarnings(logger);
  logCrash(logger);
  const options = withLogger(loaded, logger);
  const { memoryBytes = 0 } = options.serverLimits ?? {};
  const server = await serve({
    ...options,
    host,
    port,
    link,
    ownKey: Buffer.from(key, 'base64'),
    settlesFirst: !isFirst,
    serverLimits: { ...options.serverLimits, memoryBytes: memoryBytes > 0 ? memoryBytes : shareOfContainer(count) },
  });
  const closing = new AbortController();
  link.onClose = (closeOptions) => {
    closing.abort();
    server
      .close(closeOptions)
      .then(() => link.end())
      .then(
        // Closing the channel first sends what is still in it, such as connections that this process does not accept.
        () => process.once('disconnect', () => process.exit(0)).disconnect(),
        (error: unknown) => {
          logger.error(describeError(error));
          process.exit(1);
        },
      );
  };
  link.listening(server.url);
  if (!isFirst) return;
  await logStart(server, { command, options, logger, signal: closing.signal });
  if (command.flags.examples) {
    const write = (text: string): void => void process.stderr.write(`${text}\n`);
    await writeExamples(server, { baseUrl: server.publicUrl, write });
  }
}

const processChannel: Channel = {
  send: (message) => void process.send?.(message, undefined, undefined, () => undefined),
  onMessage: (listener) => void process.on('message', (message) => listener(message as PrimaryMessage)),
};
