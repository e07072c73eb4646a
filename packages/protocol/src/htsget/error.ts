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
export type HtsgetErrorName = keyof typeof STATUSES;

export interface HtsgetErrorOptions {
  readonly cause?: unknown;
  /** Where the status differs from the one that the protocol gives to the error type: 405, 409 or 503. */
  readonly status?: number;
  /** For the Retry-After header of a failure that may pass. */
  readonly retryAfterSeconds?: number;
  /** For the WWW-Authenticate header (RFC 6750 §3); where it is left out, a 401 says `Bearer`. */
  readonly challenge?: string;
}

/** A request that is answered with an error. Clients are shown the message: it holds no URL, header or token. */
export class HtsgetError extends Error {
  override readonly name = 'HtsgetError';
  readonly code: HtsgetErrorName;
  /** HTTP status. */
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  readonly challenge: string | undefined;

  constructor(code: HtsgetErrorName, message: string, options: HtsgetErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.status = options.status ?? STATUSES[code];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.challenge = options.challenge ?? (this.status === 401 ? 'Bearer' : undefined);
  }
}

/** Body of an error response (htsget 1.3.1, "Error body"). */
export interface HtsgetErrorBody {
  readonly htsget: { readonly error: HtsgetErrorName; readonly message: string };
}

/** The body that answers with the error, as application/json. */
export function toErrorBody(error: HtsgetError): HtsgetErrorBody {
  return { htsget: { error: error.code, message: error.message } };
}
