import type { Permission } from '@htskit/protocol';
import type { JWTPayload } from 'jose';
import type { AuthError } from './auth-error.js';
import type { Visa } from './passport/visa.js';

/** The bearer of a valid token. */
export interface Bearer {
  readonly token: string;
  /** The claims of the token. Empty for a bearer who has only visas. */
  readonly claims: JWTPayload;
  /** The claim `sub` of the token or passport. */
  readonly subject?: string | undefined;
  /** The valid visas of the bearer. */
  readonly visas?: readonly Visa[] | undefined;
  /** Whether only visas may grant something: the token is a passport, or lacks the scope of the request. Default false. */
  readonly hasOnlyVisas?: boolean | undefined;
  /** Why some visas could not be verified now. */
  readonly fault?: AuthError | undefined;
}

/** The object that a request accesses, whatever its protocol. */
export interface AccessRequest {
  /** `reads`, `variants`, or the first segment of a refget path: `sequence`, `collection`, `comparison`, … */
  readonly datatype: string;
  /** The decoded id. */
  readonly id: string;
  readonly method: string;
  readonly signal: AbortSignal;
}

/** Decides what a bearer may see. Throws AuthError UNAVAILABLE if no decision is possible. */
export type Policy = (bearer: Bearer, request: AccessRequest) => Permission | Promise<Permission>;

/** Returns the path that globs are matched with. */
export function accessPath({ datatype, id }: Pick<AccessRequest, 'datatype' | 'id'>): string {
  return `${datatype}/${id}`;
}
