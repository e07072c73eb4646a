import { type PlainResponse, toContentRange } from '@htskit/http';
import { toAsciiJson } from '@htskit/http/internal';
import { MemoryError, StorageError } from '@htskit/io';
import { WorkerError } from '@htskit/io/workers';
import { HtsgetError, toHtsgetErrorBody } from '@htskit/protocol';
import { isCorruption } from './file/stored-file.js';

export interface JsonResponseOptions {
  readonly contentType: string;
  /** The method of the request: the response to HEAD has no body. */
  readonly method: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Creates a JSON response in ASCII. */
export function jsonResponse(
  document: object,
  { contentType, method, status = 200, headers }: JsonResponseOptions,
): PlainResponse {
  const body = toAsciiJson(document);
  return {
    status,
    headers: { 'content-type': contentType, 'content-length': String(body.length), ...headers },
    body: method === 'HEAD' ? null : body,
  };
}

/** Creates the protocol's response to a failure (htsget 1.3.1, "Errors"). */
export function errorResponse(
  error: HtsgetError,
  { method, headers }: { readonly method: string; readonly headers?: Readonly<Record<string, string>> },
): PlainResponse {
  const { status, retryAfterSeconds, challenge } = error;
  return jsonResponse(toHtsgetErrorBody(error), {
    method,
    contentType: 'application/json',
    status,
    headers: {
      ...headers,
      // Caches may keep a 404 or 405 that does not say so.
      'cache-control': 'no-store',
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
      ...(challenge !== undefined && { 'www-authenticate': challenge }),
    },
  });
}

/** Creates the response to a `Range` outside of a block (RFC 9110 §15.5.17). */
export function rangeNotSatisfiable(byteLength: number, method: string): PlainResponse {
  const error = new HtsgetError('InvalidRange', `the block has ${byteLength} bytes`, { status: 416 });
  return errorResponse(error, { method, headers: { 'content-range': toContentRange(undefined, byteLength) } });
}

/** Creates the response to a method that a resource does not support. */
export function methodNotAllowed(method: string, methods: readonly string[]): PlainResponse {
  const error = new HtsgetError('InvalidInput', `method ${method} is not allowed here`, { status: 405 });
  return errorResponse(error, { method, headers: { allow: formatAllow(methods) } });
}

/** Formats the value of an `Allow` header. */
export function formatAllow(methods: readonly string[]): string {
  return [...methods, 'OPTIONS'].join(', ');
}

/** Seconds after which a client may repeat a request that failed transiently, unless the store says when. */
const RETRY_AFTER_SECONDS = 5;

/** Seconds after which the workers may have finished what waits for them. */
const BUSY_SECONDS = 1;

/** Maps a failure to the error that the client sees. Corrupt or missing data of a known object is never NotFound. */
export function toHtsgetError(error: unknown): HtsgetError {
  if (error instanceof HtsgetError) return error;
  if (error instanceof StorageError) return fromStorageError(error);
  if (isCorruption(error)) {
    const message = `the stored file or its index is corrupt: ${error.message}`;
    return new HtsgetError('InternalServerError', message, { cause: error });
  }
  const isBusy =
    (error instanceof WorkerError && error.code === 'QUEUE_FULL') ||
    (error instanceof MemoryError && error.code === 'EXHAUSTED');
  if (isBusy) {
    return new HtsgetError('InternalServerError', 'the server is busy', {
      status: 503,
      retryAfterSeconds: BUSY_SECONDS,
      cause: error,
    });
  }
  if (error instanceof MemoryError) {
    const message = `the stored file or its index needs too much memory: ${error.message}`;
    return new HtsgetError('InternalServerError', message, { cause: error });
  }
  return new HtsgetError('InternalServerError', 'internal error', { cause: error });
}

function fromStorageError(error: StorageError): HtsgetError {
  if (error.code === 'CHANGED') {
    const message = 'the file has changed since the ticket was issued; request a new ticket';
    return new HtsgetError('InvalidInput', message, { status: 409, cause: error });
  }
  return error.isTransient
    ? new HtsgetError('InternalServerError', 'the storage is temporarily unavailable', {
        status: 503,
        retryAfterSeconds: Math.max(
          1,
          Math.ceil(
            error.retryAfterMilliseconds === undefined ? RETRY_AFTER_SECONDS : error.retryAfterMilliseconds / 1000,
          ),
        ),
        cause: error,
      })
    : new HtsgetError('InternalServerError', 'the stored file cannot be read', { cause: error });
}
