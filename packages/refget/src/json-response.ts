import { toAsciiJson } from '@htskit/http';
import { type Authority, type RefgetError, refgetJsonMediaType, toRefgetErrorBody } from '@htskit/protocol';

export interface JsonResponseOptions {
  readonly authority: Authority;
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The methods that every resource answers. */
export const METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** A document with its exact length. It varies with Accept, which names the authority. */
export function toJsonResponse(document: object, options: JsonResponseOptions): Response {
  return toJsonTextResponse(toAsciiJson(document), options);
}

/** As `toJsonResponse`, for a document that is ASCII text already. */
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

/** The answer of a failure, with the headers that go with its status. */
export function toErrorResponse(
  error: RefgetError,
  { authority, headers }: Omit<JsonResponseOptions, 'status'>,
): Response {
  return toJsonResponse(toRefgetErrorBody(error), {
    authority,
    status: error.status,
    headers: {
      'cache-control': 'no-store',
      ...(error.challenge !== undefined && { 'www-authenticate': error.challenge }),
      ...(error.status === 405 && { allow: METHODS.join(', ') }),
      ...(error.retryAfterSeconds !== undefined && { 'retry-after': String(error.retryAfterSeconds) }),
      ...headers,
    },
  });
}
