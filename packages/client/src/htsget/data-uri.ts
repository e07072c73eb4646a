import { fromBase64 } from '@htskit/io';
import { HtsgetClientError } from '../client-error.js';

export function isDataUri(url: string): boolean {
  return /^data:/i.test(url);
}

/**
 * Decodes a data URI (RFC 2397) of any media type: Base64, padded or not, and percent-encoded text. Base64 that is also
 * percent-encoded is accepted. Throws INVALID_TICKET.
 */
export function decodeDataUri(url: string): Uint8Array<ArrayBuffer> {
  const comma = url.indexOf(',');
  if (!isDataUri(url) || comma < 0) throw new HtsgetClientError('INVALID_TICKET', 'a data URI has no comma');
  const payload = url.slice(comma + 1);
  if (!/;\s*base64\s*$/i.test(url.slice(0, comma))) return decodePercents(payload);
  try {
    return fromBase64(payload.includes('%') ? new TextDecoder().decode(decodePercents(payload)) : payload);
  } catch (cause) {
    if (cause instanceof HtsgetClientError) throw cause;
    throw new HtsgetClientError('INVALID_TICKET', 'a data URI is not valid Base64', { cause });
  }
}

function decodePercents(text: string): Uint8Array<ArrayBuffer> {
  if (/[^\x20-\x7e]|%(?![0-9a-f]{2})/i.test(text)) {
    throw new HtsgetClientError('INVALID_TICKET', 'a data URI is not valid percent-encoded text');
  }
  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const isEscape = text[i] === '%';
    bytes[length++] = isEscape ? Number.parseInt(text.slice(i + 1, i + 3), 16) : text.charCodeAt(i);
    if (isEscape) i += 2;
  }
  return bytes.slice(0, length);
}
