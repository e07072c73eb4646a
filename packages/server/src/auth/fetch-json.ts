import { z } from 'zod';
import { AuthError } from './policy.js';

/** A URL in the configuration. Credentials are rejected: `fetch` would fail with an error that shows them. */
export const httpUrl: z.ZodType<string> = z
  .string()
  .refine(isPlainHttpUrl, 'expected an http or https URL without credentials');

function isPlainHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/**
 * Fetches JSON with status 200. Redirects are not followed. Throws AuthError UNAVAILABLE for another status, a body longer than
 * `maxBytes` and invalid JSON, and the errors of `fetch`.
 */
export async function fetchJson(url: string, init: RequestInit, maxBytes: number): Promise<unknown> {
  const response = await fetch(url, { ...init, redirect: 'error' });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new AuthError('UNAVAILABLE', `expected status 200, got ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let byteLength = 0;
  for await (const chunk of response.body ?? []) {
    byteLength += chunk.length;
    if (byteLength > maxBytes) throw new AuthError('UNAVAILABLE', `the response exceeds ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return parseJson(Buffer.concat(chunks).toString());
}

/** Replaces the message of `JSON.parse`, which quotes the text. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AuthError('UNAVAILABLE', 'the response is not valid JSON');
  }
}
