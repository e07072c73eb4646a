import { toAsciiJson } from '@htskit/http/internal';
import { StorageError } from '@htskit/io';
import { type Authority, RefgetError, refgetJsonMediaType, toRefgetErrorBody } from '@htskit/protocol';

export interface JsonResponseOptions {
  readonly authority: Authority;
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns a JSON document with its exact length. It varies with `Accept`, which names the authority. */
export function toJsonResponse(document: object, options: JsonResponseOptions): Response {
  return toJsonTextResponse(toAsciiJson(document), options);
}

/** Like `toJsonResponse`, for a document that is ASCII text already. */
export function toJsonTextResponse(text: string, { authority, status = 200, headers }: JsonResponseOptions): Response {
  return new Response(text, {
    status,
    headers: {
      'content-type': refgetJsonMediaType(authority),
      'content-length': String(text.length),
      vary: 'Accept',
      ...headers,
    },
  });
}

export interface ErrorResponseOptions {
  readonly authority: Authority;
  /** The methods of the resource, for the `Allow` header of a 405. */
  readonly methods: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the response of a failure, with the headers of its status. */
export function toErrorResponse(error: RefgetError, { authority, methods, headers }: ErrorResponseOptions): Response {
  return toJsonResponse(toRefgetErrorBody(error), {
    authority,
    status: error.status,
    headers: {
      'cache-control': 'no-store',
      ...(error.challenge !== undefined && { 'www-authenticate': error.challenge }),
      ...(error.status === 405 && { allow: methods.join(', ') }),
      ...(error.retryAfterSeconds !== undefined && { 'retry-after': String(error.retryAfterSeconds) }),
      ...headers,
    },
  });
}

/** Returns the error for a method other than those of the resource. */
export function methodNotAllowed(methods: readonly string[]): RefgetError {
  return new RefgetError('Method Not Allowed', `this resource supports ${methods.join(', ')} only`);
}

/** Milliseconds after which a client may retry a transient failure, unless the store says when. */
const RETRY_AFTER_MILLISECONDS = 5000;

/** Converts any failure to the error that the client sees. A fault of the data is never a Not Found. */
export function toRefgetError(error: unknown): RefgetError {
  if (error instanceof RefgetError) return error;
  const requested = error instanceof StorageError ? error.retryAfterMilliseconds : undefined;
  const retryAfterSeconds = Math.max(1, Math.ceil((requested ?? RETRY_AFTER_MILLISECONDS) / 1000));
  const options = { cause: error, retryAfterSeconds };
  if (error instanceof StorageError && error.code === 'CHANGED') {
    return new RefgetError('Service Unavailable', 'the stored sequences are being replaced', options);
  }
  if (error instanceof StorageError && error.isTransient) {
    return new RefgetError('Service Unavailable', 'the storage is temporarily unavailable', options);
  }
  return new RefgetError('Internal Server Error', 'the sequence cannot be read', { cause: error });
}

export interface CacheControlOptions {
  /** Whether the response to this URL can never change. */
  readonly isImmutable: boolean;
  /** Whether everybody may see the response. */
  readonly isPublic: boolean;
}

/** Returns the Cache-Control of a response that has an entity tag: valid for a year, or revalidated each time. */
export function cacheControl({ isImmutable, isPublic }: CacheControlOptions): string {
  const audience = isPublic ? 'public' : 'private';
  return isImmutable ? `${audience}, max-age=31536000, immutable` : `${audience}, no-cache`;
}
