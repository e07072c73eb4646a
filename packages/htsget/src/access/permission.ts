import { type Datatype, HtsgetError, type HtsgetQuery, type HtsgetRegion } from '@htskit/protocol';
import type { StoredFile } from '../file/stored-file.js';

/** A request for a ticket, before any lookup. */
export interface AuthorizeInput {
  /** The request with its headers. Its body must not be read. */
  readonly request: Request;
  readonly datatype: Datatype;
  /** The id as `resolve` receives it. The object may not exist. */
  readonly id: string;
  readonly signal: AbortSignal;
}

/**
 * The part of an object that a request may see: everything, nothing for lack of a valid token (401), nothing for this client (403), or
 * only the header and the records that overlap some regions. The region `*` stands for unplaced reads. Freeze an array of many
 * regions that serves many requests: it is sorted once, and neither it nor its regions may change afterwards.
 */
export type Permission = 'all' | 'unauthenticated' | 'forbidden' | { readonly regions: readonly HtsgetRegion[] };

/**
 * Throws `HtsgetError` InvalidAuthentication or PermissionDenied if nothing may be seen, and TypeError for any other value: a
 * hook that forgets to return must not permit everything.
 */
export function checkPermission(permission: Permission): void {
  if (permission === 'unauthenticated') {
    throw new HtsgetError('InvalidAuthentication', 'a valid bearer token is required');
  }
  if (permission === 'forbidden') throw new HtsgetError('PermissionDenied', 'access to this object is denied');
  if (permission === 'all') return;
  const { regions } = Object(permission) as { regions?: unknown };
  if (!Array.isArray(regions)) throw new TypeError('authorize() must return a Permission');
}

/**
 * Throws `HtsgetError` PermissionDenied if only some regions may be seen and the format cannot be cut to them. `files` are the
 * files of the object.
 */
export function checkFormat(
  permission: Permission,
  query: HtsgetQuery,
  files: readonly Pick<StoredFile, 'format'>[],
): void {
  if (typeof permission !== 'object' || query.class === 'header' || query.format !== 'CRAM') return;
  const advice = files.some(({ format }) => format === 'BAM') ? '; request BAM' : '';
  const message = `access is limited to some regions, and CRAM cannot be cut to them${advice}`;
  throw new HtsgetError('PermissionDenied', message);
}
