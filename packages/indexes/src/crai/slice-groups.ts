/** The slices of one reference, as a half-open range of indexes. */
export interface SliceGroup {
  readonly first: number;
  readonly end: number;
}

/**
 * The range of slices of each reference, in typed arrays, because a hostile index may name millions of references.
 */
export class SliceGroups {
  /** The reference of each group, in ascending order with negative ids last. */
  readonly referenceIds: Int32Array;
  /** The first slice of each group, followed by the number of slices. */
  readonly #firsts: Uint32Array;

  /** Takes the reference of each slice, in ascending order with negative ids last. */
  constructor(sliceReferenceIds: Int32Array) {
    let count = 0;
    for (let slice = 0; slice < sliceReferenceIds.length; slice++) if (isFirst(sliceReferenceIds, slice)) count++;
    this.referenceIds = new Int32Array(count);
    this.#firsts = new Uint32Array(count + 1).fill(sliceReferenceIds.length);
    let group = 0;
    for (let slice = 0; slice < sliceReferenceIds.length; slice++) {
      if (!isFirst(sliceReferenceIds, slice)) continue;
      this.referenceIds[group] = sliceReferenceIds[slice] ?? 0;
      this.#firsts[group] = slice;
      group += 1;
    }
  }

  /** Returns the slices of a reference, or undefined if it has none. */
  get(referenceId: number): SliceGroup | undefined {
    const { referenceIds } = this;
    let low = 0;
    let high = referenceIds.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((referenceIds[middle] ?? 0) >>> 0 < referenceId >>> 0) low = middle + 1;
      else high = middle;
    }
    return referenceIds[low] === referenceId ? this.#group(low) : undefined;
  }

  /** Iterates over all groups. */
  *all(): Generator<SliceGroup & { readonly referenceId: number }, void> {
    for (const [group, referenceId] of this.referenceIds.entries()) yield { referenceId, ...this.#group(group) };
  }

  #group(group: number): SliceGroup {
    return { first: this.#firsts[group] ?? 0, end: this.#firsts[group + 1] ?? 0 };
  }
}

function isFirst(referenceIds: Int32Array, slice: number): boolean {
  return slice === 0 || referenceIds[slice] !== referenceIds[slice - 1];
}
