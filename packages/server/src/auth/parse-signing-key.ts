/** The minimum length of a key in bytes. The length of the digest, 32, is recommended (RFC 2104 §3). */
export const MIN_BYTES = 16;

const ENCODINGS = { base64: /^[A-Za-z0-9+/_-]*={0,2}$/, hex: /^(?:[0-9a-f]{2})*$/i, utf8: /^/ } as const;

/** Decodes `base64:…`, `hex:…` or `utf8:…`. Returns undefined for any other text, and for fewer than 16 bytes. */
export function parseSigningKey(text: string): Uint8Array | undefined {
  const { encoding, value = '' } = /^(?<encoding>base64|hex|utf8):(?<value>.*)$/s.exec(text)?.groups ?? {};
  if (encoding !== 'base64' && encoding !== 'hex' && encoding !== 'utf8') return undefined;
  if (!ENCODINGS[encoding].test(value)) return undefined;
  const bytes = Buffer.from(value, encoding);
  return bytes.length < MIN_BYTES ? undefined : bytes;
}
