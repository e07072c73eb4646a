import { type ListSource, NO_VALUE } from '../../columns/byte-lists.js';
import type { GrowingColumn } from '../../columns/growing-column.js';
import type { GrowingList } from '../../columns/list-column.js';
import type { Parts } from '../../columns/wasm/part-copier.js';
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
  recordFlags,
  TEMPLATE_LENGTH_OFFSET,
} from '../record-fields.js';
import type { GrowingFields } from './growing-alignments.js';
import type { GrowingMismatches } from './mismatch-columns.js';

/** Records that passed `checkRecord`. */
export interface CheckedRecords {
  readonly data: ListSource;
  /** The offset of each record. */
  readonly offsets: Int32Array;
  /** Memory for the places of a part of each record. */
  readonly parts: Parts;
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
  const { offsets } = records;
  const to = column.reserve(offsets.length);
  const { values } = column;
  for (let i = 0; i < offsets.length; i++) values[to + i] = view.getInt32((offsets[i] ?? 0) + offset, true);
}

function fillEnds(column: GrowingColumn<Int32Array<ArrayBuffer>>, records: CheckedRecords): void {
  const { view } = records.data;
  const { offsets } = records;
  const to = column.reserve(offsets.length);
  const { values } = column;
  for (let i = 0; i < offsets.length; i++) values[to + i] = Math.min(MAX_INT32, baseEnd(view, offsets[i] ?? 0));
}

function fillFlags(column: GrowingColumn<Uint16Array<ArrayBuffer>>, records: CheckedRecords): void {
  const { view } = records.data;
  const { offsets } = records;
  const to = column.reserve(offsets.length);
  const { values } = column;
  for (let i = 0; i < offsets.length; i++) values[to + i] = recordFlags(view, offsets[i] ?? 0);
}

function fillMappingQualities(column: GrowingColumn<Uint8Array<ArrayBuffer>>, records: CheckedRecords): void {
  const { view } = records.data;
  const { offsets } = records;
  const to = column.reserve(offsets.length);
  const { values } = column;
  for (let i = 0; i < offsets.length; i++) values[to + i] = mappingQuality(view, offsets[i] ?? 0);
}

function fillNames(list: GrowingList<Uint8Array<ArrayBuffer>>, { data, offsets, parts }: CheckedRecords): void {
  const { starts, ends } = parts;
  for (let i = 0; i < offsets.length; i++) {
    const at = offsets[i] ?? 0;
    starts[i] = nameStart(at);
    ends[i] = cigarStart(data.view, at) - 1;
  }
  data.appendBytes(list, parts);
}

function fillCigars(list: GrowingList<Uint32Array<ArrayBuffer>>, { data, offsets, parts }: CheckedRecords): void {
  const { view } = data;
  const { starts, ends } = parts;
  let byteLength = 0;
  for (let i = 0; i < offsets.length; i++) {
    const at = offsets[i] ?? 0;
    const tag = cigarTagStart(view, at);
    const start = operationsStart(view, at, tag);
    const end = operationsEnd(view, at, tag);
    starts[i] = start;
    ends[i] = end;
    byteLength += end - start;
  }
  let to = list.values.reserve(byteLength / OPERATION_BYTES);
  const { values } = list.values;
  let next = list.reserveEnds(offsets.length);
  const listEnds = list.ends.values;
  for (let i = 0; i < offsets.length; i++) {
    const end = ends[i] ?? 0;
    for (let from = starts[i] ?? end; from < end; from += OPERATION_BYTES) values[to++] = view.getUint32(from, true);
    listEnds[next++] = to;
  }
}

function fillSequences(list: GrowingList<Uint8Array<ArrayBuffer>>, { data, offsets, parts }: CheckedRecords): void {
  const { view } = data;
  const { starts, ends } = parts;
  for (let i = 0; i < offsets.length; i++) {
    const at = offsets[i] ?? 0;
    const start = basesStart(view, at);
    starts[i] = start;
    ends[i] = start + baseCount(view, at);
  }
  data.appendBases(list, parts);
}

function fillQualities(list: GrowingList<Uint8Array<ArrayBuffer>>, { data, offsets, parts }: CheckedRecords): void {
  const { view } = data;
  const { starts, ends } = parts;
  for (let i = 0; i < offsets.length; i++) {
    const at = offsets[i] ?? 0;
    const start = qualitiesStart(view, at);
    const count = baseCount(view, at);
    starts[i] = count > 0 && view.getUint8(start) !== NO_QUALITY ? start : NO_VALUE;
    ends[i] = start + count;
  }
  data.appendBytes(list, parts);
}

function fillMismatches(column: GrowingMismatches, { data, offsets }: CheckedRecords): void {
  const visit = column.push.bind(column);
  for (const at of offsets) {
    walkMismatches(data.view, at, visit);
    column.end();
  }
}
