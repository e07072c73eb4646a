import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { toByteStream } from '@htskit/io';
import { loopTurns } from '@htskit/io/internal';
import { memorySource } from '@htskit/storage/memory';
import { bgunzip, decodeBam, expectations, readFixture } from '@htskit/testing';
import { describe, expect, test, vi } from 'vitest';
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

/** The bytes, followed by `count` bytes of records. */
function joined(bytes: Uint8Array, count: number): Uint8Array {
  return Buffer.concat([bytes, new Uint8Array(count).fill(0x40)]);
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

test('sends the stored blocks of a header, and compresses only the last one anew', async () => {
  const bytes = header(20_000);
  const stored = Array.from({ length: 4 }, (_, index) => {
    const start = 65_000 * index;
    return deflateBlocks(index < 3 ? bytes.subarray(start, start + 65_000) : joined(bytes.subarray(start), 1000));
  });
  const [first = new Uint8Array(0), second = new Uint8Array(0), third = new Uint8Array(0)] = stored;
  const { headerBlocks, firstRecord } = await read(Buffer.concat([first, EOF_MARKER, ...stored.slice(1)]), 2 ** 24);
  const whole = Buffer.concat([first, second, third]);
  expect(firstRecord).toEqual({ coffset: whole.length + EOF_MARKER.length, uoffset: bytes.length - 3 * 65_000 });
  expect(Buffer.compare(headerBlocks.subarray(0, whole.length), whole)).toBe(0);
  expect(Buffer.compare(bgunzip(headerBlocks), bytes)).toBe(0);
});

describe('blocks without data within a header', () => {
  const [start, rest] = [header(9000).subarray(0, 65_000), header(9000).subarray(65_000)];

  test('are left out, and the first record follows those after the header', async () => {
    const lines = Buffer.from('##fileformat=VCFv4.3\n##contig=<ID=1>\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n');
    const [first, second] = [deflateBlocks(lines.subarray(0, 30)), deflateBlocks(lines.subarray(30))];
    const records = deflateBlocks(Buffer.from('1\t1\t.\tA\tC\t.\t.\t.\n'));
    const before = Buffer.concat([EOF_MARKER, first, EOF_MARKER, EOF_MARKER, second]);
    for (const bytes of [Buffer.concat([before, EOF_MARKER, records, EOF_MARKER]), before]) {
      const options = { format: 'VCF', size: bytes.length, maxHeaderBytes: 2 ** 20 } as const;
      const { headerBlocks, firstRecord } = await readBgzfFile(memorySource(bytes), options);
      expect(Buffer.from(headerBlocks)).toEqual(Buffer.concat([first, second]));
      expect(firstRecord).toEqual({ coffset: before.length, uoffset: 0 });
    }
  });

  test('take no memory', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const empty = Buffer.concat(Array.from({ length: 20_000 }, () => EOF_MARKER));
    const parts = [deflateBlocks(start), empty, deflateBlocks(rest), EOF_MARKER];
    const bytes = Buffer.concat(parts);
    const used: number[] = [];
    async function* stream(): AsyncGenerator<Uint8Array, void> {
      for (const part of parts) {
        collectGarbage();
        used.push(process.memoryUsage().heapUsed);
        yield part;
      }
    }
    const source = Object.assign(memorySource(bytes), { stream: () => toByteStream(stream()) });
    await readBgzfFile(source, { format: 'BAM', size: bytes.length, maxHeaderBytes: 2 ** 20 });
    const [, before = 0, after = 0] = used;
    expect(after - before).toBeLessThan(2 ** 20);
  });
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

test.each([
  ['VCF', '##fileformat=VCFv4.3\n'],
  ['BCF', 'BCF\x02\x02'],
] as const)('other events are handled while the header of a %s file is read', async (format, start) => {
  const lines = Array.from({ length: 20_000 }, (_, id) => `##contig=<ID=contig${id},length=1000>\n`).join('');
  const size = format === 'BCF' ? Uint32Array.of(lines.length) : new Uint32Array(0);
  const bytes = deflateBlocks(
    Buffer.concat([Buffer.from(start, 'latin1'), new Uint8Array(size.buffer), Buffer.from(lines)]),
  );
  const next = vi.spyOn(loopTurns, 'next').mockClear();
  const file = await readBgzfFile(memorySource(bytes), { format, size: bytes.length, maxHeaderBytes: 2 ** 22 });
  expect(file.header.referenceIds.nextId).toBe(20_000);
  expect(file.header.referenceIds.get('contig19999')).toBe(19_999);
  // Once for each block of 65,280 bytes, and once for the text.
  expect(next.mock.calls.length).toBe(Math.ceil(lines.length / 65_280) + 1);
});
