const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Decodes the UTF-8 text [start, end). */
export function decodeText(bytes: Uint8Array, start: number, end: number): string {
  return decoder.decode(bytes.subarray(start, end));
}

/** Decodes the ASCII text [start, end). */
export function decodeAscii(bytes: Uint8Array, start: number, end: number): string {
  return decodeText(bytes, start, end);
}
