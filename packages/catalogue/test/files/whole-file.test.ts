import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readRegularFile } from '../../src/files/whole-file.node.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

test('reads a whole file, also through a link', async () => {
  writeFileSync(join(folder, 'a'), 'GATTACA');
  symlinkSync('a', join(folder, 'b'));
  const bytes = await Promise.all(['a', 'b'].map((name) => readRegularFile(join(folder, name), 7)));
  expect(bytes.map((each) => new TextDecoder().decode(each))).toEqual(['GATTACA', 'GATTACA']);
});

test('rejects a file that is too large with its name', async () => {
  writeFileSync(join(folder, 'a'), 'GATTACA');
  await expect(readRegularFile(join(folder, 'a'), 6)).rejects.toThrow('a is larger than 6 bytes');
});

test('returns undefined at once for a missing path, a pipe and a folder', async () => {
  mkdirSync(join(folder, 'folder'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  for (const name of ['folder', 'pipe', 'none']) expect(await readRegularFile(join(folder, name), 9)).toBeUndefined();
});
