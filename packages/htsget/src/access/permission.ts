import {
  type Datatype,
  HtsgetError,
  type HtsgetFormat,
  type HtsgetQuery,
  type HtsgetRegion,
  type Permission,
  type PermittedSamples,
} from '@htskit/protocol';
import type { ReferenceInterval } from '../plan/plan.js';
import type { PlanQuery } from '../plan/plan-input.js';
import { mergeIntervals } from '../plan/reference-intervals.js';

/** A request for a ticket, before any lookup. */
export interface AuthorizeInput {
  /** The request with its headers. Its body must not be read. */
  readonly request: Request;
  readonly datatype: Datatype;
  /** The id as `resolve` receives it. The object may not exist. */
  readonly id: string;
  readonly signal: AbortSignal;
}

/** The part of an object that a request may see. */
export type Grant = 'all' | { readonly regions: 'all' | readonly HtsgetRegion[]; readonly samples?: PermittedSamples };

/** A permission for something. */
export interface CheckedPermission {
  readonly grant: Grant;
  readonly formats?: readonly HtsgetFormat[] | undefined;
  readonly subject: string | undefined;
  readonly visas?: readonly string[] | undefined;
}

/** The maximum number of characters of a subject, that of the claim `sub` of OpenID Connect. */
const MAX_SUBJECT_LENGTH = 255;

/**
 * Returns what may be seen, and the subject. Throws `HtsgetError` InvalidAuthentication or PermissionDenied if nothing may be
 * seen, and TypeError for any other value: a hook that forgets to return must not permit everything.
 */
export function checkPermission(permission: Permission): CheckedPermission {
  if (permission === 'unauthenticated') {
    throw new HtsgetError('InvalidAuthentication', 'a valid bearer token is required');
  }
  if (permission === 'forbidden') throw new HtsgetError('PermissionDenied', 'access to this object is denied');
  if (permission === 'all') return { grant: 'all', subject: undefined };
  const { regions, samples, formats, subject, visas } = Object(permission) as Readonly<Record<string, unknown>>;
  const isSubject = subject === undefined || (typeof subject === 'string' && subject.length <= MAX_SUBJECT_LENGTH);
  const isLimited = samples === undefined || isSamples(samples);
  if (!isSubject || !isRegions(regions) || !isLimited || !areTexts<HtsgetFormat>(formats) || !areTexts(visas)) {
    throw new TypeError('authorize() must return a Permission');
  }
  return { grant: regions === 'all' && samples === undefined ? 'all' : { regions, samples }, formats, subject, visas };
}

function areTexts<Text extends string>(texts: unknown): texts is readonly Text[] | undefined {
  return texts === undefined || (Array.isArray(texts) && texts.every((text) => typeof text === 'string'));
}

function isRegions(regions: unknown): regions is 'all' | readonly HtsgetRegion[] {
  return regions === 'all' || Array.isArray(regions);
}

function isSamples(samples: unknown): samples is PermittedSamples {
  const names: unknown = Array.isArray(samples) ? samples : (Object(samples) as { except?: unknown }).except;
  return Array.isArray(names) && names.every((name) => typeof name === 'string');
}

/**
 * Throws `HtsgetError` PermissionDenied for a format that is not one of those permitted, and if only some regions or samples may be
 * seen and the format cannot be cut to them. `listAvailable` returns the formats that the object can be answered in.
 */
export function checkFormat(
  { permission, formats }: { readonly permission: Grant; readonly formats?: readonly HtsgetFormat[] | undefined },
  query: HtsgetQuery,
  listAvailable: () => readonly HtsgetFormat[],
): void {
  if (formats?.includes(query.format) === false) {
    throw new HtsgetError(
      'PermissionDenied',
      `access is limited to some formats; request ${formats.join(' or ') || 'none'}`,
    );
  }
  if (typeof permission !== 'object' || query.format !== 'CRAM') return;
  // The header names all samples.
  if (query.class === 'header' && permission.samples === undefined) return;
  const advice = listAvailable().includes('BAM') ? '; request BAM' : '';
  const limit = permission.samples === undefined ? 'regions' : 'samples';
  const message = `access is limited to some ${limit}, and CRAM cannot be cut to them${advice}`;
  throw new HtsgetError('PermissionDenied', message);
}

/**
 * Returns the permitted part of a query: of a whole file, the permitted regions, and of all samples, the permitted ones. Throws `HtsgetError` PermissionDenied if none
 * of the requested regions is permitted.
 */
