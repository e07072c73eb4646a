/** A part of a reference: 0-based, half-open. */
export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** Moves an interval to the right by a share of its length, or to the left if it is negative, but not before the first base. */
export function moved({ start, end }: Interval, share: number): Interval {
  const step = Math.max(-start, Math.round((end - start) * share));
  return { start: start + step, end: end + step };
}

/** Multiplies the length of an interval. The base at a share of it, by default the middle, stays where it is. */
export function zoomed({ start, end }: Interval, factor: number, share = 0.5): Interval {
  const bases = Math.max(1, Math.round((end - start) * factor));
  const first = Math.max(0, Math.round(start + (end - start) * share - bases * share));
  return { start: first, end: first + bases };
}

/** Returns the part of an interval that lies within a reference of a length, at least one base. */
export function clipped({ start, end }: Interval, length: number): Interval {
  const last = Math.min(end, length);
  return { start: Math.max(0, Math.min(start, last - 1)), end: Math.max(1, last) };
}
