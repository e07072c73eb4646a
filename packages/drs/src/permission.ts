import type { Permission } from '@htskit/protocol';
import { DrsError } from './drs-error.js';

/** A request for an object, before any lookup. */
export interface DrsAuthorizeInput {
  /** The request with its headers. The hook must not read its body. */
  readonly request: Request;
  /** The id as `resolve` receives it. The object may not exist. */
  readonly id: string;
  /** The GA4GH Passports in the body of a POST. */
  readonly passports: readonly string[];
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** The part of an object that a request may see. */
export interface DrsGrant {
  /** Whether all of the object may be seen. */
  readonly isWhole: boolean;
  readonly subject: string | undefined;
}

/** The members of a permission that do not limit it. */
const UNLIMITED: readonly string[] = ['regions', 'subject', 'visas'];

/**
 * Returns what may be seen. Throws `DrsError` UNAUTHORIZED or FORBIDDEN if nothing may be seen, and TypeError for any other value: a
 * hook that forgets to return must not permit everything.
 */
export function checkDrsPermission(permission: Permission): DrsGrant {
  if (permission === 'unauthenticated')
    throw new DrsError('UNAUTHORIZED', 'a valid bearer token or passport is required');
  if (permission === 'forbidden') throw new DrsError('FORBIDDEN', 'access to this object is denied');
  if (permission === 'all') return { isWhole: true, subject: undefined };
  const { regions, subject } = Object(permission) as { regions?: unknown; subject?: unknown };
  const isSubject = subject === undefined || typeof subject === 'string';
  if (!isSubject || regions === undefined) throw new TypeError('authorize() must return a Permission');
  const limits = Object.entries(permission).filter(([name, value]) => !UNLIMITED.includes(name) && value !== undefined);
  return { isWhole: regions === 'all' && limits.length === 0, subject };
}
