import type { Permission } from '@htskit/htsget';
import { HtsgetError, RefgetError } from '@htskit/protocol';
import type { JWTPayload } from 'jose';

/** The bearer of a valid token. */
export interface Bearer {
  readonly token: string;
  readonly claims: JWTPayload;
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

/** The token is missing or invalid, the bearer lacks access, or the decision is not available now. */
export type AuthErrorCode = 'UNAUTHENTICATED' | 'FORBIDDEN' | 'UNAVAILABLE';

export interface AuthErrorOptions {
  /** The value of the WWW-Authenticate header (RFC 6750 §3). */
  readonly challenge?: string;
  /** Must contain neither a token nor its claims. */
  readonly cause?: unknown;
}

/** Why a request of either protocol is refused. Clients see the message, so it must not contain URLs or tokens. */
export class AuthError extends Error {
  override readonly name = 'AuthError';
  readonly code: AuthErrorCode;
  readonly challenge: string | undefined;

  constructor(code: AuthErrorCode, message: string, options: AuthErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.challenge = options.challenge;
  }
}

/** The Retry-After of a decision that is not available, in seconds. */
const RETRY_AFTER_SECONDS = 5;

/** Converts the error to one of htsget: 401, 403, or 503 with Retry-After. */
export function toHtsgetError({ code, message, challenge, cause }: AuthError): HtsgetError {
  const options = challenge === undefined ? {} : { challenge };
  switch (code) {
    case 'UNAUTHENTICATED':
      return new HtsgetError('InvalidAuthentication', message, options);
    case 'FORBIDDEN':
      return new HtsgetError('PermissionDenied', message, options);
    case 'UNAVAILABLE': {
      const retry = { status: 503, retryAfterSeconds: RETRY_AFTER_SECONDS };
      return new HtsgetError('InternalServerError', message, { ...retry, cause });
    }
  }
}

/** Converts the error to one of refget: 401, 403, or 503 with Retry-After. */
export function toRefgetError({ code, message, challenge, cause }: AuthError): RefgetError {
  const options = challenge === undefined ? {} : { challenge };
  switch (code) {
    case 'UNAUTHENTICATED':
      return new RefgetError('Unauthorized', message, options);
    case 'FORBIDDEN':
      return new RefgetError('Forbidden', message, options);
    case 'UNAVAILABLE':
      return new RefgetError('Service Unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
  }
}
