/** A part of the reference that a read covers: 0-based, half-open. */
interface Placed {
  readonly start: number;
  readonly end: number;
}

/** Reads in rows, none of which overlap within a row. */
export interface RowLayout<Read> {
  readonly rows: readonly (readonly Read[])[];
  /** The number of reads for which there was no row. */
  readonly hidden: number;
}

/**
 * Puts each read, in the order of their starts, into the first row that has room for it: `gap` bases after the read before it. Reads
 * without a position are left out.
 */
export function layOutRows<Read extends Placed>(
  reads: readonly Read[],
  { mostRows, gap }: { readonly mostRows: number; readonly gap: number },
): RowLayout<Read> {
  const rows: Read[][] = [];
  const ends: number[] = [];
  let hidden = 0;
  for (const read of reads) {
    if (read.start < 0) continue;
    const free = ends.findIndex((end) => end <= read.start);
    const row = free === -1 ? rows.length : free;
    if (row >= mostRows) {
      hidden++;
      continue;
    }
    if (free === -1) rows.push([read]);
    else rows[row]?.push(read);
    ends[row] = Math.max(read.end, read.start + 1) + gap;
  }
  return { rows, hidden };
}
