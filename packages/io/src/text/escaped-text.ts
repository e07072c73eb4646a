import { decodeUtf8 } from '#decode-utf8';

/** U+FFFD, which a decoder of UTF-8 puts in the place of bytes that are not UTF-8. */
const REPLACEMENT = '\ufffd';
/** A byte that is not UTF-8 is at least 0x80. Added to it, this is a code unit from U+DC80 to U+DCFF. */
const FIRST_ESCAPE = 0xdc00;
/** With the flag `u`, the units of surrogate pairs do not match. */
const ESCAPE = /[\udc80-\udcff]/u;
/** The number of code units that become a string at once. */
const STEP_UNITS = 4096;
const encoder = new TextEncoder();

/**
 * Decodes the text [start, end), by default all of it, such that `encodeText` restores its bytes. UTF-8 is decoded as usual. Each
 * byte that is not UTF-8 becomes a lone surrogate from U+DC80 to U+DCFF, as by the error handler `surrogateescape` of Python
 * (PEP 383): names need not be UTF-8, and different bytes must stay different names.
 *
 * @example
 * decodeText(Uint8Array.of(0x63, 0xe9)); // 'c\udce9': the name "cé" in Latin-1
 */
export function decodeText(bytes: Uint8Array, start = 0, end: number = bytes.length): string {
  const text = decodeUtf8(bytes, start, end);
  // For text of ASCII, which is the rule, the search costs nothing: V8 stores one byte per character.
  return text.includes(REPLACEMENT) ? decodeEscaping(bytes, start, end) : text;
}

function decodeEscaping(bytes: Uint8Array, start: number, end: number): string {
  const units = new Uint16Array(Math.min(end - start, STEP_UNITS) + 1);
  let text = '';
  let count = 0;
  for (let at = start; at < end; ) {
    const length = characterLength(bytes, at, end);
    if (length === 0) units[count++] = FIRST_ESCAPE + (bytes[at] ?? 0);
    else {
      const code = codePoint(bytes, at, length);
      if (code > 0xffff) units[count++] = 0xd7c0 + (code >>> 10);
      units[count++] = code > 0xffff ? 0xdc00 | (code & 0x3ff) : code;
    }
    at += length || 1;
    if (count >= STEP_UNITS || at === end) {
      text += String.fromCharCode(...units.subarray(0, count));
      count = 0;
    }
  }
  return text;
}

function codePoint(bytes: Uint8Array, at: number, length: number): number {
  const first = bytes[at] ?? 0;
  let code = length === 1 ? first : first & (0x7f >>> length);
  for (let i = 1; i < length; i++) code = (code << 6) | ((bytes[at + i] ?? 0) & 0x3f);
  return code;
}

/** Returns the length of the UTF-8 character at `at`, or 0 if the bytes there are not one (Unicode 16.0, table 3-7). */
function characterLength(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first < 0xc2 || first > 0xf4 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (at + length > end) return 0;
  const second = bytes[at + 1] ?? 0;
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < least || second > most) return 0;
  for (let i = 2; i < length; i++) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

/**
 * Returns the last offset, `at` or up to three bytes before it, that is not within a UTF-8 character. Texts that are split there
 * can be decoded one by one.
 */
export function characterStart(bytes: Uint8Array, at: number): number {
  for (let start = at - 1; start >= Math.max(0, at - 3); start--) {
    const length = characterLength(bytes, start, bytes.length);
    if (length > 0) return start + length > at ? start : at;
  }
  return at;
}

/**
 * Encodes a text as UTF-8, and each lone surrogate from U+DC80 to U+DCFF as the byte that `decodeText` made it of.
 *
 * @example
 * encodeText('c\udce9'); // Uint8Array [0x63, 0xe9]
 */
export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  const encoded = encoder.encode(text);
  // Text of ASCII has no surrogates.
  return encoded.length === text.length || !ESCAPE.test(text) ? encoded : withEscapedBytes(text, encoded);
}

/** Returns the UTF-8 of a text, in which each escape takes the three bytes of U+FFFD, with the bytes that they stand for. */
function withEscapedBytes(text: string, encoded: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(encoded.length);
  let to = 0;
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0;
    at += code > 0xffff ? 2 : 1;
    const end = from + (code < 0x80 ? 1 : code < 0x800 ? 2 : code > 0xffff ? 4 : 3);
    const isEscape = code >= 0xdc80 && code <= 0xdcff;
    if (isEscape) bytes[to++] = code - FIRST_ESCAPE;
    else for (let i = from; i < end; i++) bytes[to++] = encoded[i] ?? 0;
    from = end;
  }
  return bytes.slice(0, to);
}
