import { sha512t24u } from '@htskit/digest';
import { concatBytes } from '@htskit/io';
import { TimeSlice } from '@htskit/io/internal';
import { checkMutations, volume } from '@htskit/testing';
import { expect, test } from 'vitest';
import { SequenceSourceError } from '../../src/sequence-source-error.js';
import { SequenceTable } from '../../src/table/sequence-table.js';
import { digestsAt, SequenceColumnsBuilder, toTableData } from '../../src/table/table-data.js';
import { formatTable, parseTable, type SavedTable, type TableOrigin } from '../../src/table/table-format.js';
import { digestsOf } from '../rgstore/build-rgstore.js';

const ORIGIN: TableOrigin = { kind: 'FASTA', size: 100, version: 'v1' };

const builder = new SequenceColumnsBuilder();
for (const [name, bases] of [
  ['chr1', 'ACGT'],
  ['é', 'GATTACA'],
  ['copy', 'ACGT'],
] as const) {
  builder.addName(name);
  builder.addDigests(digestsOf(bases));
}
const columns = builder.finish();
const table = await toTableData(columns, {
  places: { offset: Uint32Array.of(6, 14, 28), far: Float64Array.of(2 ** 40, 0, 1) },
  slice: new TimeSlice(undefined),
});
const saved = concatBytes([...formatTable(table, ORIGIN)]);

function parse(bytes: Uint8Array, origin: TableOrigin | undefined = ORIGIN): SavedTable | undefined {
  return new Parsing(parseTable(bytes, origin)).result;
}

class Parsing<T> {
  readonly result: T;
  constructor(steps: Generator<void, T>) {
    let step = steps.next();
    while (step.done !== true) step = steps.next();
    this.result = step.value;
  }
}

/** Replaces the digest at the end, so that only the content is wrong. */
function reseal(bytes: Uint8Array): Uint8Array {
  const end = bytes.length - 32;
  return concatBytes([bytes.subarray(0, end), new TextEncoder().encode(sha512t24u(bytes.subarray(0, end)))]);
}

test('returns the table that was saved', () => {
  expect(parse(saved)).toEqual(table);
  expect(parse(concatBytes([Uint8Array.of(0), saved]).subarray(1))).toEqual(table);
  expect(parse(Buffer.from(concatBytes([Uint8Array.of(0), saved]).buffer, 1))).toEqual(table);
  expect(digestsAt(table, 1)).toEqual(digestsOf('GATTACA'));
});

test('returns a table without indexes, as collections are stored', () => {
  const bytes = concatBytes([...formatTable({ ...table, indexes: undefined, places: {} }, ORIGIN)]);
  expect(parse(bytes)).toEqual({ ...table, indexes: undefined, places: {} });
});

test.each<[string, Partial<TableOrigin>]>([
  ['kind', { kind: '2bit' }],
  ['size', { size: 101 }],
  ['version', { version: 'v2' }],
])('ignores a table of another %s', (_, origin) => {
  expect(parse(saved, { ...ORIGIN, ...origin })).toBeUndefined();
});

test('reports any change of its bytes, except for a change of the version', async () => {
  const { accepted } = await checkMutations(saved, {
    seed: 7,
    count: volume(2000),
    check(bytes) {
      try {
        return parse(bytes) !== undefined && sha512t24u(bytes) !== sha512t24u(saved);
      } catch (error) {
        if (error instanceof SequenceSourceError && error.code === 'INVALID_TABLE') return false;
        throw error;
      }
    },
  });
  expect(accepted).toBe(0);
});

test('reports content that is malformed although its digest is right, or can be searched', async () => {
  const outcomes = await checkMutations(saved, {
    seed: 8,
    count: volume(2000),
    check(bytes) {
      let found: SavedTable | undefined;
      try {
        found = parse(bytes.length < 80 ? bytes : reseal(bytes));
      } catch (error) {
        if (error instanceof SequenceSourceError && error.code === 'INVALID_TABLE') return false;
        throw error;
      }
      if (found?.indexes === undefined) return true;
      const sequences = new SequenceTable({
        data: { ...found, indexes: found.indexes },
        naming: { namingAuthority: 'here' },
        open: (_, { name, metadata }) => ({ name, metadata, read: unread, stream: unread }),
      });
      expect([...sequences].length).toBe(sequences.length);
      for (const name of ['copy', 'unknown']) sequences.find({ kind: 'curie', namespace: 'here', name });
      sequences.find({ kind: 'md5', digest: digestsOf('ACGT').md5 });
      return true;
    },
  });
  expect(outcomes.accepted).toBeGreaterThan(0);
  expect(outcomes.refused).toBeGreaterThan(0);
});

function unread(): never {
  throw new Error('no bases are read');
}
