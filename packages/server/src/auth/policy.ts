import type { Permission } from '@htskit/htsget';
import type { JWTPayload } from 'jose';

/** Whoever sent a valid token. */
export interface Bearer {
  readonly token: string;
  readonly claims: JWTPayload;
  /** Milliseconds since 1970-01-01 UTC at which the token ends. */
  readonly expires: number;
}

/** What is asked for, of either protocol. */
export interface AccessRequest {
  /** `reads` or `variants`; of refget, the first segment of the path: `sequence`, `collection`, `comparison`, … */
  readonly datatype: string;
  /** Decoded. */
  readonly id: string;
  readonly method: string;
  readonly signal: AbortSignal;
}

/** Says what a bearer may see. Throws AuthError UNAVAILABLE where that cannot be found out. */
export type Policy = (bearer: Bearer, request: AccessRequest) => Permission | Promise<Permission>;

/** What globs are matched with. */
export function accessPath({ datatype, id }: Pick<AccessRequest, 'datatype' | 'id'>): string {
  return `${datatype}/${id}`;
}
