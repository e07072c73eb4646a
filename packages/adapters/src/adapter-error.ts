/** What went wrong between a framework and a handler. */
export type AdapterErrorCode =
  /** The body of a response has another length than its Content-Length says. */
  | 'LENGTH_MISMATCH'
  /** The Content-Length of a response is not a decimal number. */
  | 'INVALID_LENGTH'
  /** Middleware has read the body of the request and left nothing that it can be made from again. */
  | 'BODY_CONSUMED'
  /** The client went away, or was answered, before the body of the request was read to its end. */
  | 'BODY_INTERRUPTED'
  /** The prefix of the mount point is not a path. */
  | 'INVALID_PREFIX';

/** A mistake of a handler, or of how it is mounted; never the fault of a client. */
export class AdapterError extends Error {
  override readonly name = 'AdapterError';
  readonly code: AdapterErrorCode;

  constructor(code: AdapterErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
