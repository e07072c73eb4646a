import { type FormatError, invalidData } from '../../format-error.js';
import { BAM_FIELD, BAM_FLAG } from './bam-writer.js';

/** The records of a slice, whose mates are computed. */
export interface SliceMates {
  /** The BAM records of the slice. */
  readonly view: DataView;
  readonly recordCount: number;
  /** The position of each record. */
  readonly positions: Uint32Array;
  /** The index of the next record of each record's template, which follows in the slice; −1 for none. */
  readonly next: Int32Array;
  /** The last position on the reference that each record covers, 1-based. */
  readonly lasts: Int32Array;
  /** 1 for each record that stores its template length. */
  readonly hasTemplateLength: Uint8Array;
  /** Bytes from the start of the file to the slice, for the offsets of errors. */
  readonly offset: number;
}

/**
 * Computes flags, position and template length of the mates that are in the same slice (CRAM 3.1 §10.4), and writes them into
 * the records. `next` of the last record of each template becomes the index of the first. Throws `FormatError` `INVALID_DATA`
 * for a mate that is not in the slice or belongs to two templates.
 */
export function resolveMates(mates: SliceMates): void {
  const { next, recordCount } = mates;
  // A record is visited once as part of its template, however long that is.
  const isLinked = new Uint8Array(recordCount);
  for (let first = 0; first < recordCount; first++) {
    if ((next[first] ?? -1) < 0 || isLinked[first] === 1) continue;
    let last = first;
    isLinked[first] = 1;
    for (let mate = next[first] ?? -1; mate >= 0; mate = next[mate] ?? -1) {
      if (mate >= recordCount || isLinked[mate] === 1) throw invalidMate(mates, mate);
      isLinked[mate] = 1;
      last = mate;
    }
    next[last] = first;
    resolveTemplate(mates, first);
  }
}

function invalidMate({ offset, recordCount }: SliceMates, mate: number): FormatError {
  return invalidData(`record ${mate} of a slice of ${recordCount} is not a valid mate`, offset);
}

function resolveTemplate(mates: SliceMates, first: number): void {
  const { view, positions, next } = mates;
  const signedLength = templateLengths(mates, first);
  let previous: number | undefined;
  let record = first;
  do {
    const mate = next[record] ?? first;
    const at = positions[record] ?? 0;
    const mateAt = positions[mate] ?? 0;
    const mateFlags = view.getUint16(mateAt + BAM_FIELD.flags, true);
    let flags = view.getUint16(at + BAM_FIELD.flags, true) | BAM_FLAG.paired;
    if ((mateFlags & BAM_FLAG.unmapped) !== 0) flags |= BAM_FLAG.mateUnmapped;
    if ((mateFlags & BAM_FLAG.reverse) !== 0) flags |= BAM_FLAG.mateReverse;
    view.setUint16(at + BAM_FIELD.flags, flags, true);
    view.setInt32(at + BAM_FIELD.mateReferenceId, view.getInt32(mateAt + BAM_FIELD.referenceId, true), true);
    view.setInt32(at + BAM_FIELD.matePosition, view.getInt32(mateAt + BAM_FIELD.position, true), true);
    if (mates.hasTemplateLength[record] !== 1) {
      const isUnmapped = ((flags | mateFlags) & BAM_FLAG.unmapped) !== 0;
      view.setInt32(at + BAM_FIELD.templateLength, isUnmapped ? 0 : signedLength(record, previous), true);
    }
    previous = record;
    record = mate;
  } while (record !== first);
}

/**
 * Returns the template length of each record of a template: positive for the leftmost, negative for the others. If several records
 * are leftmost, each is compared with the record before it, as htslib and htsjdk do when they write a file: they leave out the
 * lengths that have these signs, and store all others. htslib from 1.23 on reads by another rule than it writes: if two mates start
 * together, the one that ends first gets the plus sign.
 */
function templateLengths(
  { view, positions, next, lasts }: SliceMates,
  first: number,
): (record: number, previous: number | undefined) => number {
  const fieldAt = (record: number, field: number): number => view.getInt32((positions[record] ?? 0) + field, true);
  const startAt = (record: number): number => fieldAt(record, BAM_FIELD.position);
  const referenceId = fieldAt(first, BAM_FIELD.referenceId);
  let leftmost = startAt(first);
  let last = lasts[first] ?? 0;
  let record = first;
  do {
    if (fieldAt(record, BAM_FIELD.referenceId) !== referenceId || referenceId < 0) return () => 0;
    leftmost = Math.min(leftmost, startAt(record));
    last = Math.max(last, lasts[record] ?? 0);
    record = next[record] ?? first;
  } while (record !== first);
  // `last` is 1-based, `leftmost` is 0-based.
  const length = last - leftmost;
  const precedes = (member: number, previous: number): boolean => {
    if (startAt(member) !== startAt(previous)) return startAt(member) < startAt(previous);
    return (view.getUint16((positions[member] ?? 0) + BAM_FIELD.flags, true) & BAM_FLAG.first) !== 0;
  };
  return (member, previous) => {
    const isPositive = previous === undefined ? !precedes(next[member] ?? member, member) : precedes(member, previous);
    return isPositive && startAt(member) === leftmost ? length : -length;
  };
}

/** Copies the fields that depend on the mate from one record to another. */
export function copyMateFields(from: Uint8Array, at: number, to: Uint8Array, start: number): void {
  for (const [field, end] of MATE_FIELDS) {
    for (let byte = field; byte < end; byte++) to[start + byte] = from[at + byte] ?? 0;
  }
}

/** The flags, and the fields from the reference of the mate to the template length. */
const MATE_FIELDS = [
  [BAM_FIELD.flags, BAM_FIELD.baseCount],
  [BAM_FIELD.mateReferenceId, BAM_FIELD.name],
] as const;
