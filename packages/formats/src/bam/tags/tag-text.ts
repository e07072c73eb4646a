import { decodeText } from '@htskit/io';

/** Short texts that are kept: a power of two. */
const SLOTS = 1024;
/** Bytes of the longest text that is kept. */
const MAX_BYTES = 24;
/** The prime of FNV-1a. */
const HASH_FACTOR = 0x01000193;
const LAST_ASCII = 0x7f;

const texts = new Array<string>(SLOTS).fill('');

/**
 * Decodes the UTF-8 text [start, end) of a tag. Many records have the same read group, MD and MC. They share the text that was
 * decoded last for the same hash, which takes half of the time of decoding it again.
 */
export function decodeTagText(bytes: Uint8Array, start: number, end: number): string {
  if (end - start > MAX_BYTES) return decodeText(bytes, start, end);
  let hash = 0;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), HASH_FACTOR);
  const slot = (hash >>> 16) % SLOTS;
  const known = texts[slot] ?? '';
  if (isText(known, bytes, start, end)) return known;
  const text = decodeText(bytes, start, end);
  texts[slot] = text;
  return text;
}

/** Returns whether the bytes [start, end) are the characters of an ASCII text. */
function isText(text: string, bytes: Uint8Array, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let i = 0; i < text.length; i++) {
    const byte = bytes[start + i] ?? 0;
    if (byte > LAST_ASCII || text.charCodeAt(i) !== byte) return false;
  }
  return true;
}
