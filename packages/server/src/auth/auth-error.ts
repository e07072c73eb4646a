import { HtsgetError, RefgetError } from '@htskit/protocol';

/** No valid token was given, the token's bearer may not see what is asked for, or neither can be found out now. */
export type AuthErrorCode = 'UNAUTHENTICATED' | 'FORBIDDEN' | 'UNAVAILABLE';

export interface AuthErrorOptions {
  /** For the WWW-Authenticate header (RFC 6750 §3). */
  readonly challenge?: string;
  /** Neither a token nor its claims are in it. */
  readonly cause?: unknown;
}

/** Why a request is refused, whichever protocol it is of. Clients are shown the message: it holds no URL and no token. */
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

/** Seconds after which a client may ask again what cannot be decided now. */
const RETRY_AFTER_SECONDS = 5;

/** The answer of htsget: 401, 403, or 503 with Retry-After. */
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

/** The answer of refget: 401, 403, or 503 with Retry-After. */
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
