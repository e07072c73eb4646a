import { type Datatype, HtsgetError, type HtsgetQuery, type HtsgetRegion } from '@htskit/protocol';
import type { ReferenceInterval, StoredFormat } from './plan.js';
import { mergeIntervals, type RegionsQuery } from './reference-intervals.js';

/** Who asks for what, before anything is looked up. */
export interface AuthorizeInput {
  /** With its headers; its body is not to be read. */
  readonly request: Request;
  readonly datatype: Datatype;
  /** As for `resolve`. There need not be such an object. */
  readonly id: string;
  readonly signal: AbortSignal;
}

/**
 * What may be seen of an object: all of it; nothing, for want of a valid token (401) or whoever asks (403); or nothing but
 * the records that overlap some regions, and the header. The region of the name `*` stands for unplaced reads. An array of
 * many regions that stands for many requests is better frozen: it is then sorted once, so its regions must not change either.
 */
export type Permission = 'all' | 'unauthenticated' | 'forbidden' | { readonly regions: readonly HtsgetRegion[] };

/**
 * Throws `HtsgetError` InvalidAuthentication or PermissionDenied where nothing may be seen, and a TypeError for what is no
 * permission: a hook that forgets to answer must not permit everything.
 */
export function checkPermission(permission: Permission): void {
  if (permission === 'unauthenticated') {
    throw new HtsgetError('InvalidAuthentication', 'a valid bearer token is needed');
  }
  if (permission === 'forbidden') throw new HtsgetError('PermissionDenied', 'this object may not be read');
  if (permission === 'all') return;
  const { regions } = Object(permission) as { regions?: unknown };
  if (!Array.isArray(regions)) throw new TypeError('authorize answered with no permission');
}

/**
 * Throws `HtsgetError` PermissionDenied where only some regions may be seen and the format cannot be cut to them; `files` are
 * those of the object.
 */
export function checkFormat(
  permission: Permission,
  query: HtsgetQuery,
  files: readonly { readonly format: StoredFormat }[],
): void {
  if (typeof permission !== 'object' || query.class === 'header' || query.format !== 'CRAM') return;
  const advice = files.some(({ format }) => format === 'BAM') ? '; ask for BAM' : '';
  throw new HtsgetError('PermissionDenied', `only some regions may be read, which CRAM cannot be cut to${advice}`);
}

/**
 * The part of the query that is permitted; of a whole file, the regions that are. Throws `HtsgetError` PermissionDenied
 * where none of the regions asked for is.
 */
export function restrictQuery(query: HtsgetQuery, permission: Permission): HtsgetQuery & RegionsQuery {
  if (typeof permission !== 'object' || query.class === 'header') return query;
  if (query.regions === undefined) return { ...query, regions: permission.regions, skipsUnknown: true };
  return { ...query, regions: confineRegions(query.regions, permission.regions) };
}

/**
 * The parts of the regions asked for that are permitted, by reference and then by start, those that touch as one. An empty
 * region is permitted wherever it lies within one that is; one that is none stays, to be told later. Throws `HtsgetError`
 * PermissionDenied if nothing is left. Takes as long as sorting both; those permitted by a frozen array are
 * sorted when they are first seen, and then only those of the references asked for are looked at.
 */
export function confineRegions(asked: readonly HtsgetRegion[], permitted: readonly HtsgetRegion[]): HtsgetRegion[] {
  const allowedByName = allowedIntervals(permitted);
  const askedByName = groupByName(asked);
  const regions = Array.from(askedByName, ([name, some]) => confineReference(some, allowedByName.get(name))).flat();
  if (regions.length === 0) throw new HtsgetError('PermissionDenied', 'the region may not be read');
  return regions;
}

type IntervalsByName = ReadonlyMap<string, readonly ReferenceInterval[]>;

/** Of frozen arrays, since others may hold other regions by the next request; 100,000 take 100 ms to sort. */
const knownIntervals = new WeakMap<readonly HtsgetRegion[], IntervalsByName>();

/** What some regions permit, by the names of references: sorted, and apart. */
function allowedIntervals(permitted: readonly HtsgetRegion[]): IntervalsByName {
  const known = knownIntervals.get(permitted);
  if (known !== undefined) return known;
  const merge = (regions: readonly HtsgetRegion[]): ReferenceInterval[] =>
    mergeIntervals(regions.map(toInterval).filter(({ start, end }) => start <= end));
  const intervals = new Map(Array.from(groupByName(permitted), ([name, regions]) => [name, merge(regions)]));
  if (Object.isFrozen(permitted)) knownIntervals.set(permitted, intervals);
  return intervals;
}

function groupByName(regions: readonly HtsgetRegion[]): ReadonlyMap<string, readonly HtsgetRegion[]> {
  const groups = new Map<string, HtsgetRegion[]>();
  for (const region of regions) {
    const group = groups.get(region.referenceName);
    if (group === undefined) groups.set(region.referenceName, [region]);
    else group.push(region);
  }
  return groups;
}

/** `confineRegions` for regions of one reference; undefined where nothing of it is permitted. */
function confineReference(
  asked: readonly HtsgetRegion[],
  allowed: readonly ReferenceInterval[] | undefined,
): HtsgetRegion[] {
  if (allowed === undefined) return [];
  const wanted = asked.map(toInterval);
  const [filled, empty] = [
    wanted.filter(({ start, end }) => start < end),
    wanted.filter(({ start, end }) => start === end),
  ];
  return [
    ...asked.filter(({ start = 0, end = Number.MAX_SAFE_INTEGER }) => start > end),
    ...intersect(mergeIntervals(empty), allowed).map(toRegion),
    ...intersect(mergeIntervals(filled), allowed).map(toRegion),
  ];
}

/** What two lists have in common, both sorted and apart; an empty interval of the first wherever it touches the second. */
function intersect(asked: readonly ReferenceInterval[], allowed: readonly ReferenceInterval[]): ReferenceInterval[] {
  const common: ReferenceInterval[] = [];
  let rank = 0;
  for (const interval of asked) {
    for (let other = allowed[rank]; other !== undefined && other.start <= interval.end; other = allowed[rank]) {
      const start = Math.max(interval.start, other.start);
      const end = Math.min(interval.end, other.end);
      if (start < end || (start === end && interval.start === interval.end)) common.push({ ...interval, start, end });
      if (interval.end <= other.end) break;
      rank += 1;
    }
  }
  return common;
}

/** `referenceId` is of no account among intervals of one reference. */
function toInterval({ referenceName, start = 0, end = Number.MAX_SAFE_INTEGER }: HtsgetRegion): ReferenceInterval {
  return { referenceId: 0, referenceName, start, end };
}

function toRegion({ referenceName, start, end }: ReferenceInterval): HtsgetRegion {
  return start === 0 && end === Number.MAX_SAFE_INTEGER ? { referenceName } : { referenceName, start, end };
}
