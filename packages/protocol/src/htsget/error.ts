const STATUSES = {
  InvalidAuthentication: 401,
  PermissionDenied: 403,
  NotFound: 404,
  PayloadTooLarge: 413,
  UnsupportedFormat: 400,
  InvalidInput: 400,
  InvalidRange: 400,
  InternalServerError: 500,
} as const;

/** The error types of the protocol (htsget 1.3.1, "Errors"). */
export type HtsgetErrorCode = keyof typeof STATUSES;

/** The optional properties of an `HtsgetError`. */
export interface HtsgetErrorOptions {
  readonly cause?: unknown;
  /** The HTTP status if it is not the one that the protocol assigns to the error type: 405, 409 or 503. */
  readonly status?: number;
  /** The Retry-After header of a transient failure, in seconds. */
  readonly retryAfterSeconds?: number;
  /** The WWW-Authenticate header (RFC 6750 §3). Default `Bearer` if the status is 401. */
  readonly challenge?: string;
}

/**
 * An error that is sent to the client. The message is part of the response, so it must not contain URLs, headers or tokens;
 * `cause` is never sent.
 *
 * @example
 * throw new HtsgetError('NotFound', 'unknown id "NA12878"');
 */
export class HtsgetError extends Error {
  override readonly name = 'HtsgetError';
  readonly code: HtsgetErrorCode;
  /** HTTP status. */
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  readonly challenge: string | undefined;

  constructor(code: HtsgetErrorCode, message: string, options: HtsgetErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.status = options.status ?? STATUSES[code];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.challenge = options.challenge ?? (this.status === 401 ? 'Bearer' : undefined);
  }
}

/** The body of an error response (htsget 1.3.1, "Error body"). */
export interface HtsgetErrorBody {
  readonly htsget: { readonly error: HtsgetErrorCode; readonly message: string };
}

/** Converts an error to the body of its response, which is sent as application/json. */
export function toHtsgetErrorBody(error: HtsgetError): HtsgetErrorBody {
  return { htsget: { error: error.code, message: error.message } };
}

/** Creates the `HtsgetError` InvalidInput. */
export function invalidInput(message: string, cause?: unknown): HtsgetError {
  return new HtsgetError('InvalidInput', message, cause === undefined ? {} : { cause });
}
