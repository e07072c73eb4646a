import { type HttpRequest, readBytes, sendRequest, type Transport, toServerError, withRetries } from '@htskit/http';
import { AUTHORITIES, type Authority } from '@htskit/protocol';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns a document of at most `maxBytes` bytes as text. Throws SERVER_ERROR for any status but 200, and TOO_LARGE. */
export function fetchDocument(transport: Transport, request: HttpRequest, maxBytes: number): Promise<string> {
  return withRetries(transport, async () => {
    const response = await sendRequest(transport, request);
    if (response.status !== 200) throw await toServerError(response, transport);
    return new TextDecoder().decode(await readBytes(response, maxBytes, transport));
  });
}

/**
 * Returns an `Accept` header with a media type under both names of the standards body, the preferred one first, followed by
 * other media ranges.
 */
export function toAccept(
  mediaType: (authority: Authority) => string,
  preferred: Authority,
  others: readonly string[],
): string {
  const names = [preferred, ...AUTHORITIES.filter((other) => other !== preferred)];
  const types = names.map((name, index) => {
    const [type = ''] = mediaType(name).split(';');
    return index === 0 ? type : `${type};q=0.9`;
  });
  return [...types, ...others].join(', ');
}

/** Parses JSON text. Returns undefined if it is malformed or not an object. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const document: unknown = JSON.parse(text);
    return isJsonObject(document) ? document : undefined;
  } catch {
    return undefined;
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
