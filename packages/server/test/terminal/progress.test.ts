import { afterEach, expect, test, vi } from 'vitest';
import { setQuiet } from '../../src/terminal/messages.js';
import {
  formatBar,
  formatProgress,
  startProgressBar,
  startProgressLine,
  startProgressLines,
} from '../../src/terminal/progress.js';

test('logs a line every ten seconds at most, and one at the end', () => {
  const lines: string[] = [];
  let milliseconds = 0;
  const progress = startProgressLines('genome.fa', {
    byteLength: 3e9,
    log: (line) => lines.push(line),
    now: () => milliseconds,
  });
  for (milliseconds = 1000; milliseconds < 25_000; milliseconds += 1000) progress.update(milliseconds * 1e5);
  progress.stop();
  expect(lines).toEqual([
    'digesting genome.fa: 33% of 3000 MB',
    'digesting genome.fa: 66% of 3000 MB',
    'digesting genome.fa took 25 s',
  ]);
});

test('logs nothing for a task of less than ten seconds', () => {
  const lines: string[] = [];
  let milliseconds = 0;
  const options = { byteLength: 10, log: (line: string) => lines.push(line), now: () => milliseconds };
  const progress = startProgressLines('genome.fa', options);
  milliseconds = 9999;
  progress.update(10);
  progress.stop();
  expect(lines).toEqual([]);
});

test.each([
  [{ bytes: 2_400_000, totalBytes: undefined, blocks: 3, totalBlocks: 7 }, 'a.bam 2 MB, 3 of 7 blocks'],
  [
    { bytes: 1_500_000_000, totalBytes: 3_000_000_000, blocks: 3, totalBlocks: 7 },
    'a.bam [===============---------------] 50% of 3,000 MB',
  ],
  [{ bytes: 0, totalBytes: 0, blocks: 0, totalBlocks: 0 }, 'a.bam [==============================] 100% of 0 MB'],
])('shows bytes, or blocks if the length is unknown', (progress, expected) => {
  expect(formatProgress('a.bam', progress)).toBe(expected);
});

test('estimates the time that is left', () => {
  expect(formatBar('a.bam', { done: 1e6, total: 4e6, seconds: 2 })).toBe(
    'a.bam [=======-----------------------] 25% of 4 MB, 6 s left',
  );
  expect(formatBar('a.bam', { done: 0, total: 4e6, seconds: 2 })).toBe(
    'a.bam [------------------------------] 0% of 4 MB',
  );
});

const { isTTY } = process.stderr;
afterEach(() => {
  vi.useRealTimers();
  process.stderr.isTTY = isTTY;
  setQuiet(false);
});

/** Runs a task of a number of seconds with a stderr that is a terminal, and returns what was written to it. */
function drawFor(milliseconds: number, start: () => { stop(): void }): string {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  process.stderr.isTTY = true;
  let written = '';
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
  try {
    const line = start();
    vi.advanceTimersByTime(milliseconds);
    line.stop();
    vi.advanceTimersByTime(5000);
  } finally {
    spy.mockRestore();
  }
  return written;
}

test('draws a line after a second, and removes it at the end', () => {
  const start = () => startProgressLine((seconds) => `${Math.floor(seconds)} s`);
  const drawn = drawFor(2300, start);
  expect(drawn).toContain('1 s');
  expect(drawn).toContain('2 s');
  const [showCursor, eraseLine] = ['\u001b[?25h', '\u001b[2K'];
  const ended = drawn.slice(drawn.lastIndexOf('2 s'));
  expect(ended).toContain(showCursor);
  expect(ended.endsWith(eraseLine)).toBe(true);
  expect(drawFor(900, start)).toBe('');
});

test('draws nothing with --quiet, for an empty file, or if stderr is not a terminal', () => {
  expect(drawFor(3000, () => startProgressBar('a.bam', 10))).toContain('a.bam [');
  expect(drawFor(3000, () => startProgressBar('a.bam', 0))).toBe('');
  setQuiet(true);
  expect(drawFor(3000, () => startProgressBar('a.bam', 10))).toBe('');
  setQuiet(false);
  const start = (): { stop(): void } => {
    process.stderr.isTTY = false;
    return startProgressBar('a.bam', 10);
  };
  expect(drawFor(3000, start)).toBe('');
});
