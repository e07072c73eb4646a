import { SingleBar } from 'cli-progress';

/** Files that take a few seconds. */
const LEAST_BYTES = 2 ** 26;
const MEGABYTE = 1e6;

/** Shows how far something is. */
export interface ProgressBar {
  update(bytes: number): void;
  /** Removes it from the screen. */
  stop(): void;
}

/** A bar on the error stream, where that is a terminal and there is enough to do. */
export function startProgressBar(name: string, byteLength: number): ProgressBar {
  if (!process.stderr.isTTY || byteLength < LEAST_BYTES) return { update: () => undefined, stop: () => undefined };
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
