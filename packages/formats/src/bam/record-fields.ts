import { FormatError, invalidData } from '../format-error.js';
import type { RecordLayout } from '../records/record-splitter.js';
import { bamTagCode, findBamTag } from './tags/tags.js';

// The fields of a record are read in place (SAMv1 §4.2), so that filters and rewriters create no object per record. `at` is the
// offset of the record's block_size field. Functions that read more than block_size need a complete record; those that depend
// on the lengths of its parts need one that passed `checkRecord`.

/** Bytes of block_size, which does not count itself. */
export const BLOCK_SIZE_BYTES = 4;

/** Bytes of the fixed-size fields, block_size included. */
const FIXED_BYTES = 36;

/** The maximum number of bytes that a record may have here. */
const MAX_RECORD_LENGTH = 2 ** 28;

/** The offsets of fields of 32 bits. */
export const REFERENCE_ID_OFFSET = 4;
export const BASE_START_OFFSET = 8;
export const MATE_REFERENCE_ID_OFFSET = 24;
export const MATE_START_OFFSET = 28;
export const TEMPLATE_LENGTH_OFFSET = 32;

/** The first quality of a record whose qualities are not stored. */
export const NO_QUALITY = 0xff;

/** The flag of an unmapped record. */
export const UNMAPPED = 0x4;

/** How BAM records are delimited: each starts with its length. */
export const BAM_LAYOUT: RecordLayout<DataView> = {
  isEndedByData: false,
  open: (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length),
  recordEnd(view, at) {
    const length = readRecordLength(view, at);
    return length === undefined || length > view.byteLength - at ? undefined : at + length;
  },
  countMissing: (begun) => (readRecordLength(BAM_LAYOUT.open(begun), 0) ?? BLOCK_SIZE_BYTES) - begun.length,
};

