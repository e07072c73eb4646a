import { expect, test } from 'vitest';
import { startProgressLines } from '../../src/terminal/progress.js';

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
