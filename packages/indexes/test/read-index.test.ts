import type { ByteSource } from '@htskit/io';
import { readFixture } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { parseBai, parseBinningIndex, parseFai, readIndex } from '../src/index.js';

function sourceOf(bytes: Uint8Array, version?: string) {
  const calls: unknown[] = [];
  const source: Pick<ByteSource, 'stat' | 'read'> = {
    async stat(options) {
      calls.push({ stat: options });
      return { size: bytes.length, ...(version !== undefined && { version }) };
    },
    async read({ start, end }, options) {
      calls.push({ start, end, options });
      return bytes.subarray(start, end);
    },
  };
  return { source, calls };
}

describe('readIndex', () => {
  const bytes = readFixture('reads.bam.bai');

  test('reads the whole file and parses it', async () => {
    expect((await readIndex(sourceOf(bytes).source, parseBai)).referenceCount).toBe(5);
    expect((await readIndex(sourceOf(readFixture('variants.bcf.csi')).source, parseBinningIndex)).format).toBe('CSI');
    expect(await readIndex(sourceOf(readFixture('genome.fa.fai')).source, parseFai)).toHaveLength(5);
  });

  test('reads the version that stat returned and forwards the signal', async () => {
    const { signal } = new AbortController();
    const { source, calls } = sourceOf(bytes, 'v7');
    await readIndex(source, parseBai, { signal });
    expect(calls).toEqual([{ stat: { signal } }, { start: 0, end: bytes.length, options: { signal, version: 'v7' } }]);
  });

  test('rejects an index that is too long before it is read', async () => {
    const { source, calls } = sourceOf(bytes);
    const expected = { name: 'IndexError', code: 'LIMIT_EXCEEDED' };
    await expect(readIndex(source, parseBai, { maxBytes: bytes.length - 1 })).rejects.toMatchObject(expected);
    expect(calls).toHaveLength(1);
  });

  test('rejects an index that is too long when uncompressed', async () => {
    const compressed = readFixture('variants.vcf.gz.tbi');
    const expected = { name: 'IndexError', code: 'LIMIT_EXCEEDED' };
    const options = { maxBytes: compressed.length };
    await expect(readIndex(sourceOf(compressed).source, parseBinningIndex, options)).rejects.toMatchObject(expected);
  });

  test('throws the errors of the source and the parser', async () => {
    await expect(readIndex(sourceOf(new Uint8Array(9)).source, parseBai)).rejects.toMatchObject({
      code: 'INVALID_MAGIC',
    });
    const failure = new Error('disk');
    const { source } = sourceOf(bytes);
    await expect(readIndex({ ...source, stat: () => Promise.reject(failure) }, parseBai)).rejects.toBe(failure);
  });
});
