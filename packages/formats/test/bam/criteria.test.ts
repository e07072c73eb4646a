import { toOwned } from '@htskit/io';
import { bgunzip, mutations, readFixture, volume } from '@htskit/testing';
import { expect, test } from 'vitest';
import {
  AlignmentRecord,
  type BamCriteria,
  createBamCondition,
  createBamFilter,
  parseBamHeader,
} from '../../src/index.js';
import { passPieces, piecesOutcome } from '../record-pieces.js';

const data = bgunzip(readFixture('reads.bam'));
const body = data.subarray(parseBamHeader(data).byteLength);

/** Returns the lines of SAM of some records, without their references. */
function recordsOf(bytes: Uint8Array, keeps: (record: AlignmentRecord) => boolean = () => true): string[] {
  const found: string[] = [];
  if (bytes.length === 0) return found;
  const view = new AlignmentRecord(bytes);
  for (let at = 0; at < bytes.length; ) {
    const record = view.viewAt(at);
    if (keeps(record)) found.push(Buffer.from(record.bytes).toString('latin1'));
    at = record.byteEnd;
  }
  return found;
}

/** Returns the end of the first records that have at least `byteLength` bytes. */
function recordsEnd(byteLength: number): number {
  const view = new AlignmentRecord(body);
  let end = 0;
  while (end < byteLength) end = view.viewAt(end).byteEnd;
  return end;
}

const filter = (criteria: BamCriteria, lengths?: readonly number[]): string[] =>
  recordsOf(passPieces(createBamFilter(undefined, { condition: createBamCondition(criteria) }), body, lengths));

test.each<[BamCriteria, (record: AlignmentRecord) => boolean]>([
  [{}, () => true],
  [{ requireFlags: 16 }, ({ flags }) => (flags & 16) !== 0],
  [{ requireFlags: 17 }, ({ flags }) => (flags & 17) === 17],
  [{ excludeFlags: 0x404 }, ({ flags }) => (flags & 0x404) === 0],
  [{ minMappingQuality: 30 }, ({ mappingQuality }) => mappingQuality >= 30],
  [{ readGroups: ['lane1'] }, (record) => record.tag('RG') === 'lane1'],
  [{ readGroups: ['lane2', 'lane1'] }, (record) => record.tag('RG') !== undefined],
  [{ readGroups: ['lane', 'lane11'] }, () => false],
  [{ readGroups: [] }, () => false],
  [{ requireFlags: 2 ** 16 }, () => false],
])('records that meet %j are kept', (criteria, keeps) => {
  const expected = recordsOf(body, keeps);
  expect(filter(criteria)).toEqual(expected);
  expect(filter(criteria, [100, 7, 5000])).toEqual(expected);
});

test('records must overlap an interval, too', () => {
  const intervals = [{ referenceId: 0, start: 10_000, end: 30_000 }];
  const condition = createBamCondition({ excludeFlags: 16 });
  const both = recordsOf(passPieces(createBamFilter(intervals, { condition }), body));
  const overlapping = createBamFilter(intervals);
  const bytes = Buffer.concat([...overlapping.push(body).map(toOwned), ...overlapping.finish()]);
  expect(both.length).toBeGreaterThan(0);
  expect(both).toEqual(recordsOf(bytes, ({ flags }) => (flags & 16) === 0));
});

test('damaged records are filtered or refused with a FormatError', () => {
  const condition = createBamCondition({ readGroups: ['lane1'], minMappingQuality: 3 });
  const outcomes = Array.from(
    mutations(body.subarray(0, recordsEnd(4000)), { count: volume(5000), seed: 3 }),
    ({ bytes }) => piecesOutcome(createBamFilter(undefined, { condition }), bytes),
  );
  const refused = outcomes.filter((outcome) => outcome.includes(' ')).length;
  expect(refused).toBeGreaterThan(0);
  expect(refused).toBeLessThan(outcomes.length);
});
