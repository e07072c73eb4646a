import { cancelBody } from '@htskit/http';
import { parseHttpUrl } from '@htskit/http/internal';
import { readChunks } from '@htskit/io';
import { collectChunks } from '@htskit/io/internal';
import { AuthError } from './auth-error.js';

/** Throws RangeError, which does not repeat the text, unless it is an http or https URL without credentials. */
export function checkHttpUrl(name: string, text: string): void {
  if (parseHttpUrl(text) === undefined)
    throw new RangeError(`${name} must be an http or https URL without credentials`);
}

/** A response with another status than 200. */
export class StatusError extends AuthError {
  readonly status: number;

  constructor(status: number) {
    super('UNAVAILABLE', `expected status 200, got ${status}`);
    this.status = status;
  }
}

/**
 * Fetches JSON with status 200. Redirects are not followed. Throws StatusError for another status, AuthError UNAVAILABLE for
 * a body longer than `maxBytes` and invalid JSON, and the errors of `fetch`.
 */
export async function fetchJson(url: string, init: RequestInit, maxBytes: number): Promise<unknown> {
  // The value `error` is unknown to workerd. A redirect has another status than 200.
  const response = await fetch(url, { ...init, redirect: 'manual' });
  if (response.status !== 200) {
    cancelBody(response);
    throw new StatusError(response.status);
  }
  const bytes = response.body && (await collectChunks(readChunks(response.body), maxBytes));
  if (bytes === undefined) throw new AuthError('UNAVAILABLE', `the response exceeds ${maxBytes} bytes`);
  return parseJson(new TextDecoder().decode(bytes ?? undefined));
}

/** Replaces the message of `JSON.parse`, which quotes the text. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AuthError('UNAVAILABLE', 'the response is not valid JSON');
  }
}
