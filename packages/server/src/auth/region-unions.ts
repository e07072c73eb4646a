import type { HtsgetRegion } from '@htskit/protocol';

type Regions = readonly HtsgetRegion[];

/** Unions that are kept, each of some rules: bearers who match the same rules have the same one. */
const MAX_UNIONS = 16;

/** The regions of several lists together, each time the same frozen array for the same lists. */
export class RegionUnions {
  /** The oldest first. */
  readonly #unions: { readonly lists: readonly Regions[]; readonly regions: Regions }[] = [];

  get(lists: readonly Regions[]): Regions {
    const [first, ...others] = lists;
    if (first !== undefined && others.length === 0) return first;
    const known = this.#unions.find((union) => isSame(union.lists, lists));
    if (known !== undefined) return known.regions;
    const regions = Object.freeze(lists.flat());
    if (this.#unions.push({ lists, regions }) > MAX_UNIONS) this.#unions.shift();
    return regions;
  }
}

function isSame(a: readonly Regions[], b: readonly Regions[]): boolean {
  return a.length === b.length && a.every((list, rank) => list === b[rank]);
}
