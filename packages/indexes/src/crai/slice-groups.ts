/** Ranks of the slices of one reference, half-open. */
export interface SliceGroup {
  readonly first: number;
  readonly end: number;
}

/** Where the slices of each reference stand among all: typed arrays, as a hostile index names millions of references. */
export class SliceGroups {
  /** Of each group: ascending, with negative ones last. */
  readonly referenceIds: Int32Array;
  /** Of each group, its first slice; and the number of slices. */
  readonly #firsts: Uint32Array;

  /** Takes the reference of each slice, in the order of `referenceIds`. */
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

  /** The group of a reference; undefined if it has no slices. */
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
