import type { HtsgetProgress } from '@htskit/client';
import { SingleBar } from 'cli-progress';
import { formatCount } from './format-count.js';
import { note, showsProgress } from './messages.js';

const MEGABYTE = 1e6;
/** Shorter tasks are done before their progress would be read. */
const DELAY_MILLISECONDS = 1000;
const REDRAWS_PER_SECOND = 5;
/** The time between two lines about the same file. */
const LINE_MILLISECONDS = 10_000;
/** A line on stderr that shows how far a task is. */
export interface ProgressLine {
  /** Removes the line until it is drawn again. */
  readonly hide: () => void;
  /** Ends the report and removes the line. */
  readonly stop: () => void;
}

/**
 * Draws a line about a task, beginning after a second, if stderr is a terminal. `describe` receives the seconds since the start,
 * and returns text without control characters.
 */
export function startProgressLine(describe: (seconds: number) => string, isVisible = true): ProgressLine {
  if (!isVisible || !showsProgress()) return { hide: () => undefined, stop: () => undefined };
  const started = performance.now();
  const bar = new SingleBar({
    stream: process.stderr,
    format: () => describe((performance.now() - started) / 1000),
    fps: REDRAWS_PER_SECOND,
    clearOnComplete: true,
    hideCursor: true,
    gracefulExit: false,
  });
  let isDrawn = false;
  const draw = (): void => {
    bar.start(1, 0);
    isDrawn = true;
  };
  let timer = setTimeout(draw, DELAY_MILLISECONDS).unref();
  const hide = (): void => {
    clearTimeout(timer);
    if (isDrawn) bar.stop();
    isDrawn = false;
  };
  return {
    hide: () => {
      hide();
      timer = setTimeout(draw, DELAY_MILLISECONDS).unref();
    },
    stop: hide,
  };
}

/** Shows the progress of one task. */
export interface ProgressBar {
  update(bytes: number): void;
  /** Ends the report and removes a bar from the screen. */
  stop(): void;
}

/** Starts a progress bar of a number of bytes. Without any, none is shown. */
export function startProgressBar(name: string, byteLength: number): ProgressBar {
  let done = 0;
  const describe = (seconds: number): string => formatBar(name, { done, total: byteLength, seconds });
  const { stop } = startProgressLine(describe, byteLength > 0);
  return {
    update: (bytes) => {
      done = bytes;
    },
    stop,
  };
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

/** Formats a bar with an estimate of the time that is left. */
export function formatBar(
  name: string,
  { done, total, seconds }: { readonly done: number; readonly total: number; readonly seconds: number },
): string {
  const left = done === 0 ? '' : `, ${Math.ceil((seconds * Math.max(0, total - done)) / done)} s left`;
  return `${name} ${drawBar(done, total)}${left}`;
}

function drawBar(done: number, total: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const bar = '='.repeat(Math.floor(share * BAR_WIDTH)).padEnd(BAR_WIDTH, '-');
  return `[${bar}] ${Math.floor(share * 100)}% of ${formatCount(Math.round(total / MEGABYTE))} MB`;
}

/** Shows the progress of a download. */
export interface DownloadProgress {
  update(progress: HtsgetProgress): void;
  /** Hides the line and writes a note. */
  say(line: string): void;
  /** Removes the line from the screen. */
  stop(): void;
}

/** Starts to show the progress of a download. */
export function startDownloadProgress(name: string, isVisible: boolean): DownloadProgress {
  let latest: HtsgetProgress | undefined;
  const line = startProgressLine(() => (latest === undefined ? name : formatProgress(name, latest)), isVisible);
  return {
    update: (progress) => {
      latest = progress;
    },
    say(text) {
      line.hide();
      note(text);
    },
    stop: line.stop,
  };
}

/** Formats a bar if the total size is known, and counts of megabytes and blocks otherwise. */
export function formatProgress(name: string, { bytes, totalBytes, blocks, totalBlocks }: HtsgetProgress): string {
  if (totalBytes !== undefined) return `${name} ${drawBar(bytes, totalBytes)}`;
  return `${name} ${formatCount(Math.round(bytes / MEGABYTE))} MB, ${blocks} of ${totalBlocks} blocks`;
}
