import { BgzfPool, deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { bgunzip, readFixture } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { type BinningIndex, indexBam, indexBcf, indexVcf, parseBinningIndex } from '../../src/index.js';
import { chunked } from '../support/index-bytes.js';

/** Compresses data to blocks of the given uncompressed size. */
function bgzf(data: Uint8Array, blockBytes = 0xff00): Uint8Array {
  const blocks = [];
  for (let at = 0; at < data.length; at += blockBytes) blocks.push(deflateBlocks(data.subarray(at, at + blockBytes)));
  return new Uint8Array(Buffer.concat([...blocks, EOF_MARKER]));
}

function error(name: string, code: string): Error {
  return expect.objectContaining({ name, code }) as Error;
}

const bam = bgunzip(readFixture('no-eof.bam'));
const bcf = bgunzip(readFixture('variants.bcf'));

describe('indexBam', () => {
  test('rejects a file that ends within its header or a record', async () => {
    for (const length of [3, 8, 100, bam.length - 1]) {
      await expect(indexBam(chunked(bgzf(bam.subarray(0, length))))).rejects.toThrow(error('FormatError', 'TRUNCATED'));
    }
  });

  test('rejects files that are not BAM or not BGZF', async () => {
    await expect(indexBam(chunked(bgzf(bcf)))).rejects.toThrow(error('FormatError', 'INVALID_MAGIC'));
    await expect(indexBam(chunked(bam))).rejects.toThrow(error('IndexError', 'INVALID_MAGIC'));
  });

  test('rejects a header over the limit', async () => {
    const limited = (maxHeaderBytes: number) => indexBam(chunked(bgzf(bam)), { maxHeaderBytes });
    await expect(limited(100)).rejects.toThrow(error('FormatError', 'LIMIT_EXCEEDED'));
    expect(parseBinningIndex(await limited(5000)).format).toBe('BAI');
  });

  test('reads a header in many blocks', async () => {
    const index = parseBinningIndex(await indexBam(chunked(bgzf(bam, 11))));
    const whole = parseBinningIndex(await indexBam(chunked(bgzf(bam))));
    expect(index.referenceStatistics(0)).toEqual(whole.referenceStatistics(0));
    expect(index.unplacedCount).toBe(whole.unplacedCount);
  });

  test('rejects a record of a reference that is not in the header', async () => {
    const reads = bgunzip(readFixture('reads.bam'));
    const damaged = reads.slice();
    const view = new DataView(damaged.buffer);
    let at = headerLength(reads);
    at += 4 + view.getInt32(at, true);
    view.setInt32(at + 4, 5, true);
    await expect(indexBam(chunked(bgzf(damaged)))).rejects.toThrow(
      `a record has reference id 5, which is not in the header (at byte ${at})`,
    );
  });

  test('reports progress and stops when it is aborted', async () => {
    const file = readFixture('reads.bam');
    const told: number[] = [];
    await indexBam(chunked(file), { onProgress: (bytesRead) => told.push(bytesRead) });
    expect(told.at(-1)).toBe(file.length);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    const controller = new AbortController();
    const stopped = indexBam(chunked(file), {
      signal: controller.signal,
      onProgress: () => controller.abort(new Error('stop')),
    });
    await expect(stopped).rejects.toThrow('stop');
    await expect(indexBam(chunked(file), { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
  });

  test('a pool reports the same errors', async () => {
    const pool = new BgzfPool({ threads: 1 });
    const bgzip = bgzf(bam.subarray(0, -1));
    await expect(indexBam(chunked(bgzip), { pool })).rejects.toThrow(error('FormatError', 'TRUNCATED'));
    await expect(indexBam(chunked(bam), { pool })).rejects.toThrow(error('IndexError', 'INVALID_MAGIC'));
    await expect(indexBam(chunked(new Uint8Array(0)), { pool })).rejects.toThrow(error('IndexError', 'INVALID_MAGIC'));
    await expect(indexBam(chunked(EOF_MARKER), { pool })).rejects.toThrow(error('FormatError', 'TRUNCATED'));
    await expect(indexBam(chunked(readFixture('reads.bam').subarray(0, -50)), { pool })).rejects.toThrow(
      error('BgzfError', 'TRUNCATED'),
    );
    await pool.close();
  });

  test('rejects an invalid minShift', async () => {
    for (const minShift of [0, 31, 2.5]) {
      await expect(indexBam(chunked(bgzf(bam)), { minShift })).rejects.toThrow(RangeError);
    }
  });

  test('rejects a record that ends beyond 2^29 in a BAI', async () => {
    const longref = indexBam(chunked(readFixture('longref.bam')), { format: 'BAI' });
    await expect(longref).rejects.toThrow('use a CSI index');
  });
});

describe('indexBcf', () => {
  test('rejects a file that ends within its header or a record, and an unknown contig', async () => {
    for (const length of [3, 8, 100, bcf.length - 1]) {
      await expect(indexBcf(chunked(bgzf(bcf.subarray(0, length))))).rejects.toThrow(error('FormatError', 'TRUNCATED'));
    }
    const text = Buffer.from(bcf);
    const at = 9 + text.readUInt32LE(5);
    text.writeInt32LE(77, at + 8);
    await expect(indexBcf(chunked(bgzf(new Uint8Array(text))))).rejects.toThrow('a record has reference id 77');
  });

  test('covers 2^31 bases if contigs have no length', async () => {
    const text = Buffer.from(bcf)
      .toString('latin1')
      .replaceAll(/length=(\d+)/g, (_, digits: string) => `xength=${digits}`);
    const index = parseBinningIndex(await indexBcf(chunked(bgzf(new Uint8Array(Buffer.from(text, 'latin1'))))));
    expect([index.minShift, index.depth]).toEqual([14, 6]);
  });

  test('has the counts of the VCF index of the same records, which only has references with records', async () => {
    const counts = (index: BinningIndex) =>
      Array.from({ length: index.referenceCount }, (_, id) => index.referenceStatistics(id)).filter(Boolean);
    const index = parseBinningIndex(await indexBcf(chunked(readFixture('variants.bcf'))));
    const vcf = parseBinningIndex(await indexVcf(chunked(readFixture('variants.vcf.gz'))));
    expect(counts(index)).toEqual(counts(vcf));
    expect([index.referenceCount, vcf.referenceCount]).toEqual([5, 4]);
  });
});

function headerLength(data: Uint8Array): number {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  let at = 8 + view.getInt32(4, true);
  const count = view.getInt32(at, true);
  at += 4;
  for (let i = 0; i < count; i++) at += 8 + view.getInt32(at, true);
  return at;
}
