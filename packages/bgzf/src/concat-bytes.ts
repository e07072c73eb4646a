/** The parts one after another; the part itself if there is but one. */
export function concatBytes<Memory extends ArrayBufferLike>(
  parts: readonly Uint8Array<Memory>[],
): Uint8Array<Memory | ArrayBuffer> {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
