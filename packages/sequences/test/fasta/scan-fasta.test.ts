import { expectations, readFixture } from '@htskit/testing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { scanRecords } from '../../src/fasta/scan-fasta.js';
import { digestsAt } from '../../src/table/table-data.js';

function scan(chunks: readonly Uint8Array[]): ReturnType<typeof scanRecords> {
  const iterate = async function* (): AsyncGenerator<Uint8Array, void> {
    yield* chunks;
  };
  return scanRecords(iterate(), { maxSequences: 1000 });
}

test('returns the same records and digests for any chunking', async () => {
  const fasta = readFixture('crlf.fa');
  const expected = await scan([fasta]);
  const { sequences } = expectations('crlf.fa');
  expect(sequences.map((_, row) => digestsAt(expected.columns, row).md5)).toEqual(sequences.map(({ md5 }) => md5));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(fasta.length), { maxLength: 30 }), async (cuts) => {
      const edges = [0, ...cuts.sort((a, b) => a - b), fasta.length];
      expect(await scan(edges.slice(1).map((edge, index) => fasta.subarray(edges[index], edge)))).toEqual(expected);
    }),
    { numRuns: 40 },
  );
});

test('returns the same for single bytes', async () => {
  const fasta = readFixture('crlf.fa').subarray(0, 3000);
  expect(await scan(Array.from(fasta, (byte) => Uint8Array.of(byte)))).toEqual(await scan([fasta]));
});
