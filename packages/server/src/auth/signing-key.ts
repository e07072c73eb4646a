import { z } from 'zod';
import { MIN_BYTES, parseSigningKey } from './parse-signing-key.js';

/** The text of a key. The message for an invalid one does not repeat it. */
export const signingKey = z
  .string()
  .refine((text) => parseSigningKey(text) !== undefined, {
    error: `expected base64:…, hex:… or utf8:… of at least ${MIN_BYTES} bytes`,
  })
  .describe(`A key of at least ${MIN_BYTES} bytes as base64:…, hex:… or utf8:…. Keep it in an environment variable.`);
