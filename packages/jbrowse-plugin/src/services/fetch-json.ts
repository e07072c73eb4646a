import { createTransport, type Fetch, readBytes, sendRequest, toServerError, withRetries } from '@htskit/http';

/** Returns the JSON document at a URL, of at most `maxBytes`. Throws `HttpError`, and SyntaxError for a malformed document. */
export async function fetchJson(url: string, fetch: Fetch, maxBytes: number): Promise<unknown> {
  const transport = createTransport({ fetch });
  const text = await withRetries(transport, async () => {
    const response = await sendRequest(transport, { url, headers: { accept: 'application/json' } });
    if (response.status !== 200) throw await toServerError(response, transport);
    return new TextDecoder().decode(await readBytes(response, maxBytes, transport));
  });
  return JSON.parse(text);
}
