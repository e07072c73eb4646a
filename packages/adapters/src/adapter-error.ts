/** The reason for an `AdapterError`. */
export type AdapterErrorCode =
  /** The length of a response's body differs from its Content-Length. */
  | 'LENGTH_MISMATCH'
  /** The Content-Length of a response is not a decimal number. */
  | 'INVALID_LENGTH'
  /** Middleware has read the body of the request and has not kept it in a form from which it can be restored. */
  | 'BODY_CONSUMED'
  /** The exchange ended before the handler had read the body of the request. */
  | 'BODY_INTERRUPTED'
  /** The prefix of the mount point is not a path. */
  | 'INVALID_PREFIX';

/** A mistake in a handler or in how it is mounted. Clients cannot cause it, except for BODY_INTERRUPTED. */
export class AdapterError extends Error {
  override readonly name = 'AdapterError';
  readonly code: AdapterErrorCode;

  constructor(code: AdapterErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
