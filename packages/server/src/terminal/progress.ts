import type { HtsgetProgress } from '@htskit/client';
import { SingleBar } from 'cli-progress';
import { formatCount } from '../stored-file/parse-region.js';

/** Smaller files are done before a bar would be read. */
const MIN_BAR_BYTES = 2 ** 26;
const MEGABYTE = 1e6;
/** The time between two lines about the same file. */
const LINE_MILLISECONDS = 10_000;

/** Shows the progress of one task. */
export interface ProgressBar {
  update(bytes: number): void;
  /** Ends the report and removes a bar from the screen. */
  stop(): void;
}

/** Starts a progress bar on stderr. It stays invisible if stderr is not a terminal or the file is below 64 MiB. */
export function startProgressBar(name: string, byteLength: number): ProgressBar {
  if (!process.stderr.isTTY || byteLength < MIN_BAR_BYTES) return { update: () => undefined, stop: () => undefined };
  const bar = new SingleBar({
    stream: process.stderr,
    format: `${name} [{bar}] {percentage}% of {total} MB, {eta_formatted} left`,
    clearOnComplete: true,
    hideCursor: true,
    etaBuffer: 100,
  });
  bar.start(Math.round(byteLength / MEGABYTE), 0);
  return { update: (bytes) => bar.update(Math.round(bytes / MEGABYTE)), stop: () => bar.stop() };
}

/** Reports how far the digests of a file are: with a bar if stderr is a terminal, and with log lines otherwise. */
export function startDigestProgress(name: string, byteLength: number, log: (message: string) => void): ProgressBar {
  if (process.stderr.isTTY) return startProgressBar(`digesting ${name}`, byteLength);
  return startProgressLines(name, { byteLength, log, now: () => performance.now() });
}

export interface ProgressLinesOptions {
  readonly byteLength: number;
  readonly log: (message: string) => void;
  /** Milliseconds since any fixed point in time. */
  readonly now: () => number;
}

/** Logs a line every ten seconds, and one at the end. A file that is done before the first line is not mentioned. */
export function startProgressLines(name: string, { byteLength, log, now }: ProgressLinesOptions): ProgressBar {
  const started = now();
  let nextLine = started + LINE_MILLISECONDS;
  let hasLogged = false;
  return {
    update(bytes) {
      if (now() < nextLine) return;
      nextLine = now() + LINE_MILLISECONDS;
      hasLogged = true;
      log(`digesting ${name}: ${Math.floor((100 * bytes) / byteLength)}% of ${Math.round(byteLength / MEGABYTE)} MB`);
    },
    stop() {
      if (hasLogged) log(`digesting ${name} took ${Math.round((now() - started) / 1000)} s`);
    },
  };
}

const BAR_WIDTH = 30;

/** Shows the progress of a download. */
export interface DownloadProgress {
  update(progress: HtsgetProgress): void;
  /** Hides the bar and writes a line. */
  say(line: string): void;
  /** Removes the bar from the screen. */
  stop(): void;
}

/** Creates a progress bar, which appears only if stderr is a terminal. Lines are always written. */
export function startDownloadProgress(name: string, isVisible: boolean): DownloadProgress {
  const bar = new SingleBar({
    stream: process.stderr,
    format: (_options, _params, payload: { readonly progress?: HtsgetProgress }) =>
      payload.progress === undefined ? name : formatProgress(name, payload.progress),
    clearOnComplete: true,
    hideCursor: true,
  });
  let isStarted = false;
  const stop = (): void => {
    if (isStarted) bar.stop();
    isStarted = false;
  };
  return {
    update(progress) {
      if (!isVisible || !process.stderr.isTTY) return;
      if (!isStarted) bar.start(1, 0);
      isStarted = true;
      bar.update(0, { progress });
    },
    say(line) {
      stop();
      process.stderr.write(`${line}\n`);
    },
    stop,
  };
}

/** Formats a bar if the total size is known, and counts of megabytes and blocks otherwise. */
export function formatProgress(name: string, { bytes, totalBytes, blocks, totalBlocks }: HtsgetProgress): string {
  const done = formatCount(Math.round(bytes / MEGABYTE));
  if (totalBytes === undefined) return `${name} ${done} MB, ${blocks} of ${totalBlocks} blocks`;
  const share = totalBytes === 0 ? 1 : Math.min(1, bytes / totalBytes);
  const bar = '='.repeat(Math.floor(share * BAR_WIDTH)).padEnd(BAR_WIDTH, '-');
  return `${name} [${bar}] ${Math.floor(share * 100)}% of ${formatCount(Math.round(totalBytes / MEGABYTE))} MB`;
}
