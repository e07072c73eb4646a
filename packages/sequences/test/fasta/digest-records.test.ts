import { expectations, readFixture } from '@htskit/testing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DigestedRecord, digestRecords } from '../../src/fasta/digest-records.js';

function digest(chunks: readonly Uint8Array[]): Promise<DigestedRecord[]> {
  const iterate = async function* (): AsyncGenerator<Uint8Array, void> {
    yield* chunks;
  };
  return digestRecords(iterate(), 1000);
}

test('any chunking gives the records and digests of the whole', async () => {
  const fasta = readFixture('crlf.fa');
  const expected = await digest([fasta]);
  expect(expected.map(({ digests }) => digests.md5)).toEqual(expectations('crlf.fa').sequences.map(({ md5 }) => md5));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(fasta.length), { maxLength: 30 }), async (cuts) => {
      const edges = [0, ...cuts.sort((a, b) => a - b), fasta.length];
      expect(await digest(edges.slice(1).map((edge, index) => fasta.subarray(edges[index], edge)))).toEqual(expected);
    }),
    { numRuns: 40 },
  );
});

test('bytes that come one by one give the same', async () => {
  const fasta = readFixture('crlf.fa').subarray(0, 3000);
  expect(await digest(Array.from(fasta, (byte) => Uint8Array.of(byte)))).toEqual(await digest([fasta]));
});
