import type { ByteSpan } from './bam-data.js';
import { findBamTag } from './tags.js';

/** Bytes of an operation: its code in the low four bits, its length above them. */
const OPERATION_BYTES = 4;

/** By code, whether an operation consumes the reference. */
const CONSUMES_REFERENCE: readonly boolean[] = Array.from('MIDNSHP=X', (operation) => 'MDN=X'.includes(operation));
const SKIP = 3;
const SOFT_CLIP = 4;

/** An array tag of 32-bit numbers begins with its name, its type `B`, theirs `I`, and their count. */
const [NAME_BYTES, ARRAY, UINT32, ARRAY_HEADER_BYTES] = [2, 0x42, 0x49, 8];

/** What the CIGAR of a record depends on. */
export interface CigarFields {
  readonly operations: ByteSpan;
  readonly tags: ByteSpan;
  /** l_seq. */
  readonly baseCount: number;
}

/** Bases of the reference that the CIGAR of a record covers. Throws INVALID_DATA if tags hide where a long one stands. */
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
 * The tag CG:B:I with the operations of the record, if that has the placeholder kSmN in their place (SAMv1 §4.2.2).
 * Throws INVALID_DATA if tags in front of it do not fit into the record.
 */
export function findLongCigar(view: DataView, { operations, tags, baseCount }: CigarFields): ByteSpan | undefined {
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

/** The operation that clips all bases: the placeholder of a long CIGAR begins with it. */
export function softClip(baseCount: number): number {
  return baseCount * 16 + SOFT_CLIP;
}
