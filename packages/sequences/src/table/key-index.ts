/**
 * A hash table of the rows of a column, by their content: open addressing with linear probing. Plain arrays, so that it can be
 * saved, and posted between threads without copying.
 */
export interface KeyIndex {
  /** The first row of each distinct key plus 1, or 0 for an empty slot. The length is a power of two. */
  readonly slots: Uint32Array;
  /** For each row, the next row with an equal key, or 0 for none. Empty if all keys are distinct. */
  readonly next: Uint32Array;
}

/** The keys of the rows of a column. */
export interface KeyColumn {
  readonly length: number;
  hash(row: number): number;
  isEqual(row: number, other: number): boolean;
}

/** The maximum number of rows per slot. Lookups of unknown keys then probe two or three slots on average. */
const MAX_LOAD = 0.7;

/** Builds the index of a column. Yields now and then, so that the caller can let other work of the process run. */
export function* buildKeyIndex(keys: KeyColumn): Generator<void, KeyIndex> {
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(keys.length / MAX_LOAD + 1)));
  let next: Uint32Array = new Uint32Array(0);
  // From the last row, so that equal keys are chained in ascending order at no cost.
  for (let row = keys.length - 1; row >= 0; row--) {
    const slot = findSlot(slots, keys.hash(row), (other) => keys.isEqual(row, other));
    const other = slots[slot] ?? 0;
    if (other > 0) {
      if (next.length === 0) next = new Uint32Array(keys.length);
      next[row] = other - 1;
    }
    slots[slot] = row + 1;
    if (row % STEPS === 0) yield;
  }
  return { slots, next };
}

const STEPS = 4096;

/** Returns the rows of a key, in ascending order. */
export function* findRows(
  { slots, next }: KeyIndex,
  hash: number,
  isEqual: (row: number) => boolean,
): Generator<number, void> {
  const first = slots[findSlot(slots, hash, isEqual)] ?? 0;
  if (first === 0) return;
  yield first - 1;
  // Row 0 follows no other row.
  for (let row = next[first - 1] ?? 0; row > 0; row = next[row] ?? 0) yield row;
}

/** Returns the slot of a key, or the empty slot in which it belongs. */
function findSlot(slots: Uint32Array, hash: number, isEqual: (row: number) => boolean): number {
  const mask = slots.length - 1;
  let slot = hash & mask;
  for (let row = slots[slot] ?? 0; row > 0 && !isEqual(row - 1); row = slots[slot] ?? 0) slot = (slot + 1) & mask;
  return slot;
}

/** Returns whether an index of `length` rows is such that every lookup ends and finds existing rows only. */
export function isKeyIndex({ slots, next }: KeyIndex, length: number): boolean {
  const isPowerOfTwo = slots.length > 0 && (slots.length & (slots.length - 1)) === 0;
  if (!isPowerOfTwo || !slots.includes(0) || slots.some((row) => row > length)) return false;
  if (next.length !== 0 && next.length !== length) return false;
  return next.every((row, index) => row === 0 || (row > index && row < length));
}
