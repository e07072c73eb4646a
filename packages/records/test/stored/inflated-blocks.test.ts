import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { MAX_BLOCK_SIZE } from '@htskit/bgzf/internal';
import { concatBytes, peek } from '@htskit/io';
import { memorySource } from '@htskit/storage/memory';
import { describe, expect, test } from 'vitest';
import { InflatedBlocks } from '../../src/stored/inflated-blocks.js';

const contents = ['ACGT', 'TTTTTT', 'GG'];
const blocks = contents.map((text) => deflateBlocks(new TextEncoder().encode(text)));
/** The offset of each block, and the end of the last one. */
const offsets = [0, 1, 2, 3].map((count) => concatBytes(blocks.slice(0, count)).length);

/** Returns a function that reads from a block and offset to another, and the starts of the reads of the source. */
function open(maxBytes = 16 * MAX_BLOCK_SIZE): {
  read: (start: readonly [number, number], end: readonly [number, number]) => Promise<string[]>;
  requests: number[];
} {
  const source = memorySource(concatBytes(blocks), { version: '1' });
  const requests: number[] = [];
  const counting: typeof source = {
    ...source,
    read(range, options) {
      requests.push(range.start);
      return source.read(range, options);
    },
    stream(range, options) {
      requests.push(range.start);
      return source.stream(range, options);
    },
  };
  const inflated = new InflatedBlocks({ source: counting, version: '1' }, maxBytes);
  const at = ([block, uoffset]: readonly [number, number]) => ({ coffset: offsets[block] ?? 0, uoffset });
  const read: ReturnType<typeof open>['read'] = async (start, end) => {
    const texts: string[] = [];
    for await (const piece of inflated.read({ start: at(start), end: at(end) }, undefined)) {
      texts.push(new TextDecoder().decode(peek(piece)));
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
  const inflated = new InflatedBlocks({ source: memorySource(concatBytes(blocks), { version: '1' }), version: '1' });
  const read = inflated.read({ start: { coffset: 0, uoffset: 0 }, end: { coffset, uoffset: 0 } }, undefined);
  await expect(read.next()).rejects.toMatchObject({ code: 'INVALID_OFFSET' });
});

test('ranges that share blocks read and inflate them once', async () => {
  const { read, requests } = open();
  await read([1, 0], [2, 1]);
  expect(await read([1, 3], [2, 2])).toEqual(['TTT', 'GG']);
  expect(await read([0, 2], [2, 2])).toEqual(['GT', 'TTTTTT', 'GG']);
  expect(requests).toEqual([offsets[1], 0]);
});

test('a range of more than a sixteenth of the budget is not kept', async () => {
  const { read, requests } = open(16);
  await read([0, 0], [3, 0]);
  await read([0, 0], [3, 0]);
  expect(requests).toEqual([0, 0]);
});

test('a range that ends where a block begins needs no bytes after it', async () => {
  const ends: number[] = [];
  const source = memorySource(concatBytes(blocks), { version: '1' });
  const read: typeof source.read = (range, options) => {
    ends.push(range.end);
    return source.read(range, options);
  };
  const inflated = new InflatedBlocks({ source: { ...source, read }, version: '1' });
  const [first = 0, second = 0] = offsets.slice(1);
  const end = { coffset: second, uoffset: 0 };
  for await (const _ of inflated.read({ start: { coffset: first, uoffset: 0 }, end }, undefined));
  expect(ends).toEqual([second]);
});

test('blocks without data count towards the budget', async () => {
  const count = 100;
  const bytes = concatBytes(new Array<Uint8Array>(count).fill(EOF_MARKER));
  const source = memorySource(bytes, { version: '1' });
  let requests = 0;
  const read: typeof source.read = (range, options) => {
    requests += 1;
    return source.read(range, options);
  };
  const inflated = new InflatedBlocks({ source: { ...source, read }, version: '1' }, 16 * bytes.length);
  const range = { start: { coffset: 0, uoffset: 0 }, end: { coffset: bytes.length, uoffset: 0 } };
  for (let pass = 0; pass < 2; pass += 1) for await (const _ of inflated.read(range, undefined));
  expect(requests).toBe(2);
});
