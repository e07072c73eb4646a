import { appendBytes, type GrowingColumn } from '../../columns/growing-column.js';
import type { GrowingList } from '../../columns/list-column.js';
import { unpackBases } from '../bases.js';
import { walkMismatches } from '../mismatches/mismatch-walk.js';
import {
  BASE_START_OFFSET,
  baseCount,
  baseEnd,
  basesStart,
  cigarStart,
  cigarTagStart,
  MATE_REFERENCE_ID_OFFSET,
  MATE_START_OFFSET,
  mappingQuality,
  NO_QUALITY,
  nameStart,
  OPERATION_BYTES,
  operationsEnd,
  operationsStart,
  qualitiesStart,
  REFERENCE_ID_OFFSET,
  type RecordData,
  recordFlags,
  TEMPLATE_LENGTH_OFFSET,
} from '../record-fields.js';
import type { GrowingFields } from './growing-alignments.js';
import type { GrowingMismatches } from './mismatch-columns.js';

/** Records that passed `checkRecord`. */
export interface CheckedRecords {
  readonly data: RecordData;
  /** The offset of each record. */
  readonly offsets: Int32Array;
}

const MAX_INT32 = 2 ** 31 - 1;

/** Appends the values of records to the columns. Throws the same errors as the properties of `AlignmentRecord`. */
export function fillFields(fields: GrowingFields, records: CheckedRecords): void {
  const { referenceId, start, end, flags, mateReferenceId, mateStart, templateLength } = fields;
  if (referenceId !== undefined) fillInt32(referenceId, records, REFERENCE_ID_OFFSET);
  if (start !== undefined) fillInt32(start, records, BASE_START_OFFSET);
  if (end !== undefined) fillEnds(end, records);
  if (flags !== undefined) fillFlags(flags, records);
  if (mateReferenceId !== undefined) fillInt32(mateReferenceId, records, MATE_REFERENCE_ID_OFFSET);
  if (mateStart !== undefined) fillInt32(mateStart, records, MATE_START_OFFSET);
  if (templateLength !== undefined) fillInt32(templateLength, records, TEMPLATE_LENGTH_OFFSET);
  if (fields.mappingQuality !== undefined) fillMappingQualities(fields.mappingQuality, records);
  const { names, cigar, sequence, qualities, mismatches } = fields;
  if (names !== undefined) fillNames(names, records);
  if (cigar !== undefined) fillCigars(cigar, records);
  if (sequence !== undefined) fillSequences(sequence, records);
  if (qualities !== undefined) fillQualities(qualities, records);
  if (mismatches !== undefined) fillMismatches(mismatches, records);
}

// A loop for each type of array: one loop with the types as arguments takes several times as long.

function fillInt32(column: GrowingColumn<Int32Array<ArrayBuffer>>, records: CheckedRecords, offset: number): void {
  const { view } = records.data;
  let to = column.reserve(records.offsets.length);
  for (const at of records.offsets) column.values[to++] = view.getInt32(at + offset, true);
}

function fillEnds(column: GrowingColumn<Int32Array<ArrayBuffer>>, records: CheckedRecords): void {
  const { view } = records.data;
  let to = column.reserve(records.offsets.length);
  for (const at of records.offsets) column.values[to++] = Math.min(MAX_INT32, baseEnd(view, at));
}

function fillFlags(column: GrowingColumn<Uint16Array<ArrayBuffer>>, records: CheckedRecords): void {
  const { view } = records.data;
  let to = column.reserve(records.offsets.length);
  for (const at of records.offsets) column.values[to++] = recordFlags(view, at);
}

function fillMappingQualities(column: GrowingColumn<Uint8Array<ArrayBuffer>>, records: CheckedRecords): void {
  const { view } = records.data;
  let to = column.reserve(records.offsets.length);
  for (const at of records.offsets) column.values[to++] = mappingQuality(view, at);
}

function fillNames(list: GrowingList<Uint8Array<ArrayBuffer>>, { data, offsets }: CheckedRecords): void {
  for (const at of offsets) {
    appendBytes(list.values, data.bytes, nameStart(at), cigarStart(data.view, at) - 1);
    list.end();
  }
}

function fillCigars(list: GrowingList<Uint32Array<ArrayBuffer>>, { data, offsets }: CheckedRecords): void {
  const { view } = data;
  for (const at of offsets) {
    const tag = cigarTagStart(view, at);
    const end = operationsEnd(view, at, tag);
    let from = operationsStart(view, at, tag);
    let to = list.values.reserve((end - from) / OPERATION_BYTES);
    const { values } = list.values;
    for (; from < end; from += OPERATION_BYTES) values[to++] = view.getUint32(from, true);
    list.end();
  }
}

function fillSequences(list: GrowingList<Uint8Array<ArrayBuffer>>, { data, offsets }: CheckedRecords): void {
  const { view } = data;
  const column = list.values;
  let target = new DataView(column.values.buffer);
  for (const at of offsets) {
    const count = baseCount(view, at);
    const to = column.reserve(count);
    if (target.buffer !== column.values.buffer) target = new DataView(column.values.buffer);
    unpackBases(view, { at: basesStart(view, at), count }, target, to);
    list.end();
  }
}

function fillQualities(list: GrowingList<Uint8Array<ArrayBuffer>>, { data, offsets }: CheckedRecords): void {
  const { bytes, view } = data;
  for (const at of offsets) {
    const start = qualitiesStart(view, at);
    const count = baseCount(view, at);
    const isStored = count > 0 && bytes[start] !== NO_QUALITY;
    if (isStored) appendBytes(list.values, bytes, start, start + count);
    list.end(isStored);
  }
}

function fillMismatches(column: GrowingMismatches, { data, offsets }: CheckedRecords): void {
  const visit = column.push.bind(column);
  for (const at of offsets) {
    walkMismatches(data.view, at, visit);
    column.end();
  }
}