/** The data of records: its bytes, and the view through which numbers are read. */
export interface RecordData {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

/** Returns the data of the records in `bytes`. */
export function openRecordData(bytes: Uint8Array): RecordData {
  return { bytes, view: BAM_LAYOUT.open(bytes) };
}

/** Returns the length of a record in bytes, block_size included; undefined if the data ends within block_size. */
export function readRecordLength(view: DataView, at: number): number | undefined {
  if (view.byteLength - at < BLOCK_SIZE_BYTES) return undefined;
  const length = BLOCK_SIZE_BYTES + view.getUint32(at, true);
  if (length < FIXED_BYTES) throw invalidData(`record of ${length} bytes is too short: the fixed fields take 36`, at);
  if (length > MAX_RECORD_LENGTH) {
    const message = `record of ${length} bytes is over the limit of ${MAX_RECORD_LENGTH}`;
    throw new FormatError('LIMIT_EXCEEDED', message, { offset: at });
  }
  return length;
}

/** Throws `FormatError` `INVALID_DATA` if the parts of a record exceed its length, or if its position is below −1. */
export function checkRecord(view: DataView, at: number): void {
  if (view.getUint8(at + 12) === 0 || tagsStart(view, at) > recordEnd(view, at)) {
    throw invalidData('record is shorter than its name, CIGAR, bases and qualities', at);
  }
  if (referenceId(view, at) < -1 || baseStart(view, at) < -1) {
    throw invalidData('refID or pos of a record is below -1', at);
  }
}

/** Returns refID. */
export function referenceId(view: DataView, at: number): number {
  return view.getInt32(at + REFERENCE_ID_OFFSET, true);
}

/** Returns pos. */
export function baseStart(view: DataView, at: number): number {
  return view.getInt32(at + BASE_START_OFFSET, true);
}

/** Returns whether flag 0x4 is clear. */
export function isMapped(view: DataView, at: number): boolean {
  return unmappedFlag(view, at) === 0;
}

/** Returns 0x4 if that bit is set in the flag; otherwise 0. */
export function unmappedFlag(view: DataView, at: number): number {
  return recordFlags(view, at) & UNMAPPED;
}

/** Returns flag. */
export function recordFlags(view: DataView, at: number): number {
  return view.getUint16(at + 18, true);
}

/** Returns mapq. */
export function mappingQuality(view: DataView, at: number): number {
  return view.getUint8(at + 13);
}

/** Returns next_refID. */
export function mateReferenceId(view: DataView, at: number): number {
  return view.getInt32(at + MATE_REFERENCE_ID_OFFSET, true);
}

/** Returns next_pos. */
export function mateStart(view: DataView, at: number): number {
  return view.getInt32(at + MATE_START_OFFSET, true);
}

/** Returns tlen. */
export function templateLength(view: DataView, at: number): number {
  return view.getInt32(at + TEMPLATE_LENGTH_OFFSET, true);
}

/**
 * Returns the end of a record on the reference. An unmapped record, or one that covers no base, is one base long, as in htslib.
 */
export function baseEnd(view: DataView, at: number): number {
  const length = isMapped(view, at) ? cigarReferenceLength(view, at) : 0;
  return baseStart(view, at) + Math.max(1, length);
}

/** Returns the offset just after the record. */
export function recordEnd(view: DataView, at: number): number {
  return at + BLOCK_SIZE_BYTES + view.getUint32(at, true);
}

/** Returns the offset of read_name. */
export function nameStart(at: number): number {
  return at + FIXED_BYTES;
}

/** Returns the offset of the CIGAR operations. l_read_name is at offset 12. */
export function cigarStart(view: DataView, at: number): number {
  return nameStart(at) + view.getUint8(at + 12);
}

/** Returns n_cigar_op, which is at offset 16. */
export function operationCount(view: DataView, at: number): number {
  return view.getUint16(at + 16, true);
}

/** Returns the offset of seq. */
export function basesStart(view: DataView, at: number): number {
  return cigarStart(view, at) + 4 * operationCount(view, at);
}

/** Returns l_seq. */
export function baseCount(view: DataView, at: number): number {
  return view.getUint32(at + 20, true);
}

/** Returns the offset of qual. A base takes four bits. */
export function qualitiesStart(view: DataView, at: number): number {
  return basesStart(view, at) + ((baseCount(view, at) + 1) >>> 1);
}

/** Returns the offset of the tags. A quality takes one byte. */
export function tagsStart(view: DataView, at: number): number {
  return qualitiesStart(view, at) + baseCount(view, at);
}

/** Bytes of an operation: its code in the low four bits, its length above them. */
export const OPERATION_BYTES = 4;

/** The operations that consume the reference, as bits: M, D, N, = and X. A list of booleans takes twice as long. */
const CONSUMES_REFERENCE = (1 << 0) | (1 << 2) | (1 << 3) | (1 << 7) | (1 << 8);
const SOFT_CLIP = 4;

/** An array tag starts with its name, the type `B`, the type of the elements, and their count. */
const ARRAY = 0x42;
/** The types of arrays of 32-bit numbers: `I` and `i`. htslib takes both for a CIGAR. */
const INT32_TYPES: readonly number[] = [0x49, 0x69];
const CIGAR_TAG = bamTagCode('CG');
/** The offset of the element count in an array tag, and that of the elements. */
const ARRAY_COUNT_OFFSET = 4;
const ARRAY_HEADER_BYTES = 8;

/** Returns the number of reference bases that the CIGAR of a record covers. Throws what `longCigarStart` throws. */
function cigarReferenceLength(view: DataView, at: number): number {
  const tag = cigarTagStart(view, at);
  const end = operationsEnd(view, at, tag);
  let length = 0;
  for (let from = operationsStart(view, at, tag); from < end; from += OPERATION_BYTES) {
    const operation = view.getUint32(from, true);
    if (((CONSUMES_REFERENCE >>> (operation & 0xf)) & 1) === 1) length += operation >>> 4;
  }
  return length;
}

/** Returns the offset of the operations of a CIGAR: of those in the tag CG at `tag`, unless it is −1. */
export function operationsStart(view: DataView, at: number, tag: number): number {
  return tag === -1 ? cigarStart(view, at) : tag + ARRAY_HEADER_BYTES;
}

/** Returns the offset just after the operations of a CIGAR. */
export function operationsEnd(view: DataView, at: number, tag: number): number {
  const count = tag === -1 ? operationCount(view, at) : view.getUint32(tag + ARRAY_COUNT_OFFSET, true);
  return operationsStart(view, at, tag) + OPERATION_BYTES * count;
}

/**
 * Returns the offset of the tag CG if it holds the CIGAR of a record, or −1. As in htslib, a placeholder refers to it only in a
 * record with a position. Throws what `longCigarStart` throws.
 */
export function cigarTagStart(view: DataView, at: number): number {
  return referenceId(view, at) >= 0 && baseStart(view, at) >= 0 ? longCigarStart(view, at) : -1;
}

/**
 * Returns the offset of the tag CG if it holds the CIGAR of a record with a position (SAMv1 §4.2.2), or −1. As in htslib 1.24, the
 * CIGAR in its place begins with a soft clip of all bases, and has no more operations than the tag, an array of 32-bit numbers.
 * Throws `FormatError` `INVALID_DATA` if that tag or one before it is malformed.
 */
export function longCigarStart(view: DataView, at: number): number {
  const placeholderLength = operationCount(view, at);
  if (placeholderLength === 0 || view.getUint32(cigarStart(view, at), true) !== softClip(baseCount(view, at)))
    return -1;
  const tag = findBamTag(view, { start: tagsStart(view, at), end: recordEnd(view, at) }, CIGAR_TAG);
  const isArray = tag !== -1 && view.getUint8(tag + 2) === ARRAY && INT32_TYPES.includes(view.getUint8(tag + 3));
  return isArray && view.getUint32(tag + ARRAY_COUNT_OFFSET, true) >= placeholderLength ? tag : -1;
}

/** Returns the operation that clips all bases of a read, with which the placeholder of a long CIGAR starts. */
export function softClip(baseCount: number): number {
  return baseCount * 16 + SOFT_CLIP;
}
