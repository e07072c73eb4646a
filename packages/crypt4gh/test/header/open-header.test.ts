import { generateKeyPair, openHeader } from '@htskit/crypt4gh';
import { generateDataKey, writeHeader } from '@htskit/crypt4gh/internal';
import type { ByteRange } from '@htskit/io';
import { expect, test } from 'vitest';
import { collectHeader } from '../../src/header/open-header.js';
import { randomNonce } from '../../src/segments/segment.js';

const { secretKey, publicKey } = generateKeyPair();
const input = {
  recipients: [publicKey],
  dataKeys: [generateDataKey()],
  writerSecretKey: generateKeyPair().secretKey,
  nonceOf: randomNonce,
};
const short = writeHeader({ ...input, editList: [1, 2] });

/** A source that lists what is read. */
function listedSource(bytes: Uint8Array, reads: ByteRange[] = []) {
  return {
    reads,
    stat: async () => ({ size: bytes.length, version: 'v' }),
    read: async ({ start, end }: ByteRange) => {
      reads.push({ start, end });
      return bytes.slice(start, end);
    },
  };
}

test('reads a header of 256 KiB in two parts', async () => {
  const editList = Array.from({ length: 2 ** 15 }, () => 1);
  const long = writeHeader({ ...input, editList });
  const source = listedSource(long);
  const header = await openHeader(source, { keys: [secretKey] });
  expect(header).toMatchObject({ editList, byteLength: long.length });
  expect(source.reads).toHaveLength(2);
});

test('a header in any chunks is the same', async () => {
  for (const size of [1, 7, 16, 100]) {
    const chunks = async function* (): AsyncGenerator<Uint8Array, void> {
      for (let at = 0; at < short.length; at += size) yield short.subarray(at, at + size);
    };
    expect((await collectHeader(chunks())).layout.byteLength).toBe(short.length);
  }
});

test.each([0, 3, 15, 40, 123])('a file of %i bytes is cut', async (size) => {
  const opened = openHeader(listedSource(short.slice(0, size)), { keys: [secretKey] });
  await expect(opened).rejects.toMatchObject({ code: 'TRUNCATED', offset: size });
});

test('rejects another file by its first bytes', async () => {
  const source = listedSource(new Uint8Array(10_000_000));
  await expect(openHeader(source, { keys: [secretKey] })).rejects.toMatchObject({ code: 'INVALID_HEADER' });
  expect(source.reads).toEqual([{ start: 0, end: 65_536 }]);
});

test('opening an absurd header reads no more than the limit', async () => {
  const absurd = short.slice();
  new DataView(absurd.buffer).setUint32(16, 2 ** 31, true);
  const source = listedSource(absurd);
  await expect(openHeader(source, { keys: [secretKey] })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
});
