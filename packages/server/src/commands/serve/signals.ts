import type { EventEmitter } from 'node:events';
import { checkProtections } from '../../config/protections.js';
import { describeError } from '../../errors.js';
import type { Logger } from '../../runtime/logger.js';
import { type LoadedOptions, loadOptions, readConfigText, type ServeArguments } from './load-options.js';
import { findLoss } from './reload-loss.js';

interface Reloading {
  readonly command: ServeArguments;
  /** The options in use. */
  readonly current: LoadedOptions;
  readonly reload: (options: LoadedOptions, text: string | undefined) => Promise<void>;
  readonly logger: Logger;
}

/**
 * Reloads the configuration on SIGHUP. One that is invalid, or lacks a protection of the current one, changes nothing. Neither does
 * one that serves much less, until another SIGHUP confirms the same text.
 */
export function reloadOnSignal({ command, current, reload, logger }: Reloading): void {
  // Read in the order of the signals, so that the last configuration wins.
  let loading: Promise<unknown> = Promise.resolve();
  let inUse = current;
  let refusedText: string | undefined;
  process.on('SIGHUP', () => {
    // A signal that arrives before the refusal is logged confirms nothing.
    const confirmedText = refusedText;
    const loaded = loading.then(async () => {
      const text = await readConfigText(command);
      const options = await loadOptions(command, text);
      checkProtections(inUse.config, options.config);
      const loss = text === confirmedText ? undefined : await findLoss(inUse.serve, options.serve);
      refusedText = loss === undefined ? undefined : text;
      if (loss !== undefined) throw new Error(`${loss}; send SIGHUP again to confirm`);
      return { options, text };
    });
    loading = loaded.catch(() => undefined);
    loaded
      .then(async ({ options, text }) => {
        await reload(options, text);
        inUse = options;
      })
      .then(
        () => logger.info('reloaded the configuration'),
        (error: unknown) => {
          for (const line of describeError(error).split('\n')) logger.error(line);
          logger.error('cannot reload the configuration, keeping the current one');
        },
      );
  });
}

/** Closes on SIGTERM and SIGINT, and exits. */
export function endOnSignal(close: () => Promise<void>, logger: Logger): void {
  const stop = (): void => {
    logger.info('closing: waiting for running responses');
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error(describeError(error));
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', stop).once('SIGINT', stop);
}

/** Logs an exception that nothing has caught, which Node would print on stderr past the log, and ends the process with 1. */
export function logCrash(
  logger: Logger,
  {
    source = process,
    exit = (code) => process.exit(code),
  }: { readonly source?: EventEmitter; readonly exit?: (code: number) => void } = {},
): void {
  source.on('uncaughtException', (error: unknown) => {
    const frames =
      error instanceof Error ? (error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? []) : [];
    logger.error(`uncaught exception: ${[describeError(error), ...frames.map((line) => line.trim())].join('; ')}`);
    exit(1);
  });
}

/** Logs the warnings of Node, which it would print on stderr past the format and the redaction of the log. */
export function logWarnings(logger: Logger, source: EventEmitter = process): void {
  source.removeAllListeners('warning');
  source.on('warning', ({ name, message }: Error) => logger.warn(`${name}: ${message}`));
}
