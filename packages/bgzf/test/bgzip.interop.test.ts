import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toOwnedChunks } from '@htskit/io';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  BgzfPool,
  buildGzi,
  deflateBlocks,
  EOF_MARKER,
  formatGzi,
  GziBuilder,
  inflateBlocks,
  inflateStream,
  locateUncompressed,
  parseGzi,
} from '../src/index.js';
import { joinBytes } from './build-block.js';
import { chunked, collect, copySpans, memorySource } from './memory-source.js';
import { letters, noise } from './noise.js';

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

test.each([0, 1, 6, 9])('bgzip reads the output of deflateBlocks at level %i', (level) => {
  writeFileSync(join(folder, 'ours.gz'), joinBytes([deflateBlocks(data, { level }), EOF_MARKER]));
  bgzip('-t', 'ours.gz');
  expect(Buffer.compare(bgzip('-dc', 'ours.gz'), data)).toBe(0);
});

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9])(
  'bgzip reads the output of a pool at level %i, also through its index',
  async (level) => {
    const pool = new BgzfPool({ threads: 2 });
    const gzi = new GziBuilder();
    const varied = joinBytes([data, noise(100_000), new Uint8Array(200_000), data]);
    const bytes = await collect(pool.deflate(chunked(varied, [70_000]), { level, gzi }));
    await pool.close();
    writeFileSync(join(folder, 'pool.gz'), bytes);
    writeFileSync(join(folder, 'pool.gz.gzi'), formatGzi(gzi.finish()));
    expect(Buffer.compare(bgzip('-dc', 'pool.gz'), varied)).toBe(0);
    expect(Buffer.compare(bgzip('-b', '799990', '-s', '20', 'pool.gz'), varied.subarray(799_990, 800_010))).toBe(0);
  },
);

test.each([1, 2])('a pool of %i threads and inflateStream read the output of bgzip', async (threads) => {
  const pool = new BgzfPool({ threads });
  writeFileSync(join(folder, 'theirs'), joinBytes([data, data, data]));
  const bytes = bgzip('-c', 'theirs');
  const inflated = await collect(toOwnedChunks(pool.inflate(chunked(bytes, [9999]))));
  await pool.close();
  expect(Buffer.compare(inflated, joinBytes([data, data, data]))).toBe(0);
  const spans = await copySpans(inflateStream(chunked(bytes, [9999])));
  expect(Buffer.compare(joinBytes(spans.map((span) => span.data)), inflated)).toBe(0);
});

test('inflateBlocks reads the output of bgzip, and buildGzi builds the same index', async () => {
  writeFileSync(join(folder, 'theirs'), data);
  bgzip('-k', '-i', 'theirs');
  const bytes = readFileSync(join(folder, 'theirs.gz'));
  expect(Buffer.compare(inflateBlocks(bytes), data)).toBe(0);
  const index = readFileSync(join(folder, 'theirs.gz.gzi'));
  const built = await buildGzi(memorySource(bytes), bytes.length);
  expect(Buffer.compare(formatGzi(built), index)).toBe(0);
  expect(locateUncompressed(parseGzi(index), 400_000)).toEqual(locateUncompressed(built, 400_000));
});

test('bgzip finds the same bytes with an index of buildGzi', async () => {
  const bytes = joinBytes([deflateBlocks(data), EOF_MARKER, deflateBlocks(data), EOF_MARKER]);
  writeFileSync(join(folder, 'indexed.gz'), bytes);
  writeFileSync(join(folder, 'indexed.gz.gzi'), formatGzi(await buildGzi(memorySource(bytes), bytes.length)));
  const found = bgzip('-b', '499990', '-s', '20', 'indexed.gz');
  expect(Buffer.compare(found, joinBytes([data.subarray(-10), data.subarray(0, 10)]))).toBe(0);
});
