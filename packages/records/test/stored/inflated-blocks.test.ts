import { deflateBlocks, EOF_MARKER, type VirtualRange } from '@htskit/bgzf';
import { concatBytes, peek } from '@htskit/io';
import { memorySource } from '@htskit/storage/memory';
import { describe, expect, test } from 'vitest';
import { FileCache } from '../../src/source/file-cache.js';
import { awaitBlocks, InflatedBlocks } from '../../src/stored/inflated-blocks.js';

const contents = ['ACGT', 'TTTTTT', 'GG'];
const blocks = contents.map((text) => deflateBlocks(new TextEncoder().encode(text)));
/** The offset of each block, and the end of the last one. */
const offsets = [0, 1, 2, 3].map((count) => concatBytes(blocks.slice(0, count)).length);

/** Opens a file, and returns the starts and ends of the reads of its source. */
function openFile({ bytes, maxBytes }: { readonly bytes: Uint8Array; readonly maxBytes?: number }): {
  readonly inflated: InflatedBlocks;
  readonly requests: number[];
  readonly ends: number[];
} {
  const source = memorySource(bytes, { version: '1' });
  const requests: number[] = [];
  const ends: number[] = [];
  const read: typeof source.read = (range, options) => {
    requests.push(range.start);
    ends.push(range.end);
    return source.read(range, options);
  };
  const file = { source: { ...source, read }, version: '1', isLocal: false, cache: new FileCache(maxBytes) };
  return { inflated: new InflatedBlocks(file), requests, ends };
}

/** Yields the data of the blocks of a range. */
function readBlocks(inflated: InflatedBlocks, range: VirtualRange, signal?: AbortSignal) {
  return awaitBlocks(inflated.open(() => [range], { signal }).read(range));
}

/** Returns a function that reads from a block and offset to another, and the starts of the reads of the source. */
function open(maxBytes?: number): {
  read: (start: readonly [number, number], end: readonly [number, number]) => Promise<string[]>;
  requests: number[];
} {
  const { inflated, requests } = openFile({ bytes: concatBytes(blocks), maxBytes });
  const at = ([block, uoffset]: readonly [number, number]) => ({ coffset: offsets[block] ?? 0, uoffset });
  const read: ReturnType<typeof open>['read'] = async (start, end) => {
    const texts: string[] = [];
    const range = { start: at(start), end: at(end) };
    for await (const { data } of readBlocks(inflated, range)) {
      texts.push(new TextDecoder().decode(peek(data)));
    }
    return texts;
  };
  return { read, requests };
}

describe.each([
  ['kept blocks', undefined],
  ['no budget', 0],
])('a range with %s', (_, maxBytes) => {
  test.each([
    ['of all blocks', [0, 0], [3, 0], ['ACGT', 'TTTTTT', 'GG']],
    ['that begins and ends within blocks', [0, 1], [2, 1], ['CGT', 'TTTTTT', 'G']],
    ['within a block', [1, 2], [1, 4], ['TT']],
    ['that ends where a block begins', [0, 3], [1, 0], ['T']],
    ['of no bytes', [1, 2], [1, 2], []],
  ] as const)('%s yields its data', async (_name, start, end, expected) => {
    const { read } = open(maxBytes);
    expect(await read(start, end)).toEqual(expected);
    expect(await read(start, end)).toEqual(expected);
  });

  test.each([
    ['ends before it begins', [2, 0], [0, 0], 'INVALID_OFFSET'],
    ['ends before it begins, in one block', [1, 2], [1, 1], 'INVALID_OFFSET'],
    ['begins after the end of its block', [0, 5], [2, 0], 'INVALID_OFFSET'],
    ['ends after the end of its block', [0, 0], [1, 7], 'INVALID_OFFSET'],
    ['continues after the end of the file', [0, 0], [3, 1], 'TRUNCATED'],
  ] as const)('that %s is rejected', async (_name, start, end, code) => {
    await expect(open(maxBytes).read(start, end)).rejects.toMatchObject({ name: 'BgzfError', code });
  });
});

