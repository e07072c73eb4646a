import { type ProgressBar, startProgressBar } from './progress-bar.js';

/** Between two lines about the same file. */
const LINE_MILLISECONDS = 10_000;

/** Shows how far the digests of a file are: a bar where the error stream is a terminal, and a line now and then elsewhere. */
export function startDigestProgress(name: string, byteLength: number, log: (message: string) => void): ProgressBar {
  if (process.stderr.isTTY) return startProgressBar(`digesting ${name}`, byteLength);
  return startProgressLines(name, { byteLength, log, now: () => performance.now() });
}

export interface ProgressLinesOptions {
  readonly byteLength: number;
  readonly log: (message: string) => void;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Nothing is said of a file that is done before the first line is due. */
export function startProgressLines(name: string, { byteLength, log, now }: ProgressLinesOptions): ProgressBar {
  const started = now();
  let nextLine = started + LINE_MILLISECONDS;
  let isTold = false;
  return {
    update(bytes) {
      if (now() < nextLine) return;
      nextLine = now() + LINE_MILLISECONDS;
      isTold = true;
      log(`digesting ${name}: ${Math.floor((100 * bytes) / byteLength)}% of ${Math.round(byteLength / 1e6)} MB`);
    },
    stop() {
      if (isTold) log(`digesting ${name} took ${Math.round((now() - started) / 1000)} s`);
    },
  };
}
