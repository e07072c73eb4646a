import { z } from 'zod';

/** How many bytes a key needs; as many random ones as the digest has, 32, are best (RFC 2104 §3). */
const MIN_BYTES = 16;

const ENCODINGS = { base64: /^[A-Za-z0-9+/_-]*={0,2}$/, hex: /^(?:[0-9a-f]{2})*$/i, utf8: /^/ } as const;

/** The bytes of `base64:…`, `hex:…` or `utf8:…`; undefined for another text, and for fewer than 16 bytes. */
export function parseSigningKey(text: string): Uint8Array | undefined {
  const { encoding, value = '' } = /^(?<encoding>base64|hex|utf8):(?<value>.*)$/s.exec(text)?.groups ?? {};
  if (encoding !== 'base64' && encoding !== 'hex' && encoding !== 'utf8') return undefined;
  if (!ENCODINGS[encoding].test(value)) return undefined;
  const bytes = Buffer.from(value, encoding);
  return bytes.length < MIN_BYTES ? undefined : bytes;
}

/** A key as text. The message of what is none does not show it. */
export const signingKey: z.ZodType<string> = z
  .string()
  .refine((text) => parseSigningKey(text) !== undefined, {
    error: `expected base64:…, hex:… or utf8:… of at least ${MIN_BYTES} bytes`,
  })
  .describe(`Key of block URLs: base64:…, hex:… or utf8:…, at least ${MIN_BYTES} bytes. Keep it in the environment.`);
