import { parseHttpUrl } from '@htskit/http/internal';
import { z } from 'zod';

/** A URL in the configuration. Credentials are rejected: `fetch` would fail with an error that shows them. */
export const httpUrl: z.ZodType<string> = z
  .string()
  .refine((text) => parseHttpUrl(text) !== undefined, 'expected an http or https URL without credentials');
