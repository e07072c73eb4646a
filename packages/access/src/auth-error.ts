import { HtsgetError, RefgetError } from '@htskit/protocol';

/** The token is missing or invalid, the bearer lacks access, or the decision is not available now. */
export type AuthErrorCode = 'UNAUTHENTICATED' | 'FORBIDDEN' | 'UNAVAILABLE';

export interface AuthErrorOptions {
  /** The value of the WWW-Authenticate header (RFC 6750 §3). */
  readonly challenge?: string;
  /** Must contain neither a token nor its claims. */
  readonly cause?: unknown;
}

/** Why a request is refused, whatever its protocol. Clients see the message, so it must not contain URLs or tokens. */
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
