const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Decodes the UTF-8 text [start, end). */
export function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  return decoder.decode(bytes.subarray(start, end));
}

/** Decodes the ASCII text [start, end). */
export function decodeAscii(bytes: Uint8Array, start: number, end: number): string {
  return decodeUtf8(bytes, start, end);
}
