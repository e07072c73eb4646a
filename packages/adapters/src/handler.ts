/**
 * What a handler answers with. Every `Response` is one. A plain object with a string or bytes as its body is one too:
 * it is written in one go with its length, and spares the cost of a `Response`, which on Node is more than that of the
 * HTTP exchange itself (README, Performance).
 */
export interface HandlerResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array> | Uint8Array | string | null;
}

/** Answers every request below the place where it is mounted; the path of `request.url` is relative to that place. */
export type Handler = (request: Request) => HandlerResponse | Promise<HandlerResponse>;
