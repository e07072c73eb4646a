import { firstIndex } from '@htskit/io/internal';
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

/** The range of slices of each reference, in typed arrays, because a hostile index may name millions of references. */
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
    const isNotBefore = (group: number): boolean => (referenceIds[group] ?? 0) >>> 0 >= referenceId >>> 0;
    const found = firstIndex(referenceIds.length, isNotBefore);
    return referenceIds[found] === referenceId ? this.#group(found) : undefined;
  }

  /** Returns the reference of a slice. */
  referenceOf(slice: number): number {
    const next = firstIndex(this.referenceIds.length, (group) => (this.#firsts[group] ?? 0) > slice);
    return this.referenceIds[Math.max(0, next - 1)] ?? 0;
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

/** The slices of each container, in typed arrays. */
export class SlicesByContainer {
  readonly #slices: Uint32Array;
  /** The end of the slices of each container, which are those from the end of the previous one. */
  readonly #ends: Uint32Array;

  /** Takes the container of each slice, and the number of containers. */
  constructor(containers: Uint32Array, containerCount: number) {
    this.#slices = new Uint32Array(containers.length);
    this.#ends = new Uint32Array(containerCount);
    // Counts the slices of the containers before each one, and then advances that number by each slice that is placed.
    for (const container of containers) {
      if (container + 1 < containerCount) this.#ends[container + 1] = (this.#ends[container + 1] ?? 0) + 1;
    }
    for (let container = 1; container < containerCount; container++) {
      this.#ends[container] = (this.#ends[container] ?? 0) + (this.#ends[container - 1] ?? 0);
    }
    for (let slice = 0; slice < containers.length; slice++) {
      const container = containers[slice] ?? 0;
      const at = this.#ends[container] ?? 0;
      this.#slices[at] = slice;
      this.#ends[container] = at + 1;
    }
  }

  /** Returns the slices of a container. */
  slicesOf(container: number): Uint32Array {
    return this.#slices.subarray(this.#ends[container - 1] ?? 0, this.#ends[container]);
  }
}
