import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { digestInputs, runUnlessDone } from '../start-stamps.mjs';

let root;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'htskit-'));
  for (const folder of ['packages/a/src', 'packages/a/dist', 'packages/a/test'])
    mkdirSync(join(root, folder), { recursive: true });
  for (const file of ['lock', 'packages/a/src/b.ts']) writeFileSync(join(root, file), 'text');
});
afterEach(() => rmSync(root, { recursive: true }));

const digest = (...others) => digestInputs(root, ['lock', 'missing', 'packages'], ...others);

test('a digest changes with each input, and with nothing else', () => {
  const first = digest('x');
  const changes = [
    () => utimesSync(join(root, 'lock'), 1, 1),
    () => writeFileSync(join(root, 'packages/a/src/b.ts'), 'longer text'),
    () => writeFileSync(join(root, 'packages/a/src/new.ts'), ''),
    () => renameSync(join(root, 'packages/a/src/new.ts'), join(root, 'packages/a/src/renamed.ts')),
    () => rmSync(join(root, 'packages/a/src/renamed.ts')),
    () => writeFileSync(join(root, 'missing'), ''),
  ];
  const digests = new Set([first]);
  for (const [index, change] of changes.entries()) {
    change();
    // Without the file, the inputs are as before it was added.
    if (index !== 4) expect(digests.has(digest('x'))).toBe(false);
    digests.add(digest('x'));
  }
  expect(digests.has(digest('y'))).toBe(false);
  for (const folder of ['dist', 'test']) writeFileSync(join(root, `packages/a/${folder}/c`), '');
  expect(digests.has(digest('x'))).toBe(true);
});

test('steps run again if their inputs change, an output is gone or they failed', () => {
  const output = join(root, 'output');
  let count = 0;
  const run = (inputs) =>
    runUnlessDone({ stamp: join(root, 'stamps/built'), inputs, outputs: [output] }, () => {
      count++;
      if (inputs === 'bad') throw new Error('failed');
      writeFileSync(output, '');
    });
  run('a');
  run('a');
  expect(count).toBe(1);
  run('b');
  expect(count).toBe(2);
  rmSync(output);
  run('b');
  expect(count).toBe(3);
  for (const _ of [1, 2]) expect(() => run('bad')).toThrow('failed');
  expect(count).toBe(5);
});
