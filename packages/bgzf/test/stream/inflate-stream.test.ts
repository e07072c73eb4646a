import type { ByteSource } from '@htskit/io';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EOF_MARKER, inflateRange, inflateStream, type VirtualOffset } from '../../src/index.js';
import { ascii, buildFile, joinBytes } from '../build-block.js';
import { chunked, copySpans, memorySource, type OwnedSpan, toArray } from '../memory-source.js';

describe('inflateStream', () => {
  const file = buildFile([ascii('first'), new Uint8Array(0), ascii('third'.repeat(30)), ascii('fourth')]);
  const bytes = joinBytes([file.bytes, EOF_MARKER]);

  function spansOf(chunks: AsyncIterable<Uint8Array>) {
    return copySpans(inflateStream(chunks, { coffset: 1000 }));
  }

  test('yields the data of each block that is not empty, with its virtual offset', async () => {
    expect(await spansOf(chunked(bytes, [100]))).toEqual(
      file.blocks
        .filter(({ data }) => data.length > 0)
        .map(({ coffset, data }) => ({ coffset: 1000 + coffset, uoffset: 0, data })),
    );
  });

  test('yields the same spans for any split into two chunks', async () => {
    const expected = await spansOf(chunked(bytes, [bytes.length]));
    for (let split = 1; split < bytes.length; split += 1) {
      expect(await spansOf(chunked(bytes, [split, bytes.length]))).toEqual(expected);
    }
  });

  test('yields the same spans for any chunking', async () => {
    const expected = await spansOf(chunked(bytes, [bytes.length]));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 70 }), { minLength: 1, maxLength: 8 }), async (sizes) => {
        expect(await spansOf(chunked(bytes, [...sizes, 1]))).toEqual(expected);
      }),
    );
  });

  test('concurrent streams do not interfere', async () => {
    const [one, two] = [inflateStream(chunked(bytes, [7])), inflateStream(chunked(bytes, [bytes.length]))];
    const first = await one.next();
    await two.next();
    await two.next();
    expect(first.value?.data).toEqual(ascii('first'));
    await Promise.all([one.return(), two.return()]);
  });

  test('throws at the offset of a corrupt block, after the spans before it', async () => {
    const third = file.blocks[2]?.coffset ?? 0;
    const corrupt = bytes.slice();
    corrupt[third + 25] = 0xff;
    const seen: number[] = [];
    const run = async () => {
      for await (const { coffset } of inflateStream(chunked(corrupt, [50]))) seen.push(coffset);
    };
    await expect(run()).rejects.toMatchObject({ name: 'BgzfError', offset: third });
    expect(seen).toEqual([0]);
  });
});

