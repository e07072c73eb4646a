import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { memorySource } from '@htskit/storage/memory';
import { bgunzip, decodeBam, expectations, readFixture } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { type BgzfFile, readBgzfFile } from '../../src/file/bgzf-file.js';
import { bamNames } from '../fixture-files.js';

function read(bytes: Uint8Array, maxHeaderBytes = 2 ** 20): Promise<BgzfFile> {
  return readBgzfFile(memorySource(bytes), { format: 'BAM', size: bytes.length, maxHeaderBytes });
}

/** A BAM header with `referenceCount` references. */
function header(referenceCount: number): Uint8Array {
  const reference = Uint8Array.of(4, 0, 0, 0, 0x63, 0x68, 0x72, 0, 100, 0, 0, 0);
  const bytes = new Uint8Array(12 + referenceCount * reference.length);
  bytes.set([0x42, 0x41, 0x4d, 1]);
  new DataView(bytes.buffer).setInt32(8, referenceCount, true);
  for (let i = 0; i < referenceCount; i++) bytes.set(reference, 12 + i * reference.length);
  return bytes;
}

describe.each(bamNames)('%s', (name) => {
  test('has the references that samtools lists, and its header as blocks of their own', async () => {
    const { header, headerBlocks } = await read(readFixture(name));
    const expected = expectations(name as `${string}.bam`);
    expect(header.text).toBe(expected.header);
    expect([...header.referenceIds.keys()]).toEqual(expected.references.map(({ name }) => name));
    expect(decodeBam(headerBlocks, { requireEof: false })).toMatchObject({ headerText: expected.header, records: [] });
  });

  test('has records from the end of the header to the EOF marker or the end of the file', async () => {
    const bytes = readFixture(name);
    const { headerBlocks, firstRecord, end } = await read(bytes);
    const before = bgunzip(bytes.subarray(0, firstRecord.coffset)).length + firstRecord.uoffset;
    expect(before).toBe(bgunzip(headerBlocks).length);
    expect(end).toEqual({ coffset: bytes.length - (name === 'no-eof.bam' ? 0 : EOF_MARKER.length), uoffset: 0 });
  });
});

test('reads a header of many blocks and finds its exact end', async () => {
  const bytes = header(100_000);
  const blocks = deflateBlocks(bytes);
  const file = await read(blocks, 2 ** 24);
  expect(file.headerBlocks.length).toBe(blocks.length);
  expect(file.firstRecord).toEqual({ coffset: blocks.length, uoffset: 0 });
  expect(Buffer.compare(bgunzip(file.headerBlocks), bytes)).toBe(0);
});

test('refuses a header over the limit, even if it never ends', async () => {
  await expect(read(deflateBlocks(header(100_000)), 2 ** 20)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
  const endless = header(0);
  new DataView(endless.buffer).setUint32(4, 0xffffffff, true);
  const bytes = deflateBlocks(new Uint8Array(2 ** 22).fill(0x20));
  await expect(read(new Uint8Array([...deflateBlocks(endless), ...bytes]), 2 ** 20)).rejects.toMatchObject({
    code: 'LIMIT_EXCEEDED',
  });
});

test('reports a file that ends within its header', async () => {
  const bytes = deflateBlocks(header(3).subarray(0, 30));
  await expect(read(bytes)).rejects.toMatchObject({ code: 'TRUNCATED' });
  await expect(read(new Uint8Array(0))).rejects.toMatchObject({ code: 'TRUNCATED' });
});

test('other events are handled while a long header is read', async () => {
  const bytes = Buffer.concat([deflateBlocks(header(300_000), { level: 1 }), EOF_MARKER]);
  let turns = 0;
  let isReading = true;
  const countTurns = (): void => {
    turns++;
    if (isReading) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  const file = await read(bytes, 2 ** 24);
  isReading = false;
  expect(file.header.referenceIds.size).toBe(1);
  expect(turns).toBeGreaterThan(3);
});
