import { gunzipSync } from 'node:zlib';
import type { ByteSource } from '@htskit/io';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EOF_MARKER, streamCut, type VirtualOffset, type VirtualRange } from '../../src/index.js';
import { ascii, buildFile, joinBytes } from '../build-block.js';
import { collect, memorySource, toArray } from '../memory-source.js';

/** Blocks of 5, 0, 6, 1 and 7 bytes. */
const file = buildFile(['first', '', 'second', '3', 'fourth!'].map(ascii));
const size = file.bytes.length;

/** Every virtual offset of the file with its offset in the uncompressed data, including the end of the file. */
const offsets: { offset: VirtualOffset; at: number }[] = [];
let before = 0;
for (const { coffset, data } of file.blocks) {
  for (let uoffset = 0; uoffset <= data.length; uoffset += 1)
    offsets.push({ offset: { coffset, uoffset }, at: before + uoffset });
  before += data.length;
}
offsets.push({ offset: { coffset: size, uoffset: 0 }, at: before });

function blockAt(index: number): { coffset: number; bytes: Uint8Array } {
  const block = file.blocks[index];
  if (block === undefined) throw new RangeError(`no block ${index}`);
  return block;
}

function cut(
  start: VirtualOffset,
  end: VirtualOffset,
  source: ByteSource = memorySource(file.bytes),
): Promise<Uint8Array> {
  return collect(streamCut(source, { start, end }));
}

function inflate(bytes: Uint8Array): string {
  return bytes.length === 0 ? '' : gunzipSync(bytes).toString();
}

describe('the cut', () => {
  test('holds exactly the uncompressed data between every pair of virtual offsets', async () => {
    let pairs = 0;
    for (const [index, start] of offsets.entries()) {
      for (const end of offsets.slice(index)) {
        const found = inflate(await cut(start.offset, end.offset, memorySource(file.bytes, { chunkSize: 9 })));
        expect(found).toBe(Buffer.from(file.data.subarray(start.at, end.at)).toString());
        pairs += 1;
      }
    }
    expect(pairs).toBe(325);
  });

  test('does not depend on the chunks of the source', async () => {
    const [start, end] = [offsets[2], offsets[22]];
    if (start === undefined || end === undefined) throw new RangeError('too few offsets');
    const expected = await cut(start.offset, end.offset);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: size }), async (chunkSize) => {
        const source = memorySource(file.bytes, { chunkSize });
        expect(Buffer.compare(await cut(start.offset, end.offset, source), expected)).toBe(0);
      }),
    );
  });

  test('of the whole file equals the file', async () => {
    const bytes = joinBytes([file.bytes, EOF_MARKER, file.bytes]);
    const whole = await cut({ coffset: 0, uoffset: 0 }, { coffset: bytes.length, uoffset: 0 }, memorySource(bytes));
    expect(Buffer.compare(whole, bytes)).toBe(0);
  });

  test('passes whole blocks between the edges through unchanged', async () => {
    const [first, last] = [blockAt(2), blockAt(4)];
    const found = await cut({ coffset: 0, uoffset: 3 }, { coffset: last.coffset, uoffset: 2 });
    expect(Buffer.from(found).includes(Buffer.from(file.bytes.subarray(first.coffset, last.coffset)))).toBe(true);
  });

  test('passes the last block through unchanged if the range ends at the end of its data', async () => {
    const last = blockAt(4);
    const found = await toArray(
      streamCut(memorySource(file.bytes), {
        start: { coffset: 0, uoffset: 0 },
        end: { coffset: last.coffset, uoffset: 7 },
      }),
    );
    expect(found.at(-1)).toEqual(last.bytes);
  });

  test('is empty for an empty range', async () => {
    const source = memorySource(file.bytes);
    expect(await cut({ coffset: 3, uoffset: 9 }, { coffset: 3, uoffset: 9 }, source)).toHaveLength(0);
    expect(source.requests).toEqual([]);
  });
});

describe('the source', () => {
  const range: VirtualRange = { start: { coffset: 0, uoffset: 1 }, end: { coffset: blockAt(4).coffset, uoffset: 3 } };

  test('is read once for each edge and streamed once for the middle, with the options passed through', async () => {
    const source = memorySource(file.bytes);
    const options = { version: 'etag', signal: new AbortController().signal };
    await toArray(streamCut(source, range, options));
    const middle = { start: blockAt(1).coffset, end: blockAt(4).coffset };
    expect(source.requests).toEqual([
      { kind: 'read', start: 0, end: 65536, options },
      { kind: 'stream', ...middle, options },
      { kind: 'read', start: middle.end, end: middle.end + 65536, options },
    ]);
    for (const request of source.requests) expect(request.options).toBe(options);
  });

  test('is read once if both ends lie in one block', async () => {
    const source = memorySource(file.bytes);
    await cut({ coffset: 0, uoffset: 0 }, { coffset: 0, uoffset: 3 }, source);
    expect(source.requests.map(({ kind }) => kind)).toEqual(['read']);
  });

  test('is only streamed if both ends lie between blocks', async () => {
    const source = memorySource(file.bytes);
    await cut({ coffset: 0, uoffset: 0 }, { coffset: size, uoffset: 0 }, source);
    expect(source.requests.map(({ kind }) => kind)).toEqual(['stream']);
  });

  test('has its chunks passed through without a copy', async () => {
    const chunks = [file.bytes.slice(0, 50), file.bytes.slice(50)];
    const source: ByteSource = {
      ...memorySource(file.bytes),
      stream: () =>
        new ReadableStream({
          start(controller) {
            for (const chunk of chunks) controller.enqueue(chunk);
            controller.close();
          },
        }),
    };
    const found = await toArray(
      streamCut(source, { start: { coffset: 0, uoffset: 0 }, end: { coffset: size, uoffset: 0 } }),
    );
    expect(found[0]).toBe(chunks[0]);
    expect(found[1]).toBe(chunks[1]);
  });

  test('is pulled only as far as the cut is consumed, and cancelled when the consumer stops', async () => {
    const source = memorySource(file.bytes, { chunkSize: 10 });
    for await (const chunk of streamCut(source, {
      start: { coffset: 0, uoffset: 0 },
      end: { coffset: size, uoffset: 0 },
    })) {
      expect(chunk).toHaveLength(10);
      break;
    }
    expect([source.pulled, source.cancelled]).toEqual([1, 1]);
  });

  test('is not buffered: memory does not grow over 100 MB', async () => {
    const chunk = joinBytes(new Array<Uint8Array>(4096).fill(EOF_MARKER));
    const total = 1000 * chunk.length;
    let sent = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        if (sent > 1000) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const source: ByteSource = { ...memorySource(file.bytes), stream: () => stream };
    const arrayBuffers = process.memoryUsage().arrayBuffers;
    let length = 0;
    for await (const part of streamCut(source, {
      start: { coffset: 0, uoffset: 0 },
      end: { coffset: total, uoffset: 0 },
    }))
      length += part.length;
    expect(length).toBe(total);
    expect(process.memoryUsage().arrayBuffers - arrayBuffers).toBeLessThan(5e6);
  });
});

