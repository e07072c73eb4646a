/**
 * The parts of a `Response`, for servers that can send them without one: `@htskit/adapters` does. On Node.js, constructing
 * and reading a `Response` takes longer than the rest of a short answer. Every `Response` is also a `PlainResponse`.
 */
export interface PlainResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array> | Uint8Array | string | null;
}

/**
 * Returns the `Response` with these parts, or the argument itself if it is one.
 *
 * @example
 * const response = toResponse({ status: 200, headers: new Headers({ 'content-type': 'text/plain' }), body: 'ACGT' });
 */
export function toResponse(response: PlainResponse): Response {
  return response instanceof Response ? response : new Response(response.body as BodyInit | null, response);
}

/**
 * Returns the JSON text of a value in ASCII, for bodies whose media type says `charset=us-ascii`. All other characters are
 * escaped, so that names in any script survive.
 *
 * @example
 * toAsciiJson({ name: 'é' }); // '{"name":"\\u00e9"}'
 */
export function toAsciiJson(value: object): string {
  return JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
