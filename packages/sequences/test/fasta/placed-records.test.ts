import { FaiBuilder, IndexError } from '@htskit/indexes';
import { volume } from '@htskit/testing';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { DigestPool } from '../../src/digest/digest-pool.js';
import { placeRecords } from '../../src/fasta/placed-records.js';

const pool = new DigestPool({ threads: 1 });

afterAll(() => pool.close());

interface FoundPlace {
  readonly name: string;
  readonly length: number;
  readonly columns: readonly number[] | undefined;
}

/** Returns the place of each record of a text in chunks of `size` bytes. */
async function findPlaces(text: string, size: number, characters: 'letters' | 'sam' = 'sam'): Promise<FoundPlace[]> {
  const bytes = Buffer.from(text, 'latin1');
  const chunks = async function* (): AsyncGenerator<Uint8Array, void> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };
  const found: FoundPlace[] = [];
  for await (const batch of placeRecords(chunks(), { pool, characters })) {
    for (const { digests, place } of batch) {
      const { name, length } = digests;
      const columns = place && (length === 0 ? [] : [place.offset, place.lineBases, place.lineBytes]);
      found.push({ name, length, columns });
    }
  }
  return found;
}

/** Returns what samtools faidx finds, by the builder of FAI indexes: undefined if it rejects the text. */
function expectedPlaces(text: string): FoundPlace[] | undefined {
  const builder = new FaiBuilder();
  try {
    builder.push(Buffer.from(text, 'latin1'));
    return builder.finish().map(({ name, length, offset, lineBases, lineBytes }) => {
      return { name, length, columns: length === 0 ? [] : [offset, lineBases, lineBytes] };
    });
  } catch (error) {
    if (error instanceof IndexError) return undefined;
    throw error;
  }
}

test('places are those of a FAI, and a record without one is a record that a FAI cannot hold', async () => {
  const line = fc.string({ unit: fc.constantFrom('A', 'c', '*'), maxLength: 4 });
  const lines = fc.array(fc.tuple(line, fc.constantFrom('\n', '\n', '\n', '\r\n', ' \n')), { maxLength: 5 });
  let [placed, unplaced] = [0, 0];
  await fc.assert(
    fc.asyncProperty(lines, fc.integer({ min: 1, max: 9 }), async (parts, size) => {
      const text = `>a b\n${parts.map((part) => part.join('')).join('')}`;
      const found = await findPlaces(text, size);
      const expected = expectedPlaces(text);
      expect(found).toEqual(expected ?? found);
      if (found.every(({ columns }) => columns === undefined)) unplaced++;
      else placed++;
      // A FAI tolerates no trailing white space that differs between lines; a place does if no base depends on it.
      if (expected === undefined) for (const place of found) checkPlace(text, place);
    }),
    { numRuns: volume(2000) },
  );
  expect(Math.min(placed, unplaced)).toBeGreaterThan(volume(100));
});

/** Throws unless the bases of a place, read by its columns, are those of the text. */
function checkPlace(text: string, { length, columns }: FoundPlace): void {
  if (columns === undefined || length === 0) return;
  const [offset = 0, lineBases = 0, lineBytes = 0] = columns;
  const read = Array.from({ length }, (_, base) =>
    text.charAt(offset + Math.floor(base / lineBases) * lineBytes + (base % lineBases)),
  );
  expect(read.join('')).toBe(text.slice(text.indexOf('\n')).replaceAll(/\s/g, ''));
}

test.each([
  ['an even record', '>a\nACGT\nAC\n', [3, 4, 5]],
  ['trailing blank lines', '>a\nACGT\nAC\n\n \n', [3, 4, 5]],
  ['an omitted character after the last base', '>a\nMKV\nMK*\n', [3, 3, 4]],
  ['an omitted character before the last base', '>a\nMKV\nM*K\n', undefined],
  ['an omitted character at the start', '>a\n*MKV\n', undefined],
  ['a line end where a base should be', '>a\nACG\nAC\nACG\nA\n', undefined],
  ['lines that are too short by as much as others are too long', '>a\nACG\nAC\nACGT\nACG\nA\n', undefined],
])('%s has the place %j', async (_, text, columns) => {
  for (const size of [1, 2, 5, 100]) {
    expect((await findPlaces(text, size, 'letters')).map((found) => found.columns)).toEqual([columns]);
  }
});
