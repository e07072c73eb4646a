/**
 * Returns the first index from `start` to before `end` at which a condition holds, or `end` if it holds at none of them. It must
 * also hold at all later ones: binary search finds it.
 */
export function firstIndex(end: number, holds: (index: number) => boolean, start = 0): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