describe('invalid input', () => {
  const last = blockAt(4).coffset;

  test.each<[string, VirtualOffset, VirtualOffset]>([
    ['an end before the start', { coffset: last, uoffset: 0 }, { coffset: 0, uoffset: 3 }],
    ['an end before the start in one block', { coffset: 0, uoffset: 3 }, { coffset: 0, uoffset: 2 }],
    ['a negative offset', { coffset: -1, uoffset: 0 }, { coffset: 0, uoffset: 2 }],
    ['a fraction', { coffset: 0, uoffset: 0.5 }, { coffset: 0, uoffset: 2 }],
    ['an unsafe integer', { coffset: 0, uoffset: 0 }, { coffset: 2 ** 53, uoffset: 2 }],
    ['NaN', { coffset: Number.NaN, uoffset: 0 }, { coffset: 0, uoffset: 2 }],
    ['a start beyond its block', { coffset: 0, uoffset: 6 }, { coffset: last, uoffset: 2 }],
    ['a start beyond its block, which is also the last', { coffset: 0, uoffset: 6 }, { coffset: 0, uoffset: 7 }],
    ['an end beyond its block', { coffset: 0, uoffset: 0 }, { coffset: last, uoffset: 8 }],
    ['an end in the middle of the first block', { coffset: 0, uoffset: 1 }, { coffset: 5, uoffset: 0 }],
    ['an end in the middle of a later block', { coffset: 0, uoffset: 0 }, { coffset: last + 1, uoffset: 0 }],
  ])('%s is INVALID_OFFSET', async (_, start, end) => {
    await expect(cut(start, end)).rejects.toMatchObject({ name: 'BgzfError', code: 'INVALID_OFFSET' });
  });

  test('a start at which no block begins is INVALID_HEADER', async () => {
    for (const uoffset of [0, 1]) {
      const promise = cut({ coffset: 1, uoffset }, { coffset: last, uoffset: 0 });
      await expect(promise).rejects.toMatchObject({ code: 'INVALID_HEADER', offset: 1 });
    }
  });

  test.each([0, 2])('a file that ends before the range does (to uoffset %i) is TRUNCATED', async (uoffset) => {
    for (let length = 0; length < last; length += 1) {
      const source = memorySource(file.bytes.subarray(0, length), { chunkSize: 30 });
      for (const start of [0, 1]) {
        const promise = cut({ coffset: 0, uoffset: start }, { coffset: last, uoffset }, source);
        await expect(promise).rejects.toMatchObject({ code: 'TRUNCATED' });
      }
    }
  });

  test('a break in the chain of headers is INVALID_HEADER at its offset, and cancels the stream', async () => {
    const corrupt = Uint8Array.from(file.bytes);
    corrupt[blockAt(3).coffset + 3] = 0;
    const source = memorySource(corrupt, { chunkSize: 20 });
    const promise = cut({ coffset: 0, uoffset: 0 }, { coffset: last, uoffset: 0 }, source);
    await expect(promise).rejects.toMatchObject({ code: 'INVALID_HEADER', offset: blockAt(3).coffset });
    expect(source.cancelled).toBe(1);
  });

  test('a source that streams more than the range is INVALID_OFFSET', async () => {
    const source: ByteSource = {
      ...memorySource(file.bytes),
      stream: () => memorySource(file.bytes).stream({ start: 0, end: size }),
    };
    await expect(cut({ coffset: 0, uoffset: 0 }, { coffset: last, uoffset: 0 }, source)).rejects.toMatchObject({
      code: 'INVALID_OFFSET',
    });
  });

  test('an error of the source is passed through unchanged', async () => {
    const failure = new Error('storage');
    const failing = () => new ReadableStream<Uint8Array>({ pull: () => Promise.reject(failure) });
    const source: ByteSource = { ...memorySource(file.bytes), stream: failing };
    await expect(cut({ coffset: 0, uoffset: 0 }, { coffset: last, uoffset: 0 }, source)).rejects.toBe(failure);
  });
});
