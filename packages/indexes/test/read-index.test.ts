import { readFixture } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { type IndexSource, parseBai, parseBinningIndex, parseFai, readIndex } from '../src/index.js';

function sourceOf(bytes: Uint8Array, version?: string) {
  const calls: unknown[] = [];
  const source: IndexSource = {
    async stat(options) {
      calls.push({ stat: options });
      return { size: bytes.length, version };
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

  test('asks for the version that it measured, and hands on the signal', async () => {
    const { signal } = new AbortController();
    const { source, calls } = sourceOf(bytes, 'v7');
    await readIndex(source, parseBai, { signal });
    expect(calls).toEqual([{ stat: { signal } }, { start: 0, end: bytes.length, options: { signal, version: 'v7' } }]);
  });

  test('refuses what is too long before it reads it', async () => {
    const { source, calls } = sourceOf(bytes);
    const expected = { name: 'IndexError', code: 'LIMIT_EXCEEDED' };
    await expect(readIndex(source, parseBai, { maxBytes: bytes.length - 1 })).rejects.toMatchObject(expected);
    expect(calls).toHaveLength(1);
  });

  test('refuses what is too long once it is uncompressed', async () => {
    const compressed = readFixture('variants.vcf.gz.tbi');
    const expected = { name: 'IndexError', code: 'LIMIT_EXCEEDED' };
    const options = { maxBytes: compressed.length };
    await expect(readIndex(sourceOf(compressed).source, parseBinningIndex, options)).rejects.toMatchObject(expected);
  });

  test('passes on what the source and the parser throw', async () => {
    await expect(readIndex(sourceOf(new Uint8Array(9)).source, parseBai)).rejects.toMatchObject({
      code: 'INVALID_MAGIC',
    });
    const failure = new Error('disk');
    const { source } = sourceOf(bytes);
    await expect(readIndex({ ...source, stat: () => Promise.reject(failure) }, parseBai)).rejects.toBe(failure);
  });
});
