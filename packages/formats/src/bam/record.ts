import { FormatError } from '../format-error.js';
import { type ByteSpan, findBamTag } from './tags.js';

/** Where a record ends, and what it covers on the reference. */
export interface BamRecordSpan {
  /** Index behind the record's last byte. */
  readonly byteEnd: number;
  /** Rank of the reference in the header, −1 for none. */
  readonly referenceId: number;
  /** 0-based, −1 for none. */
  readonly baseStart: number;
  /** Half-open; a record that covers no base counts as one base long, as for htslib. */
  readonly baseEnd: number;
}

/** Bytes of the fixed part of a record with its block_size field (SAMv1 §4.2). */
const FIXED_LENGTH = 36;

/** Bytes of the longest record that is read here. */
export const MAX_RECORD_LENGTH: number = 1 << 28;

const UNMAPPED = 0x4;

/** Bit n says whether CIGAR operation n of `MIDNSHP=X` consumes the reference: M, D, N, = and X. */
const CONSUMES_REFERENCE = 0b1_1000_1101;
/** Operations of the placeholder for a CIGAR that stands in the tag CG (SAMv1 §4.2.2). */
const [SOFT_CLIP, SKIP] = [4, 3];

/**
 * Bytes of the record at `at`, its block_size field included, or undefined where the data ends inside that field.
 * Throws FormatError INVALID_DATA for a size that no record has, LIMIT_EXCEEDED over 256 MiB.
 */
export function bamRecordLength(data: Uint8Array, at: number): number | undefined {
  if (data.length - at < 4) return undefined;
  const length = 4 + viewOf(data).getUint32(at, true);
  if (length < FIXED_LENGTH) {
    throw new FormatError('INVALID_DATA', `a record cannot have ${length - 4} bytes`, { offset: at });
  }
  if (length > MAX_RECORD_LENGTH) {
    throw new FormatError('LIMIT_EXCEEDED', `a record of ${length} bytes is over ${MAX_RECORD_LENGTH}`, { offset: at });
  }
  return length;
}

/**
 * The span of the whole record at `at`. Its length on the reference is that of its CIGAR, which for a long one stands in
 * the tag CG. Throws FormatError TRUNCATED where the data ends within it, INVALID_DATA where its parts do not fit it.
 */
export function parseBamRecordSpan(data: Uint8Array, at: number): BamRecordSpan {
  const length = bamRecordLength(data, at);
  if (length === undefined || data.length - at < length) {
    throw new FormatError('TRUNCATED', 'the data ends inside a record', { offset: at });
  }
  const view = viewOf(data);
  const byteEnd = at + length;
  const baseStart = view.getInt32(at + 8, true);
  const cigarStart = at + FIXED_LENGTH + view.getUint8(at + 12);
  const cigarEnd = cigarStart + 4 * view.getUint16(at + 16, true);
  const baseCount = view.getInt32(at + 20, true);
  const tagsStart = cigarEnd + Math.ceil(baseCount / 2) + baseCount;
  if (baseCount < 0 || tagsStart > byteEnd) {
    throw new FormatError('INVALID_DATA', 'the parts of a record are longer than it', { offset: at });
  }
  const isUnmapped = (view.getUint16(at + 18, true) & UNMAPPED) !== 0;
  const cigar = { start: cigarStart, end: cigarEnd };
  const covered = isUnmapped ? 0 : referenceLength(view, findCigar(view, { cigar, baseCount, tagsStart, byteEnd }));
  const referenceId = view.getInt32(at + 4, true);
  return { byteEnd, referenceId, baseStart, baseEnd: baseStart + Math.max(1, covered) };
}

function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.length);
}

/** Bases of the reference that the operations of a CIGAR consume. */
function referenceLength(view: DataView, { start, end }: ByteSpan): number {
  let length = 0;
  for (let at = start; at < end; at += 4) {
    const operation = view.getUint32(at, true);
    if ((CONSUMES_REFERENCE >>> (operation & 15)) & 1) length += operation >>> 4;
  }
  return length;
}

/** The operations in their place, or in the tag CG:B:I where those are the placeholder kSmN (SAMv1 §4.2.2). */
function findCigar(
  view: DataView,
  record: {
    readonly cigar: ByteSpan;
    readonly baseCount: number;
    readonly tagsStart: number;
    readonly byteEnd: number;
  },
): ByteSpan {
  const { cigar, baseCount } = record;
  if (cigar.end - cigar.start !== 8) return cigar;
  const isPlaceholder =
    view.getUint32(cigar.start, true) === baseCount * 16 + SOFT_CLIP && (view.getUint8(cigar.start + 4) & 15) === SKIP;
  return (isPlaceholder ? findLongCigar(view, { start: record.tagsStart, end: record.byteEnd }) : undefined) ?? cigar;
}

function findLongCigar(view: DataView, tags: ByteSpan): ByteSpan | undefined {
  const value = findBamTag(view, tags, 'CG');
  // Type B, subtype I, count, then the operations.
  if (value === undefined || view.getUint8(value.start) !== 0x42 || view.getUint8(value.start + 1) !== 0x49) {
    return undefined;
  }
  return { start: value.start + 6, end: value.end };
}