export function restrictQuery(query: HtsgetQuery, permission: Grant): HtsgetQuery & PlanQuery {
  if (typeof permission !== 'object') return query;
  const { regions, samples: permittedSamples } = permission;
  if (query.class === 'header' || regions === 'all') return { ...query, permittedSamples };
  if (query.regions === undefined) return { ...query, permittedSamples, regions, skipsUnknown: true };
  return { ...query, permittedSamples, regions: restrictRegions(query.regions, regions) };
}

/**
 * Returns the permitted parts of the requested regions, by reference and then by start, merged where they touch. An empty
 * region is permitted anywhere within a permitted region. An invalid region is kept, so that planning can reject it. Throws
 * `HtsgetError` PermissionDenied if nothing is left.
 *
 * Takes as long as sorting both arrays. The regions of a frozen array are sorted when they are first seen; later calls look
 * only at those on the requested references.
 */
export function restrictRegions(
  requested: readonly HtsgetRegion[],
  permitted: readonly HtsgetRegion[],
): HtsgetRegion[] {
  const permittedByName = permittedIntervals(permitted);
  const requestedByName = groupByName(requested);
  const regions = Array.from(requestedByName, ([name, group]) =>
    restrictReference(group, permittedByName.get(name)),
  ).flat();
  if (regions.length === 0) throw new HtsgetError('PermissionDenied', 'access to this region is denied');
  return regions;
}

type IntervalsByName = ReadonlyMap<string, readonly ReferenceInterval[]>;

/** A cache for frozen arrays: any other array may change before the next request. Sorting 100,000 regions takes 100 ms. */
const sortedIntervals = new WeakMap<readonly HtsgetRegion[], IntervalsByName>();

/** Returns the permitted intervals of each reference, sorted and disjoint. */
function permittedIntervals(permitted: readonly HtsgetRegion[]): IntervalsByName {
  const known = sortedIntervals.get(permitted);
  if (known !== undefined) return known;
  const merge = (regions: readonly HtsgetRegion[]): ReferenceInterval[] =>
    mergeIntervals(regions.map(toInterval).filter(({ start, end }) => start <= end));
  const intervals = new Map(Array.from(groupByName(permitted), ([name, regions]) => [name, merge(regions)]));
  if (Object.isFrozen(permitted)) sortedIntervals.set(permitted, intervals);
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

/** Does the work of `restrictRegions` for regions of one reference. */
function restrictReference(
  requested: readonly HtsgetRegion[],
  permitted: readonly ReferenceInterval[] | undefined,
): HtsgetRegion[] {
  if (permitted === undefined) return [];
  const intervals = requested.map(toInterval);
  const empty = intervals.filter(({ start, end }) => start === end);
  const filled = intervals.filter(({ start, end }) => start < end);
  return [
    ...requested.filter(({ start = 0, end = Number.MAX_SAFE_INTEGER }) => start > end),
    ...intersect(mergeIntervals(empty), permitted).map(toRegion),
    ...intersect(mergeIntervals(filled), permitted).map(toRegion),
  ];
}

/**
 * Returns the intersection of two lists, both sorted and disjoint. An empty interval of the first list is kept if it touches
 * one of the second.
 */
function intersect(
  requested: readonly ReferenceInterval[],
  permitted: readonly ReferenceInterval[],
): ReferenceInterval[] {
  const common: ReferenceInterval[] = [];
  let index = 0;
  for (const interval of requested) {
    for (let other = permitted[index]; other !== undefined && other.start <= interval.end; other = permitted[index]) {
      const start = Math.max(interval.start, other.start);
      const end = Math.min(interval.end, other.end);
      if (start < end || (start === end && interval.start === interval.end)) common.push({ ...interval, start, end });
      if (interval.end <= other.end) break;
      index += 1;
    }
  }
  return common;
}

/** Intervals of a single reference need no `referenceId`. */
function toInterval({ referenceName, start = 0, end = Number.MAX_SAFE_INTEGER }: HtsgetRegion): ReferenceInterval {
  return { referenceId: 0, referenceName, start, end };
}

function toRegion({ referenceName, start, end }: ReferenceInterval): HtsgetRegion {
  return start === 0 && end === Number.MAX_SAFE_INTEGER ? { referenceName } : { referenceName, start, end };
}
