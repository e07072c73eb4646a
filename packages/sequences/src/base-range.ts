import type { BaseRange } from './sequence.js';

/** Throws RangeError unless the range is of whole numbers and lies within `length` bases. */
export function checkBaseRange({ start, end }: BaseRange, length: number): void {
  const isRange = Number.isSafeInteger(start) && Number.isSafeInteger(end) && 0 <= start && start <= end;
  if (isRange && end <= length) return;
  throw new RangeError(`bases ${start} to ${end} are not within a sequence of ${length}`);
}
