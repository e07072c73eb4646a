import { type Datatype, HtsgetError, type HtsgetQuery, type HtsgetRegion } from '@htskit/protocol';
import type { StoredFormat } from './plan.js';
import type { RegionsQuery } from './reference-intervals.js';

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
 * the records that overlap some regions, and the header. The region of the name `*` stands for unplaced reads.
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
export function confineQuery(query: HtsgetQuery, permission: Permission): HtsgetQuery & RegionsQuery {
  if (typeof permission !== 'object' || query.class === 'header') return query;
  if (query.regions === undefined) return { ...query, regions: permission.regions, skipsUnknown: true };
  return { ...query, regions: confineRegions(query.regions, permission.regions) };
}

/** The parts of the regions asked for that are permitted. Throws `HtsgetError` PermissionDenied if there are none. */
export function confineRegions(asked: readonly HtsgetRegion[], permitted: readonly HtsgetRegion[]): HtsgetRegion[] {
  const byName = new Map<string, HtsgetRegion[]>();
  for (const region of permitted) {
    const others = byName.get(region.referenceName);
    if (others === undefined) byName.set(region.referenceName, [region]);
    else others.push(region);
  }
  const regions = asked.flatMap((region) =>
    (byName.get(region.referenceName) ?? []).flatMap((other) => intersect(region, other)),
  );
  if (regions.length === 0) throw new HtsgetError('PermissionDenied', 'the region may not be read');
  return regions;
}

/** An empty region is permitted wherever it lies within one that is; one that is none stays, to be told later. */
function intersect(a: HtsgetRegion, b: HtsgetRegion): HtsgetRegion[] {
  if (a.referenceName !== b.referenceName) return [];
  if (a.start !== undefined && a.end !== undefined && a.start > a.end) return [a];
  const start = Math.max(a.start ?? 0, b.start ?? 0);
  const end = Math.min(a.end ?? Number.MAX_SAFE_INTEGER, b.end ?? Number.MAX_SAFE_INTEGER);
  const { referenceName } = a;
  if (start > end || (start === end && a.start !== a.end)) return [];
  return [
    a.start === undefined && b.start === undefined && a.end === undefined && b.end === undefined
      ? { referenceName }
      : { referenceName, start, end },
  ];
}
