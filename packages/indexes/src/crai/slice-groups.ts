/** The slices of one reference, as a half-open range of indexes. */
export interface SliceGroup {
  readonly first: number;
  readonly end: number;
}

/** The groups of slices, in typed arrays. */
export interface SliceGroupColumns {
  /** The reference of each group, in ascending order with negative ids last. */
  readonly groupIds: Int32Array;
  /** The first slice of each group, followed by the number of slices. */
  readonly groupFirsts: Uint32Array;
}

/** Groups slices by the reference of each, in ascending order with negative ids last. */
export function groupSlices(sliceReferenceIds: Int32Array): SliceGroupColumns {
  let count = 0;
  for (let slice = 0; slice < sliceReferenceIds.length; slice++) if (isFirst(sliceReferenceIds, slice)) count++;
  const groupIds = new Int32Array(count);
  const groupFirsts = new Uint32Array(count + 1).fill(sliceReferenceIds.length);
  let group = 0;
  for (let slice = 0; slice < sliceReferenceIds.length; slice++) {
    if (!isFirst(sliceReferenceIds, slice)) continue;
    groupIds[group] = sliceReferenceIds[slice] ?? 0;
    groupFirsts[group] = slice;
    group += 1;
  }
  return { groupIds, groupFirsts };
}

/**
 * The range of slices of each reference, in typed arrays, because a hostile index may name millions of references.
 */
export class SliceGroups {
  readonly referenceIds: Int32Array;
  readonly #firsts: Uint32Array;

  /** Takes the columns that `groupSlices` returns. */
  constructor({ groupIds, groupFirsts }: SliceGroupColumns) {
    this.referenceIds = groupIds;
    this.#firsts = groupFirsts;
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
