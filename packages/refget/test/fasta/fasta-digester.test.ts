import { expectations, readFixture } from '@htskit/testing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DigestedRecord, FastaDigester } from '../../src/fasta/fasta-digester.js';

function digest(chunks: readonly Uint8Array[]): DigestedRecord[] {
  const digester = new FastaDigester(1000);
  for (const chunk of chunks) digester.push(chunk);
  return digester.finish();
}

test('any chunking gives the records and digests of the whole', () => {
  const fasta = readFixture('crlf.fa');
  const expected = digest([fasta]);
  expect(expected.map(({ digests }) => digests.md5)).toEqual(expectations('crlf.fa').sequences.map(({ md5 }) => md5));
  fc.assert(
    fc.property(fc.array(fc.nat(fasta.length), { maxLength: 30 }), (cuts) => {
      const edges = [0, ...cuts.sort((a, b) => a - b), fasta.length];
      expect(digest(edges.slice(1).map((edge, index) => fasta.subarray(edges[index], edge)))).toEqual(expected);
    }),
    { numRuns: 40 },
  );
});

test('bytes that come one by one give the same', () => {
  const fasta = readFixture('crlf.fa').subarray(0, 3000);
  expect(digest(Array.from(fasta, (byte) => Uint8Array.of(byte)))).toEqual(digest([fasta]));
});
