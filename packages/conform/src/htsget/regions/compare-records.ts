import type { DecodedFile, DecodedRecord } from '../file/decode-file.js';

/** How the records of an answer differ from those that the file has. */
export interface RecordDifferences {
  /** Expected records that are missing. */
  readonly missing: readonly DecodedRecord[];
  /** Records that occur more often than in the file. */
  readonly repeated: readonly DecodedRecord[];
  /** Records that the file does not have, such as altered ones. */
  readonly foreign: readonly DecodedRecord[];
  /** The first record that the file has before the one that precedes it in the answer. */
  readonly misplaced: DecodedRecord | undefined;
  /** The number of expected records, and of others in the answer. */
  readonly expectedCount: number;
  readonly extraCount: number;
}

/** Compares the records of an answer with those of the file that it should have. */
export function compareRecords(
  answer: Pick<DecodedFile, 'records'>,
  whole: Pick<DecodedFile, 'records'>,
  isExpected: (record: DecodedRecord) => boolean,
): RecordDifferences {
  const positions = new Map<string, number[]>();
  for (const [position, { key }] of whole.records.entries()) {
    const known = positions.get(key);
    if (known === undefined) positions.set(key, [position]);
    else known.push(position);
  }
  const found = new Map<string, number>();
  const repeated: DecodedRecord[] = [];
  const foreign: DecodedRecord[] = [];
  let misplaced: DecodedRecord | undefined;
  let last = -1;
  for (const record of answer.records) {
    const known = positions.get(record.key);
    const count = found.get(record.key) ?? 0;
    found.set(record.key, count + 1);
    const position = known?.[count];
    if (known === undefined) foreign.push(record);
    else if (position === undefined) repeated.push(record);
    else if (position < last) misplaced ??= record;
    else last = position;
  }
  const expected = whole.records.filter(isExpected);
  const missing = expected.filter(({ key }) => {
    const count = found.get(key) ?? 0;
    found.set(key, count - 1);
    return count <= 0;
  });
  const extraCount = answer.records.filter((record) => !isExpected(record)).length;
  return { missing, repeated, foreign, misplaced, expectedCount: expected.length, extraCount };
}

/** Describes records for a report: how many, and where the first one is. */
export function describeRecords(records: readonly DecodedRecord[]): string {
  const [first] = records;
  const name = first?.referenceName;
  const where =
    first === undefined ? '' : name === undefined ? ' without a position' : ` at ${name}:${first.start + 1}`;
  return records.length === 1 ? `a record${where}` : `${records.length} records, the first${where}`;
}
