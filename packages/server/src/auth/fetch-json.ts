import { z } from 'zod';
import { AuthError } from './auth-error.js';

/** An address in the configuration. `fetch` refuses one with credentials, with an error that shows them. */
export const httpUrl: z.ZodType<string> = z
  .string()
  .refine(isPlainHttpUrl, 'expected an http or https URL without credentials');

function isPlainHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/**
 * The JSON of a 200 answer. Follows no redirect, and throws for another status, for a body that is longer than `maxBytes`
 * or no JSON, and what `fetch` throws.
 */
export async function fetchJson(url: string, init: RequestInit, maxBytes: number): Promise<unknown> {
  const response = await fetch(url, { ...init, redirect: 'error' });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new AuthError('UNAVAILABLE', `expected the status 200, found ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let byteLength = 0;
  for await (const chunk of response.body ?? []) {
    byteLength += chunk.length;
    if (byteLength > maxBytes) throw new AuthError('UNAVAILABLE', `the answer is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return parseJson(Buffer.concat(chunks).toString());
}

/** Without the message of `JSON.parse`, which quotes the text. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AuthError('UNAVAILABLE', 'the answer is no JSON');
  }
}
