import type { ProbeRequest } from './engine/probe-request.js';

export type ConformErrorCode =
  /** The URL or an id cannot be used. */
  | 'INVALID_TARGET'
  /** No htsget or refget service answers below the URL. */
  | 'NO_SERVICE'
  /** The service does not list its objects, and the caller names none. */
  | 'MISSING_IDS'
  /** The service closed the connection, did not answer in time, or sent a response that is not HTTP. */
  | 'NO_ANSWER'
  /** The run would exceed its byte budget. */
  | 'BUDGET';

/** A run that cannot start or a request without an answer. The message contains no token. */
export class ConformError extends Error {
  override readonly name = 'ConformError';
  readonly code: ConformErrorCode;
  /** The request that has no answer, for NO_ANSWER. */
  readonly request: ProbeRequest | undefined;

  constructor(code: ConformErrorCode, message: string, options?: ErrorOptions & { readonly request?: ProbeRequest }) {
    super(message, options);
    this.code = code;
    this.request = options?.request;
  }
}