describe('inflateRange', () => {
  /** Blocks of 5, 0, 6 and 1 bytes. */
  const file = buildFile(['first', '', 'second', '3'].map(ascii));
  const size = file.bytes.length;
  const [, , second, third] = file.blocks.map(({ coffset }) => coffset) as [number, number, number, number];

  function spans(
    start: VirtualOffset,
    end: VirtualOffset,
    source: Pick<ByteSource, 'stream'> = memorySource(file.bytes),
  ): Promise<OwnedSpan[]> {
    return copySpans(inflateRange(source, { start, end }));
  }

  function textOf(found: readonly OwnedSpan[]): string {
    return Buffer.from(joinBytes(found.map(({ data }) => data))).toString();
  }

  test('yields a span for each block that is not empty, with its virtual offset', async () => {
    const found = await spans({ coffset: 0, uoffset: 2 }, { coffset: size, uoffset: 0 });
    expect(found.map(({ data, coffset, uoffset }) => ({ data, coffset, uoffset }))).toEqual([
      { data: ascii('rst'), coffset: 0, uoffset: 2 },
      { data: ascii('second'), coffset: second, uoffset: 0 },
      { data: ascii('3'), coffset: third, uoffset: 0 },
    ]);
  });

  test('yields the stored block with a span of all its data', async () => {
    const found = await spans({ coffset: 0, uoffset: 2 }, { coffset: third, uoffset: 0 });
    expect(found.map(({ block }) => block)).toEqual([undefined, file.bytes.subarray(second, third)]);
  });

  test('yields the uncompressed data between every pair of virtual offsets, for chunks of any size', async () => {
    const offsets: { offset: VirtualOffset; at: number }[] = [];
    let before = 0;
    for (const { coffset, data } of file.blocks) {
      for (let uoffset = 0; uoffset <= data.length; uoffset += 1)
        offsets.push({ offset: { coffset, uoffset }, at: before + uoffset });
      before += data.length;
    }
    for (const [index, start] of offsets.entries()) {
      for (const end of offsets.slice(index)) {
        const found = await spans(start.offset, end.offset, memorySource(file.bytes, { chunkSize: 1 + index * 3 }));
        const text = textOf(found);
        expect(text).toBe(Buffer.from(file.data.subarray(start.at, end.at)).toString());
        expect(found.every(({ data }) => data.length > 0)).toBe(true);
      }
    }
  });

  test('skips EOF markers within the file', async () => {
    const bytes = joinBytes([file.bytes, EOF_MARKER, file.bytes]);
    const found = await spans({ coffset: 0, uoffset: 0 }, { coffset: bytes.length, uoffset: 0 }, memorySource(bytes));
    expect(textOf(found)).toBe('firstsecond3firstsecond3');
  });

  describe('the source', () => {
    test('is streamed once, up to one block after the end, with the options passed through', async () => {
      const source = memorySource(file.bytes);
      const options = { version: 'etag' };
      await toArray(
        inflateRange(source, { start: { coffset: 0, uoffset: 2 }, end: { coffset: second, uoffset: 1 } }, options),
      );
      expect(source.requests).toEqual([{ kind: 'stream', start: 0, end: second + 65536, options }]);
      expect(source.requests[0]?.options).toBe(options);
    });

    test('is streamed exactly up to an end between blocks', async () => {
      const source = memorySource(file.bytes);
      await spans({ coffset: 0, uoffset: 2 }, { coffset: second, uoffset: 0 }, source);
      expect(source.requests).toMatchObject([{ kind: 'stream', start: 0, end: second }]);
    });

    test('is not read for an empty range', async () => {
      const source = memorySource(file.bytes);
      expect(await spans({ coffset: 1, uoffset: 2 }, { coffset: 1, uoffset: 2 }, source)).toEqual([]);
      expect(source.requests).toEqual([]);
    });

    test('is cancelled when the caller stops and at the end of the range', async () => {
      const stopped = memorySource(file.bytes, { chunkSize: 10 });
      for await (const span of inflateRange(stopped, {
        start: { coffset: 0, uoffset: 0 },
        end: { coffset: size, uoffset: 0 },
      })) {
        expect(span.uoffset).toBe(0);
        break;
      }
      expect(stopped.cancelled).toBe(1);
      const satisfied = memorySource(file.bytes, { chunkSize: 10 });
      await spans({ coffset: 0, uoffset: 0 }, { coffset: 0, uoffset: 3 }, satisfied);
      expect(satisfied.cancelled).toBe(1);
      expect(satisfied.pulled).toBe(Math.ceil((file.blocks[0]?.bytes.length ?? 0) / 10));
    });

    test('may be corrupt after the range', async () => {
      const corrupt = Uint8Array.from(file.bytes).fill(0, second);
      for (const end of [
        { coffset: 0, uoffset: 5 },
        { coffset: second, uoffset: 0 },
      ]) {
        expect(await spans({ coffset: 0, uoffset: 0 }, end, memorySource(corrupt))).toHaveLength(1);
      }
    });
  });

  describe('invalid input', () => {
    test.each<[string, VirtualOffset, VirtualOffset]>([
      ['an end before the start', { coffset: third, uoffset: 0 }, { coffset: 0, uoffset: 3 }],
      ['a start beyond its block', { coffset: 0, uoffset: 6 }, { coffset: third, uoffset: 1 }],
      ['an end beyond its block', { coffset: 0, uoffset: 0 }, { coffset: third, uoffset: 2 }],
      ['an end in the middle of a block', { coffset: 0, uoffset: 0 }, { coffset: second + 1, uoffset: 0 }],
      ['an end with uoffset in the middle of a block', { coffset: 0, uoffset: 0 }, { coffset: second + 1, uoffset: 1 }],
    ])('%s is INVALID_OFFSET', async (_, start, end) => {
      await expect(spans(start, end)).rejects.toMatchObject({ name: 'BgzfError', code: 'INVALID_OFFSET' });
    });

    test.each([0, 1])('a file that ends before the range does (to uoffset %i) is TRUNCATED', async (uoffset) => {
      for (let length = 0; length < third; length += 1) {
        const source = memorySource(file.bytes.subarray(0, length), { chunkSize: 30 });
        const promise = spans({ coffset: 0, uoffset: 0 }, { coffset: third, uoffset }, source);
        await expect(promise).rejects.toMatchObject({ code: 'TRUNCATED' });
      }
    });

    test('a file that ends within the last block is TRUNCATED', async () => {
      for (let length = third; length < size; length += 1) {
        const promise = spans(
          { coffset: 0, uoffset: 0 },
          { coffset: third, uoffset: 1 },
          memorySource(file.bytes.subarray(0, length)),
        );
        await expect(promise).rejects.toMatchObject({ code: 'TRUNCATED', offset: third });
      }
    });

    test('a block whose CRC32 differs is CRC_MISMATCH at its offset', async () => {
      const corrupt = Uint8Array.from(file.bytes);
      const footer = third - 8;
      corrupt[footer] = (corrupt[footer] ?? 0) ^ 1;
      const promise = spans({ coffset: 0, uoffset: 0 }, { coffset: size, uoffset: 0 }, memorySource(corrupt));
      await expect(promise).rejects.toMatchObject({ code: 'CRC_MISMATCH', offset: second });
    });
  });
});
