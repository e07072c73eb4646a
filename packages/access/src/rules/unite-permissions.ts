import type { HtsgetFormat, HtsgetRegion, Permission, PermittedSamples } from '@htskit/protocol';

/** The limits of a permission. Undefined stands for no limit. */
export interface Limits {
  /** The array is frozen, so that its sorted form can be cached. */
  readonly regions?: readonly HtsgetRegion[] | undefined;
  readonly samples?: PermittedSamples | undefined;
  readonly formats?: readonly HtsgetFormat[] | undefined;
}

const KINDS = ['regions', 'samples', 'formats'] as const;

/**
 * Returns the permission for what at least one of several permits. If they limit more than one of regions, samples and formats, and
 * none permits everything, the first one decides, because such limits have no union that a permission could state.
 */
export function unitePermissions([first, ...others]: readonly Limits[], unions: RegionUnions): Permission {
  if (first === undefined) return 'forbidden';
  const all = [first, ...others];
  if (all.some((limits) => KINDS.every((kind) => limits[kind] === undefined))) return 'all';
  const limited = KINDS.filter((kind) => all.some((limits) => limits[kind] !== undefined));
  if (limited.length > 1 && others.length > 0) return unitePermissions([first], unions);
  const lists = all.flatMap(({ regions }) => (regions === undefined ? [] : [regions]));
  const samples = uniteSamples(all.map((limits) => limits.samples));
  const formats = limited.includes('formats') && [...new Set(all.flatMap((limits) => limits.formats ?? []))];
  return {
    regions: lists.length === 0 ? 'all' : unions.get(lists),
    ...(samples && { samples }),
    ...(formats && { formats }),
  };
}

/** Returns the samples that at least one of several permissions names. Undefined stands for all samples. */
export function uniteSamples(permissions: readonly (PermittedSamples | undefined)[]): PermittedSamples | undefined {
  const limits = permissions.filter((samples) => samples !== undefined);
  if (limits.length < permissions.length) return undefined;
  const listed = new Set(limits.flatMap((samples) => ('except' in samples ? [] : samples)));
  const [first, ...others] = limits.flatMap((samples) => ('except' in samples ? [new Set(samples.except)] : []));
  if (first === undefined) return [...listed];
  const hidden = [...first].filter((name) => !listed.has(name) && others.every((except) => except.has(name)));
  return { except: hidden };
}

type Regions = readonly HtsgetRegion[];

/** The maximum number of cached unions. Bearers who match the same rules share one. */
const MAX_UNIONS = 16;

/** Caches the concatenation of lists of regions, so that the same lists always yield the same frozen array. */
export class RegionUnions {
  /** In order of insertion. */
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
  return a.length === b.length && a.every((list, index) => list === b[index]);
}
