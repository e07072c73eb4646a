import type { Permission } from '@htskit/htsget';
import type { JWTPayload } from 'jose';

/** The bearer of a valid token. */
export interface Bearer {
  readonly token: string;
  readonly claims: JWTPayload;
  /** When the token expires, in milliseconds since 1970-01-01 UTC. */
  readonly expires: number;
}

/** The object that a request of either protocol accesses. */
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
