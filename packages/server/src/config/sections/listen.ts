import { z } from 'zod';

/** The certificate of the server, as PEM files. */
export interface TlsSection {
  readonly cert: string;
  readonly key: string;
}

export const tlsSection: z.ZodType<TlsSection> = z.strictObject({
  cert: z.string().min(1).describe('A PEM file with the certificate, and those that lead to its issuer.'),
  key: z.string().min(1).describe('A PEM file with the private key.'),
});
