const STATUSES = {
  'Bad Request': 400,
  Unauthorized: 401,
  Forbidden: 403,
  'Not Found': 404,
  'Method Not Allowed': 405,
  'Not Acceptable': 406,
  Conflict: 409,
  'Content Too Large': 413,
  'Range Not Satisfiable': 416,
  'Internal Server Error': 500,
  'Not Implemented': 501,
  'Service Unavailable': 503,
} as const;

/** The error types of the protocol (refget 2.0.0, "Errors"), and those of HTTP that a service needs besides. */
export type RefgetErrorCode = keyof typeof STATUSES;

export interface RefgetErrorOptions {
  readonly cause?: unknown;
  /** For the Retry-After header of a failure that may pass. */
  readonly retryAfterSeconds?: number;
  /** For the WWW-Authenticate header (RFC 6750 §3); where it is left out, a 401 says `Bearer`. */
  readonly challenge?: string;
}

/** A request that is answered with an error. Clients are shown the message: it holds no URL, header or token. */
export class RefgetError extends Error {
  override readonly name = 'RefgetError';
  readonly code: RefgetErrorCode;
  /** HTTP status. */
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  readonly challenge: string | undefined;

  constructor(code: RefgetErrorCode, message: string, options: RefgetErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.status = STATUSES[code];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.challenge = options.challenge ?? (this.status === 401 ? 'Bearer' : undefined);
  }
}

/** Body of an error response; the protocol leaves its shape open. */
export interface RefgetErrorBody {
  readonly status: number;
  readonly type: RefgetErrorCode;
  readonly message: string;
}

/** The body that answers with the error. */
export function toRefgetErrorBody({ status, code, message }: RefgetError): RefgetErrorBody {
  return { status, type: code, message };
}
