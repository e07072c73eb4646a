/**
 * What a Response is made of, for servers that take that: `@htskit/adapters` does. On Node, making a Response and reading
 * it takes longer than the rest of a short answer. Every Response is one of these, too.
 */
export interface PlainResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array> | Uint8Array | string | null;
}

/** The Response that an answer describes. */
export function toResponse(answer: PlainResponse): Response {
  return answer instanceof Response ? answer : new Response(answer.body as BodyInit | null, answer);
}
