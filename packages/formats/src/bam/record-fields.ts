import { FormatError } from '../format-error.js';
import { invalidAt, toDataView } from './bam-data.js';
import { type CigarFields, cigarReferenceLength } from './cigar.js';

// The fields of a record are read where they stand (SAMv1 §4.2), so that filtering and rewriting make no object per record. `at` is
// where the record begins: its block_size field.

/** Bytes of block_size, which does not count itself. */
export const BLOCK_SIZE_BYTES = 4;

/** Bytes of the fields of fixed size, with block_size. */
const FIXED_BYTES = 36;

/** Bytes that a record may have. */
export const MAX_RECORD_LENGTH: number = 2 ** 28;

const UNMAPPED = 0x4;

/** Bytes of the record; undefined if the data ends inside of its block_size. */
export function readRecordLength(view: DataView, at: number): number | undefined {
  if (view.byteLength - at < BLOCK_SIZE_BYTES) return undefined;
  const length = BLOCK_SIZE_BYTES + view.getUint32(at, true);
  if (length < FIXED_BYTES) throw invalidAt(at, `a record cannot have ${length} bytes`);
  if (length > MAX_RECORD_LENGTH) {
    const message = `a record of ${length} bytes is longer than ${MAX_RECORD_LENGTH}`;
    throw new FormatError('LIMIT_EXCEEDED', message, { offset: at });
  }
  return length;
}

/** Throws INVALID_DATA if the parts of a whole record do not fit into it, or its position is none. */
export function checkRecord(view: DataView, at: number): void {
  if (view.getUint8(at + 12) === 0 || tagsStart(view, at) > recordEnd(view, at)) {
    throw invalidAt(at, 'the parts of a record do not fit into it');
  }
  if (referenceId(view, at) < -1 || baseStart(view, at) < -1) {
    throw invalidAt(at, 'a record has a negative position');
  }
}

/** refID. */
export function referenceId(view: DataView, at: number): number {
  return view.getInt32(at + 4, true);
}

/** pos. */
export function baseStart(view: DataView, at: number): number {
  return view.getInt32(at + 8, true);
}

/** Whether 0x4 is not set in the flag. */
export function isMapped(view: DataView, at: number): boolean {
  return unmappedFlag(view, at) === 0;
}

/** 0x4 if that is set in the flag, which stands at 18. */
export function unmappedFlag(view: DataView, at: number): number {
  return view.getUint16(at + 18, true) & UNMAPPED;
}

/** Where a checked record ends on the reference; it has one base if it is unmapped or covers none, as for htslib. */
export function baseEnd(view: DataView, at: number): number {
  const length = isMapped(view, at) ? cigarReferenceLength(view, cigarFields(view, at)) : 0;
  return baseStart(view, at) + Math.max(1, length);
}

/** What the CIGAR of a checked record depends on. */
export function cigarFields(view: DataView, at: number): CigarFields {
  return {
    operations: { start: cigarStart(view, at), end: basesStart(view, at) },
    tags: { start: tagsStart(view, at), end: recordEnd(view, at) },
    baseCount: baseCount(view, at),
  };
}

/** Index behind the record at `at`, or undefined where the data ends inside of it. */
export function wholeRecordEnd(view: DataView, at: number): number | undefined {
  const length = readRecordLength(view, at);
  return length === undefined || length > view.byteLength - at ? undefined : at + length;
}

/** Bytes that a record which has begun lacks, as far as they tell. */
export function countMissing(begun: Uint8Array): number {
  return (readRecordLength(toDataView(begun), 0) ?? BLOCK_SIZE_BYTES) - begun.length;
}

function recordEnd(view: DataView, at: number): number {
  return at + BLOCK_SIZE_BYTES + view.getUint32(at, true);
}

/** Where the name stands. */
export function nameStart(at: number): number {
  return at + FIXED_BYTES;
}

/** Where the operations stand. l_read_name is at 12. */
export function cigarStart(view: DataView, at: number): number {
  return nameStart(at) + view.getUint8(at + 12);
}

/** n_cigar_op, which stands at 16. */
export function operationCount(view: DataView, at: number): number {
  return view.getUint16(at + 16, true);
}

/** Where the bases stand. */
export function basesStart(view: DataView, at: number): number {
  return cigarStart(view, at) + 4 * operationCount(view, at);
}

/** l_seq. */
export function baseCount(view: DataView, at: number): number {
  return view.getUint32(at + 20, true);
}

/** Where the qualities stand. Bases take four bits each. */
export function qualitiesStart(view: DataView, at: number): number {
  return basesStart(view, at) + Math.ceil(baseCount(view, at) / 2);
}

/** Where the tags stand. Qualities take a byte each. */
export function tagsStart(view: DataView, at: number): number {
  return qualitiesStart(view, at) + baseCount(view, at);
}
