import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  buildGzi,
  deflateBlocks,
  EOF_MARKER,
  formatGzi,
  inflateBlocks,
  locateUncompressed,
  parseGzi,
} from '../src/index.js';
import { joinBytes } from './build-block.js';
import { memorySource } from './memory-source.js';
import { letters } from './noise.js';

let folder = '';
const data = letters(500_000);

function bgzip(...args: string[]): Buffer {
  return execFileSync('bgzip', args, { maxBuffer: 2 ** 30, cwd: folder });
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-bgzf-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test.each([0, 1, 6, 9])('bgzip reads what deflateBlocks writes at level %i', (level) => {
  writeFileSync(join(folder, 'ours.gz'), joinBytes([deflateBlocks(data, { level }), EOF_MARKER]));
  bgzip('-t', 'ours.gz');
  expect(Buffer.compare(bgzip('-dc', 'ours.gz'), data)).toBe(0);
});

test('inflateBlocks reads what bgzip writes, and the index is the same byte by byte', async () => {
  writeFileSync(join(folder, 'theirs'), data);
  bgzip('-k', '-i', 'theirs');
  const bytes = readFileSync(join(folder, 'theirs.gz'));
  expect(Buffer.compare(inflateBlocks(bytes), data)).toBe(0);
  const index = readFileSync(join(folder, 'theirs.gz.gzi'));
  const built = await buildGzi(memorySource(bytes), bytes.length);
  expect(Buffer.compare(formatGzi(built), index)).toBe(0);
  expect(locateUncompressed(parseGzi(index), 400_000)).toEqual(locateUncompressed(built, 400_000));
});

test('bgzip finds the same bytes with an index that we wrote', async () => {
  const bytes = joinBytes([deflateBlocks(data), EOF_MARKER, deflateBlocks(data), EOF_MARKER]);
  writeFileSync(join(folder, 'indexed.gz'), bytes);
  writeFileSync(join(folder, 'indexed.gz.gzi'), formatGzi(await buildGzi(memorySource(bytes), bytes.length)));
  const found = bgzip('-b', '499990', '-s', '20', 'indexed.gz');
  expect(Buffer.compare(found, joinBytes([data.subarray(-10), data.subarray(0, 10)]))).toBe(0);
});
