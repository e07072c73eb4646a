import { createTransport, type HttpFailure, type Transport, type TransportOptions } from '@htskit/http';
import { isJsonObject, parseJsonObject } from './document.js';

export type ClientErrorCode =
  /** The query cannot be sent as a request, or options contradict each other. */
  | 'INVALID_QUERY'
  /** The server answered with an error: see `status`, and `error` if its body names one. */
  | 'SERVER_ERROR'
  /** The connection failed or broke. */
  | 'NETWORK'
  /** Nothing arrived within the time limit. */
  | 'STALLED'
  /** Too many redirects, or one to a host that is not allowed or something other than an HTTP(S) URL. */
  | 'REDIRECT'
  /** A redirect or block URL leads from https to http. */
  | 'INSECURE'
  /** The ticket is malformed, or does not answer the query. */
  | 'INVALID_TICKET'
  /** A response contradicts itself or the request. */
  | 'INVALID_RESPONSE'
  /** The bytes are not of the format that the ticket announces. */
  | 'WRONG_FORMAT'
  /** An encrypted answer is not for the given key, or was altered. */
  | 'UNDECRYPTABLE'
  /** Fewer bytes than declared, or a file without its EOF marker. */
  | 'TRUNCATED'
  /** The bytes are not, or cannot be shown to be, those that were received before. */
  | 'CHANGED'
  /** A block URL has expired, and a new ticket does not help. */
  | 'EXPIRED'
  /** The bytes do not have the expected digest. */
  | 'DIGEST_MISMATCH'
  /** A limit of the client is exceeded. */
  | 'TOO_LARGE';

export interface ClientErrorOptions {
  readonly cause?: unknown;
  readonly status?: number;
  readonly error?: string;
  readonly isTransient?: boolean;
  readonly retryAfterMilliseconds?: number;
}

/** A failed exchange. The message contains no URL, header or token, but may quote the server's own message. */
export class ClientError extends Error {
  override readonly name: string = 'ClientError';
  readonly code: ClientErrorCode;
  /** HTTP status of the response, if one caused the failure. */
  readonly status: number | undefined;
  /** The server's name of the error, such as `NotFound`. */
  readonly error: string | undefined;
  /** Whether the same request may succeed later. */
  readonly isTransient: boolean;
  /** The delay that the server requested. */
  readonly retryAfterMilliseconds: number | undefined;

  constructor(code: ClientErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.status = options.status;
    this.error = options.error;
    this.isTransient = options.isTransient ?? false;
    this.retryAfterMilliseconds = options.retryAfterMilliseconds;
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

/** Creates a transport whose failures are of one error class. */
export function createClientTransport(options: TransportOptions, ErrorClass: typeof ClientError): Transport {
  return createTransport(options, (failure) => {
    const { code, status, isTransient, retryAfterMilliseconds } = failure;
    const details = {
      status,
      isTransient,
      retryAfterMilliseconds,
      ...('cause' in failure && { cause: failure.cause }),
    };
    if (code === 'INVALID_REQUEST') return new ErrorClass('INVALID_QUERY', failure.message, details);
    if (code !== 'SERVER_ERROR') return new ErrorClass(code, failure.message, details);
    const { error, message } = parseErrorBody(failure);
    const quoted = [error, message].filter((part) => part !== undefined).join(': ');
    const full = quoted === '' ? failure.message : `${failure.message}, ${quoted}`;
    return new ErrorClass('SERVER_ERROR', full, { ...details, error });
  });
}

/** Longest text of a server that is quoted. */
const MAX_QUOTED_LENGTH = 300;

/** Parses an htsget error body (htsget 1.3.1, "Error body"), or one with `type` and `message`, as refget services send. */
function parseErrorBody({ body = '' }: HttpFailure): { error: string | undefined; message: string | undefined } {
  const document = parseJsonObject(body) ?? {};
  const details = isJsonObject(document['htsget']) ? document['htsget'] : document;
  return { error: toText(details['error'] ?? details['type']), message: toText(details['message']) };
}

/** Removes control characters, which a terminal would interpret. */
function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value.replace(/\p{C}/gu, ' ').slice(0, MAX_QUOTED_LENGTH) : undefined;
}
