import type { HtsgetProgress } from '@htskit/client';
import { SingleBar } from 'cli-progress';
import { formatCount } from '../../stored-file/parse-region.js';

const MEGABYTE = 1e6;
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
