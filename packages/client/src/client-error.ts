export type ClientErrorCode =
  /** What was asked for cannot be written as a request, or options contradict each other. */
  | 'INVALID_QUERY'
  /** The server answered with an error: `status`, and where its body says so `error`. */
  | 'SERVER_ERROR'
  /** No connection, or one that broke. */
  | 'NETWORK'
  /** Nothing arrived for too long. */
  | 'STALLED'
  /** A redirect without an end, or to what is no HTTP(S) URL. */
  | 'REDIRECT'
  /** From https to http. */
  | 'INSECURE'
  /** The body of a ticket is none, or is not what was asked for. */
  | 'INVALID_TICKET'
  /** An answer that contradicts itself or the request. */
  | 'INVALID_RESPONSE'
  /** Fewer bytes than announced, or a file without its end. */
  | 'TRUNCATED'
  /** The bytes are not, or cannot be shown to be, those that were received before. */
  | 'CHANGED'
  /** A block URL is valid no more, and a new ticket does not help. */
  | 'EXPIRED'
  /** The bytes have another digest than they should. */
  | 'DIGEST_MISMATCH'
  /** More than a limit of the client allows. */
  | 'TOO_LARGE';

export interface ClientErrorOptions {
  readonly cause?: unknown;
  readonly status?: number | undefined;
  readonly error?: string | undefined;
  readonly isTransient?: boolean | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** A failed exchange. The message holds no URL, header or token, but may hold what the server said. */
export class ClientError extends Error {
  override readonly name: string = 'ClientError';
  readonly code: ClientErrorCode;
  /** HTTP status, where an answer is at fault. */
  readonly status: number | undefined;
  /** What the server calls the error, such as `NotFound`. */
  readonly error: string | undefined;
  /** Whether it may pass if one tries again. */
  readonly isTransient: boolean;
  /** How long the server asks to wait. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ClientErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.status = options.status;
    this.error = options.error;
    this.isTransient = options.isTransient ?? false;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** A failure of the htsget client. */
export class HtsgetClientError extends ClientError {
  override readonly name = 'HtsgetClientError';
}

/** A failure of the refget client. */
export class RefgetClientError extends ClientError {
  override readonly name = 'RefgetClientError';
}
