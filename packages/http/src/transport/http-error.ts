/**
 * - INVALID_REQUEST: the request cannot be created, such as for a header value with a line break.
 * - NETWORK: the connection failed or broke.
 * - STALLED: no byte arrived within the time limit.
 * - REDIRECT: too many redirects, or one to a host that is not allowed or something other than an HTTP(S) URL without credentials.
 * - INSECURE: a redirect from https to http.
 * - SERVER_ERROR: the server answered with an error status.
 * - INVALID_RESPONSE: the response contradicts itself or the request.
 * - TRUNCATED: the body has fewer bytes than declared.
 * - TOO_LARGE: the body exceeds the caller's limit.
 * - CHANGED: the resource is not, or cannot be shown to be, the version that was requested.
 */
export type HttpErrorCode =
  | 'INVALID_REQUEST'
  | 'NETWORK'
  | 'STALLED'
  | 'REDIRECT'
  | 'INSECURE'
  | 'SERVER_ERROR'
  | 'INVALID_RESPONSE'
  | 'TRUNCATED'
  | 'TOO_LARGE'
  | 'CHANGED';

/** A failure as the transport describes it, before it becomes an error of the caller's class. */
export interface HttpFailure {
  readonly code: HttpErrorCode;
  /** Contains no URL, header or token. */
  readonly message: string;
  /** The status of the response, for SERVER_ERROR. */
  readonly status?: number;
  /** The beginning of the response's body as text, at most 64 KiB, for SERVER_ERROR. */
  readonly body?: string;
  /** Whether the same request may succeed later. Default false. */
  readonly isTransient?: boolean;
  /** The delay that the server requested by `Retry-After`. */
  readonly retryAfterMilliseconds?: number;
  readonly cause?: unknown;
}

/** An error that the transport can retry. `HttpError`, `StorageError` and `ClientError` are such errors. */
export interface RetryableError extends Error {
  readonly code: string;
  readonly isTransient: boolean;
  readonly retryAfterMilliseconds: number | undefined;
}

/** Turns a failure into an error of the caller's class. It decides whether the failure is transient. */
export type CreateHttpError = (failure: HttpFailure) => RetryableError;

/** A failed exchange. The message contains no URL, header or token. */
export class HttpError extends Error implements RetryableError {
  override readonly name = 'HttpError';
  readonly code: HttpErrorCode;
  readonly status: number | undefined;
  readonly body: string | undefined;
  readonly isTransient: boolean;
  readonly retryAfterMilliseconds: number | undefined;

  constructor(failure: HttpFailure) {
    super(failure.message, 'cause' in failure ? { cause: failure.cause } : undefined);
    this.code = failure.code;
    this.status = failure.status;
    this.body = failure.body;
    this.isTransient = failure.isTransient ?? false;
    this.retryAfterMilliseconds = failure.retryAfterMilliseconds;
  }
}

/** Returns whether a failed attempt may be repeated. */
export function isRetryable(error: unknown): error is RetryableError {
  return error instanceof Error && 'isTransient' in error && error.isTransient === true;
}
