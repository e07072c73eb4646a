import { type FormatError, invalidData } from '../../format-error.js';
import { BAM_FLAG, type RecordTable } from './record-table.js';

/**
 * Computes flags, position and template length of the mates that are in the same slice (CRAM 3.1 §10.4). `next` of the last
 * record of each template becomes the index of the first. Throws `FormatError` `INVALID_DATA` for a mate that is not in the slice
 * or belongs to two templates.
 */
export function resolveMates(table: RecordTable): void {
  if (!table.hasMates) return;
  const { next, recordCount } = table;
  // A record is visited once as part of its template, however long that is.
  const isLinked = new Uint8Array(recordCount);
  for (let first = 0; first < recordCount; first++) {
    if ((next[first] ?? -1) < 0 || isLinked[first] === 1) continue;
    let last = first;
    isLinked[first] = 1;
    for (let mate = next[first] ?? -1; mate >= 0; mate = next[mate] ?? -1) {
      if (mate >= recordCount || isLinked[mate] === 1) throw invalidMate(table, mate);
      isLinked[mate] = 1;
      last = mate;
    }
    next[last] = first;
    resolveTemplate(table, first);
  }
}

function invalidMate({ offset, recordCount }: RecordTable, mate: number): FormatError {
  return invalidData(`record ${mate} of a slice of ${recordCount} is not a valid mate`, offset);
}

function resolveTemplate(table: RecordTable, first: number): void {
  const { flags, next, starts, referenceIds } = table;
  const leftmost = leftmostStart(table, first);
  const length = leftmost === undefined ? 0 : lastEnd(table, first) - leftmost;
  let previous = -1;
  let record = first;
  do {
    const mate = next[record] ?? first;
    const mateFlags = flags[mate] ?? 0;
    let changed = (flags[record] ?? 0) | BAM_FLAG.paired;
    if ((mateFlags & BAM_FLAG.unmapped) !== 0) changed |= BAM_FLAG.mateUnmapped;
    if ((mateFlags & BAM_FLAG.reverse) !== 0) changed |= BAM_FLAG.mateReverse;
    flags[record] = changed;
    table.mateReferenceIds[record] = referenceIds[mate] ?? -1;
    table.mateStarts[record] = starts[mate] ?? -1;
    if (table.hasTemplateLength[record] !== 1) {
      const isUnmapped = ((changed | mateFlags) & BAM_FLAG.unmapped) !== 0;
      const isPositive = starts[record] === leftmost && isLeft(table, record, previous);
      table.templateLengths[record] = isUnmapped ? 0 : isPositive ? length : -length;
    }
    previous = record;
    record = mate;
  } while (record !== first);
}

/** Returns the start of the leftmost record of a template, 0-based; undefined if its records are not on one reference. */
function leftmostStart({ next, starts, referenceIds }: RecordTable, first: number): number | undefined {
  const referenceId = referenceIds[first] ?? -1;
  if (referenceId < 0) return undefined;
  let leftmost = starts[first] ?? 0;
  for (let record = next[first] ?? first; record !== first; record = next[record] ?? first) {
    if (referenceIds[record] !== referenceId) return undefined;
    leftmost = Math.min(leftmost, starts[record] ?? 0);
  }
  return leftmost;
}

/** Returns the last position that a record of a template covers, 1-based. */
function lastEnd({ next, lasts }: RecordTable, first: number): number {
  let last = lasts[first] ?? 0;
  for (let record = next[first] ?? first; record !== first; record = next[record] ?? first) {
    last = Math.max(last, lasts[record] ?? 0);
  }
  return last;
}

/**
 * Returns whether the template length of a record has the sign of the leftmost one: positive for the leftmost, negative for the
 * others. If several records are leftmost, each is compared with the record before it, as htslib and htsjdk do when they write a
 * file: they leave out the lengths that have these signs, and store all others. htslib from 1.23 on reads by another rule than it
 * writes: if two mates start together, the one that ends first gets the plus sign.
 */
function isLeft(table: RecordTable, record: number, previous: number): boolean {
  if (previous >= 0) return precedes(table, record, previous);
  return !precedes(table, table.next[record] ?? record, record);
}

function precedes({ starts, flags }: RecordTable, record: number, previous: number): boolean {
  if (starts[record] !== starts[previous]) return (starts[record] ?? 0) < (starts[previous] ?? 0);
  return ((flags[record] ?? 0) & BAM_FLAG.first) !== 0;
}
