import { decodeText, encodeText } from './escaped-text.js';

const PERCENT = 0x25;
/** The characters that RFC 3986 §2.3 does not reserve, and the asterisk, which names of HLA have. */
const UNRESERVED = /[\w.~*-]/;

/** Decodes percent-encoded text (RFC 3986 §2.1) as `decodeText` does. A percent sign without two digits stands for itself. */
export function decodePercents(text: string): string {
  if (!text.includes('%')) return text;
  const bytes = encodeText(text);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const digits = bytes[at] === PERCENT ? String.fromCharCode(...bytes.subarray(at + 1, at + 3)) : '';
    const isEncoded = /^[0-9a-f]{2}$/i.test(digits);
    bytes[length++] = isEncoded ? Number.parseInt(digits, 16) : (bytes[at] ?? 0);
    if (isEncoded) at += 2;
  }
  return decodeText(bytes, 0, length);
}

/** Percent-encodes a component of a URL like `encodeURIComponent`, which throws for text of bytes that are not UTF-8. */
export function encodePercents(text: string): string {
  return Array.from(encodeText(text), (byte) => {
    const character = String.fromCharCode(byte);
    return UNRESERVED.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}
