import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { createSamToBam, parseSamHeader } from '@htskit/formats';
import type { StoredFile } from '@htskit/htsget';
import { indexBam } from '@htskit/indexes';
import { type ByteRange, concatBytes, encodeText, toOwned } from '@htskit/io';
import { memorySource } from '@htskit/storage/memory';
import { createRandom, volume } from '@htskit/testing';
import { expect, test, vi } from 'vitest';
import { BASE, createHandler } from './coverage-service.js';

const LENGTH = 40_000_000;
const READ_LENGTH = 50;
/** The regions of a file, each far from the others. Only the second is permitted. */
const [BEFORE, PERMITTED, AFTER] = [
  { start: 10_000_000, end: 10_100_000 },
  { start: 20_000_000, end: 20_100_000 },
  { start: 30_000_000, end: 30_100_000 },
];

/** Returns lines of SAM of reads that are evenly distributed over bases. */
function spreadReads(count: number, { start, end }: { readonly start: number; readonly end: number }): string {
  const [bases, qualities] = ['A'.repeat(READ_LENGTH), 'I'.repeat(READ_LENGTH)];
  const lines = Array.from({ length: count }, (_, i) => {
    const position = start + 1 + Math.floor((i * (end - start - READ_LENGTH)) / count);
    return ['read', 0, 'chr1', position, 60, `${READ_LENGTH}M`, '*', 0, 0, bases, qualities].join('\t');
  });
  return lines.map((line) => `${line}\n`).join('');
}

/** Returns a BAM file whose parts each begin a block, as they are stored if nothing of the parts before them is compressed. */
async function toFile(parts: readonly string[]): Promise<StoredFile> {
  const text = encodeText(`@HD\tVN:1.6\tSO:coordinate\n@SQ\tSN:chr1\tLN:${LENGTH}\n@SQ\tSN:chr2\tLN:1000\n`);
  const converter = createSamToBam(parseSamHeader(text));
  const records = parts.map((part) => concatBytes(converter.push(encodeText(part)).map(toOwned)));
  const blocks = [converter.header, ...records].map((bytes) => deflateBlocks(bytes, { level: 0 }));
  const bytes = concatBytes([...blocks, EOF_MARKER]);
  const index = await indexBam(chunksOf(bytes));
  return { format: 'BAM', data: memorySource(bytes, { version: '1' }), index: memorySource(index, { version: '1' }) };
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}

/** Returns the answer to a request for the permitted region, and the ranges of the file that are read for it. */
async function readsFor(
  file: StoredFile,
  query: string,
): Promise<{ body: string; etag: string | null; ranges: ByteRange[] }> {
  const regions = [{ referenceName: 'chr1', ...PERMITTED }, { referenceName: 'chr2' }];
  const handler = createHandler({ authorize: () => ({ regions }), resolve: async () => [file] });
  // Reads the header and the index.
  await handler(new Request(`${BASE}/bam?referenceName=chr2`));
  const read = vi.spyOn(file.data, 'read');
  const stream = vi.spyOn(file.data, 'stream');
  const response = await handler(new Request(`${BASE}/bam?${query}`));
  const ranges = [...read.mock.calls, ...stream.mock.calls].map(([{ start, end }]) => ({ start, end }));
  vi.restoreAllMocks();
  return { body: await response.text(), etag: response.headers.get('etag'), ranges };
}

test('random rules: the same bytes are read whatever reads there are outside of the permitted region', async () => {
  const random = createRandom(31);
  let compared = 0;
  for (let round = 0; round < volume(20); round++) {
    const permitted = spreadReads(500 + Math.floor(random() * 5000), PERMITTED);
    const count = 1 + Math.floor(random() * 5000);
    // As many records, and so as many bytes, are before the permitted ones: within the requested region, or not. After them, some are.
    const [left, right] = [
      { start: 0, end: 1_000_000 },
      { start: 35_000_000, end: LENGTH },
    ];
    const many = spreadReads(2000, right);
    const files = await Promise.all([
      toFile([spreadReads(count, left), permitted, many]),
      toFile([spreadReads(count, BEFORE), permitted, many]),
      toFile([spreadReads(count, left), permitted, spreadReads(20_000, AFTER)]),
      toFile([spreadReads(count, BEFORE), permitted, spreadReads(5, AFTER) + many]),
    ]);
    const [start, end] = [BEFORE.start - 1000, Math.floor(AFTER.end + random() * 1000)];
    const query = `referenceName=chr1&start=${start}&end=${end}&bins=${1 + Math.floor(random() * 300)}`;
    const [first, ...others] = await Promise.all(files.map((file) => readsFor(file, query)));
    expect(first?.ranges.length).toBeGreaterThan(0);
    for (const other of others) expect(other).toEqual(first);
    compared += others.length;
  }
  expect(compared).toBe(3 * volume(20));
});
