import type { ByteRange } from '@htskit/io';
import { findBamTag } from './tags.js';

/** Bytes of an operation: its code in the low four bits, its length above them. */
const OPERATION_BYTES = 4;

/** Whether the operation of each code consumes the reference. */
const CONSUMES_REFERENCE: readonly boolean[] = Array.from('MIDNSHP=X', (operation) => 'MDN=X'.includes(operation));
const SKIP = 3;
const SOFT_CLIP = 4;

/** An array tag of 32-bit numbers starts with its name, the type `B`, the element type `I`, and the element count. */
const [NAME_BYTES, ARRAY, UINT32, ARRAY_HEADER_BYTES] = [2, 0x42, 0x49, 8];

/** The parts of a record that determine its CIGAR. */
export interface CigarFields {
  readonly operations: ByteRange;
  readonly tags: ByteRange;
  /** l_seq. */
  readonly baseCount: number;
}

/** Returns the number of reference bases that the CIGAR of a record covers. Throws what `findLongCigar` throws. */
export function cigarReferenceLength(view: DataView, fields: CigarFields): number {
  const tag = findLongCigar(view, fields);
  const { start, end } =
    tag === undefined ? fields.operations : { start: tag.start + ARRAY_HEADER_BYTES, end: tag.end };
  let length = 0;
  for (let at = start; at < end; at += OPERATION_BYTES) {
    const operation = view.getUint32(at, true);
    if (CONSUMES_REFERENCE[operation & 0xf]) length += operation >>> 4;
  }
  return length;
}

/**
 * Returns the tag CG:B:I, which holds the CIGAR if the record has the placeholder kSmN in its place (SAMv1 §4.2.2); undefined
 * for other records. Throws `FormatError` `INVALID_DATA` if that tag or one before it is malformed.
 */
export function findLongCigar(view: DataView, { operations, tags, baseCount }: CigarFields): ByteRange | undefined {
  const { start, end } = operations;
  if (end - start !== 2 * OPERATION_BYTES) return undefined;
  if (view.getUint32(start, true) !== softClip(baseCount)) return undefined;
  if ((view.getUint32(start + OPERATION_BYTES, true) & 0xf) !== SKIP) return undefined;
  const value = findBamTag(view, tags, 'CG');
  if (value === undefined || view.getUint8(value.start) !== ARRAY || view.getUint8(value.start + 1) !== UINT32) {
    return undefined;
  }
  return { start: value.start - NAME_BYTES, end: value.end };
}

/** Returns the operation that clips all bases of a read, with which the placeholder of a long CIGAR starts. */
export function softClip(baseCount: number): number {
  return baseCount * 16 + SOFT_CLIP;
}
