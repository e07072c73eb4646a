import { parseDecimal, type QueryParameters, quote } from './parameter.js';

const STATUSES = {
  'Bad Request': 400,
  Unauthorized: 401,
  Forbidden: 403,
  'Not Found': 404,
  'Method Not Allowed': 405,
  'Not Acceptable': 406,
  Conflict: 409,
  'Precondition Failed': 412,
  'Content Too Large': 413,
  'Range Not Satisfiable': 416,
  'Internal Server Error': 500,
  'Not Implemented': 501,
  'Service Unavailable': 503,
} as const;

/** The error types of the protocol (refget 2.0.0, "Errors") and the further HTTP statuses that a service needs. */
export type RefgetErrorCode = keyof typeof STATUSES;

/** The optional properties of a `RefgetError`. */
export interface RefgetErrorOptions {
  readonly cause?: unknown;
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
 * throw new RefgetError('Not Found', 'unknown sequence "chr1"');
 */
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

/** The body of an error response. The protocol does not define its shape. */
export interface RefgetErrorBody {
  readonly status: number;
  readonly type: RefgetErrorCode;
  readonly message: string;
}

/** Converts an error to the body of its response. The code is the member `type`. */
export function toRefgetErrorBody({ status, code, message }: RefgetError): RefgetErrorBody {
  return { status, type: code, message };
}

const MAX_UINT32 = 2n ** 32n - 1n;

/**
 * The requested bases in 0-based, half-open coordinates. `start` may be greater than `end`, which on a circular sequence is a
 * range across its origin.
 */
export interface Subsequence {
  readonly start?: number;
  readonly end?: number;
}

/**
 * Parses `start` and `end` of a sequence request (refget 2.0.0, "GET /sequence/{id}"). Other parameters are ignored. Throws
 * `RefgetError` Bad Request if a value is not an unsigned 32-bit integer or a parameter is repeated.
 *
 * @example
 * parseSubsequence(new URLSearchParams('start=10&end=20')); // { start: 10, end: 20 }
 */
export function parseSubsequence(params: QueryParameters): Subsequence {
  return { start: parseCoordinate(params, 'start'), end: parseCoordinate(params, 'end') };
}

function parseCoordinate(params: QueryParameters, name: 'start' | 'end'): number | undefined {
  const [text, ...repeated] = params.getAll(name);
  if (text === undefined) return undefined;
  if (repeated.length > 0) throw new RefgetError('Bad Request', `${name} is given more than once`);
  const value = parseDecimal(text, MAX_UINT32);
  if (value === undefined) {
    throw new RefgetError('Bad Request', `${name} must be an integer from 0 to 2^32-1, found ${quote(text)}`);
  }
  return Number(value);
}