test.each([7, 25])('a range that ends %i bytes into a block is rejected', async (coffset) => {
  const range = { start: { coffset: 0, uoffset: 0 }, end: { coffset, uoffset: 0 } };
  const read = readBlocks(openFile({ bytes: concatBytes(blocks) }).inflated, range);
  await expect(read.next()).rejects.toMatchObject({ code: 'INVALID_OFFSET' });
});

test('ranges that share blocks read and inflate them once', async () => {
  const { read, requests } = open();
  await read([1, 0], [2, 1]);
  expect(await read([1, 3], [2, 2])).toEqual(['TTT', 'GG']);
  expect(await read([0, 2], [2, 2])).toEqual(['GT', 'TTTTTT', 'GG']);
  expect(requests).toEqual([offsets[1], 0]);
});

test('each reading of a long range keeps at most a quarter of the budget', async () => {
  const { read, requests } = open(4 * (512 + 10));
  for (let pass = 0; pass < 3; pass += 1) await read([0, 0], [3, 0]);
  expect(requests).toEqual([0, offsets[1], offsets[2]]);
});

test('ranges that follow each other share a block that is not kept', async () => {
  const { inflated, requests } = openFile({ bytes: concatBytes(blocks), maxBytes: 0 });
  const [, second = 0] = offsets;
  const middle = { coffset: second, uoffset: 3 };
  const ranges = [
    { start: { coffset: 0, uoffset: 0 }, end: middle },
    { start: middle, end: { coffset: offsets[3] ?? 0, uoffset: 0 } },
  ];
  const reading = inflated.open(
    () => [{ start: { coffset: 0, uoffset: 0 }, end: { coffset: offsets[3] ?? 0, uoffset: 0 } }],
    {},
  );
  for (const range of ranges) for await (const _ of awaitBlocks(reading.read(range)));
  expect(requests).toEqual([0]);
});

test('a range that ends where a block begins needs no bytes after it', async () => {
  const { inflated, ends } = openFile({ bytes: concatBytes(blocks) });
  const [first = 0, second = 0] = offsets.slice(1);
  const range = { start: { coffset: first, uoffset: 0 }, end: { coffset: second, uoffset: 0 } };
  for await (const _ of readBlocks(inflated, range));
  expect(ends).toEqual([second]);
});

test('blocks without data count towards the budget', async () => {
  const count = 100;
  const bytes = concatBytes(new Array<Uint8Array>(count).fill(EOF_MARKER));
  const { inflated, requests } = openFile({ bytes, maxBytes: 16 * bytes.length });
  const range = { start: { coffset: 0, uoffset: 0 }, end: { coffset: bytes.length, uoffset: 0 } };
  for (let pass = 0; pass < 2; pass += 1) for await (const _ of readBlocks(inflated, range));
  expect(requests.length).toBe(2);
});

test('ranges whose blocks are kept are read without waiting', async () => {
  const { inflated } = openFile({ bytes: concatBytes(blocks) });
  const range = { start: { coffset: 0, uoffset: 0 }, end: { coffset: offsets[3] ?? 0, uoffset: 0 } };
  for await (const _ of readBlocks(inflated, range));
  const steps = [...inflated.open(() => [range], {}).read(range)];
  expect(steps.map((step) => step instanceof Promise)).toEqual([false, false, false]);
});

test('rejects a reading that is aborted, even of blocks that are kept', async () => {
  const { inflated } = openFile({ bytes: concatBytes(blocks) });
  const range = { start: { coffset: 0, uoffset: 0 }, end: { coffset: offsets[3] ?? 0, uoffset: 0 } };
  for await (const _ of readBlocks(inflated, range));
  const read = readBlocks(inflated, range, AbortSignal.abort());
  await expect(read.next()).rejects.toMatchObject({ code: 'ABORTED' });
});
