import type { PlainResponse } from '@htskit/http';
import { StorageError } from '@htskit/io';
import { HtsgetError, RefgetError } from '@htskit/protocol';

const STATUSES = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  TOO_LARGE: 413,
  RANGE_NOT_SATISFIABLE: 416,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const;

/** Why a request is not answered. Each code has one HTTP status. */
export type DrsErrorCode = keyof typeof STATUSES;

export interface DrsErrorOptions {
  readonly cause?: unknown;
  /** The Retry-After header of a transient failure, in seconds. */
  readonly retryAfterSeconds?: number | undefined;
  /** The WWW-Authenticate header (RFC 6750 §3). Default `Bearer` for UNAUTHORIZED. */
  readonly challenge?: string | undefined;
  /** Further headers of the response. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * An error that is sent to the client. The message is part of the response, so it must not contain URLs, headers or tokens;
 * `cause` is never sent.
 *
 * @example
 * throw new DrsError('FORBIDDEN', 'access to this object is denied');
 */
export class DrsError extends Error {
  override readonly name = 'DrsError';
  readonly code: DrsErrorCode;
  readonly retryAfterSeconds: number | undefined;
  readonly challenge: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: DrsErrorCode, message: string, options: DrsErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.challenge = options.challenge ?? (code === 'UNAUTHORIZED' ? 'Bearer' : undefined);
    this.headers = options.headers ?? {};
  }

  /** HTTP status. */
  get status(): number {
    return STATUSES[this.code];
  }
}

/** Seconds after which a client may repeat a request that failed transiently, unless the store says when. */
const RETRY_AFTER_SECONDS = 5;

/** Converts any failure to the error that the client sees. A hook may throw an error of htsget or refget. */
export function toDrsError(error: unknown): DrsError {
  if (error instanceof DrsError) return error;
  if (error instanceof StorageError) return fromStorageError(error);
  if (!(error instanceof HtsgetError || error instanceof RefgetError)) {
    return new DrsError('INTERNAL', 'internal error', { cause: error });
  }
  const { status, message, retryAfterSeconds, challenge } = error;
  return new DrsError(codeOf(status), message, { retryAfterSeconds, challenge, cause: error });
}

function codeOf(status: number): DrsErrorCode {
  const known = (Object.keys(STATUSES) as DrsErrorCode[]).find((code) => STATUSES[code] === status);
  return known ?? (status < 500 ? 'BAD_REQUEST' : 'INTERNAL');
}

function fromStorageError(error: StorageError): DrsError {
  const options = { cause: error };
  if (error.code === 'NOT_FOUND') return new DrsError('NOT_FOUND', 'the file does not exist any more', options);
  if (error.code === 'CHANGED') {
    return new DrsError('UNAVAILABLE', 'the file is being replaced', { ...options, retryAfterSeconds: 1 });
  }
  if (!error.isTransient) return new DrsError('INTERNAL', 'the stored file cannot be read', options);
  const seconds = Math.ceil((error.retryAfterMilliseconds ?? RETRY_AFTER_SECONDS * 1000) / 1000);
  const retryAfterSeconds = Math.max(1, seconds);
  return new DrsError('UNAVAILABLE', 'the storage is temporarily unavailable', { ...options, retryAfterSeconds });
}

/** Creates the response to a failure (DRS 1.5, `Error`). */
export function toErrorResponse(error: DrsError): PlainResponse {
  const { message, status, headers, retryAfterSeconds, challenge } = error;
  return jsonResponse(
    { msg: message, status_code: status },
    {
      status,
      headers: {
        ...headers,
        ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
        ...(challenge !== undefined && { 'www-authenticate': challenge }),
      },
    },
  );
}

export interface JsonResponseOptions {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Creates a JSON response, which is not cached: what it says may depend on a token. */
export function jsonResponse(document: object, { status = 200, headers }: JsonResponseOptions = {}): PlainResponse {
  const body = new TextEncoder().encode(JSON.stringify(document));
  return {
    status,
    headers: {
      'content-type': 'application/json',
      'content-length': String(body.length),
      'cache-control': 'no-store',
      ...headers,
    },
    body,
  };
}
