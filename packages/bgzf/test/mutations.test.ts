import { bgunzip, mutations, volume } from '@htskit/testing';
import { expect, test } from 'vitest';
import {
  buildGzi,
  EOF_MARKER,
  formatGzi,
  inflateBlock,
  inflateBlocks,
  inflateRange,
  parseGzi,
  streamCut,
  type VirtualOffset,
} from '../src/index.js';
import { parseBlockHeader, streamBlocks } from '../src/internal.js';
import { attempt, attemptAsync } from './attempt.js';
import { ascii, BC, buildBlock, buildFile, joinBytes } from './build-block.js';
import { chunked, collect, copySpans, memorySource, toArray } from './memory-source.js';

const data = ascii('chr1\t12345\trs1\tA\tG\n'.repeat(40));
const block = buildBlock({ data, extra: [0x58, 0x59, 2, 0, 1, 2, ...BC] });
const file = buildFile([data, new Uint8Array(0), ascii('second'), data.subarray(0, 100)]);
const fileBytes = joinBytes([file.bytes, EOF_MARKER]);
const COUNT = volume(3000);

function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

test('a mutated block is rejected or inflates to the right bytes', () => {
  let refused = 0;
  for (const { bytes, description } of mutations(block, { seed: 1, count: COUNT })) {
    const found = attempt(() => inflateBlock(bytes));
    if (found === undefined) refused += 1;
    expect(found === undefined || same(found, data), `${description}`).toBe(true);
  }
  expect(refused).toBeGreaterThan(COUNT / 2);
});

test('a mutated header is rejected or states sizes that a block can have', () => {
  for (const { bytes, description } of mutations(block.subarray(0, 30), { seed: 2, count: COUNT })) {
    const { blockSize, dataStart } = attempt(() => parseBlockHeader(bytes)) ?? { blockSize: 65536, dataStart: 18 };
    expect(blockSize, `${description}`).toBeLessThanOrEqual(65536);
    expect(dataStart, `${description}`).toBeLessThanOrEqual(blockSize - 8);
  }
});

test('a mutated file is rejected or inflates to the data that an independent reader returns', () => {
  let read = 0;
  for (const { bytes, description } of mutations(fileBytes, { seed: 3, count: COUNT })) {
    const found = attempt(() => inflateBlocks(bytes));
    if (found !== undefined) read += 1;
    expect(found === undefined || same(found, bgunzip(bytes)), `${description}`).toBe(true);
  }
  expect(read).toBeGreaterThan(COUNT / 100);
});

test('a mutated stream is rejected or split into blocks that add up to it, for any chunking', async () => {
  let chunkSize = 1;
  for (const { bytes, description } of mutations(fileBytes, { seed: 4, count: COUNT })) {
    chunkSize = (chunkSize % 200) + 1;
    const blocks = await attemptAsync(toArray(streamBlocks(chunked(bytes, [chunkSize]))));
    const isWhole = blocks === undefined || same(joinBytes(blocks.map((item) => item.bytes)), bytes);
    expect(isWhole, `${description}`).toBe(true);
  }
});

test('a cut and a read of a mutated file are rejected or agree', async () => {
  const starts: VirtualOffset[] = [
    { coffset: 0, uoffset: 0 },
    { coffset: 0, uoffset: 99 },
    { coffset: file.blocks[2]?.coffset ?? 0, uoffset: 3 },
  ];
  const ends: VirtualOffset[] = [
    { coffset: file.blocks[2]?.coffset ?? 0, uoffset: 5 },
    { coffset: file.blocks[3]?.coffset ?? 0, uoffset: 0 },
    { coffset: file.blocks[3]?.coffset ?? 0, uoffset: 50 },
    { coffset: file.bytes.length, uoffset: 0 },
  ];
  let [round, compared] = [0, 0];
  for (const { bytes, description } of mutations(fileBytes, { seed: 5, count: COUNT })) {
    round += 1;
    const [start, end] = [starts[round % starts.length], ends[round % ends.length]];
    if (start === undefined || end === undefined) throw new RangeError('no such offset');
    const source = memorySource(bytes, { chunkSize: 1 + (round % 300) });
    const spans = await attemptAsync(copySpans(inflateRange(source, { start, end })));
    const cut = await attemptAsync(collect(streamCut(source, { start, end })));
    // The middle of a cut is not inflated, so the cut may succeed when the read is rejected, but not the other way round.
    if (spans === undefined) continue;
    compared += 1;
    expect(
      cut !== undefined && same(inflateBlocks(cut), joinBytes(spans.map((span) => span.data))),
      `${description}`,
    ).toBe(true);
  }
  expect(compared).toBeGreaterThan(COUNT / 10);
});

test('a mutated index is rejected or formatted to the same bytes', async () => {
  const index = formatGzi(await buildGzi(memorySource(fileBytes), fileBytes.length));
  for (const { bytes, description } of mutations(index, { seed: 6, count: COUNT })) {
    const gzi = attempt(() => parseGzi(bytes));
    expect(gzi === undefined || same(formatGzi(gzi), bytes), `${description}`).toBe(true);
  }
});

test('the index of a mutated file is rejected or can be parsed again', async () => {
  for (const { bytes, description } of mutations(fileBytes, { seed: 7, count: COUNT })) {
    const gzi = await attemptAsync(buildGzi(memorySource(bytes, { chunkSize: 50 }), bytes.length));
    const written = gzi === undefined ? undefined : formatGzi(gzi);
    expect(written === undefined || same(formatGzi(parseGzi(written)), written), `${description}`).toBe(true);
  }
});
