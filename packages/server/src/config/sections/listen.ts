import { z } from 'zod';

/** The certificate of the server, as paths of PEM files. */
export interface TlsSection {
  readonly cert: string;
  readonly key: string;
}

const tlsSection: z.ZodType<TlsSection> = z.strictObject({
  cert: z.string().min(1).describe('A PEM file with the certificate, followed by its intermediate certificates.'),
  key: z.string().min(1).describe('A PEM file with the private key.'),
});

/** The section `listen` of the configuration. */
export interface ListenSection {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly tls?: TlsSection | undefined;
  readonly trustedProxies?: number | undefined;
}

export const listenSection: z.ZodType<ListenSection> = z.strictObject({
  host: z.string().min(1).optional().describe('The address to listen on. Default: 127.0.0.1.'),
  port: z.int().min(0).max(65_535).optional().describe('The port to listen on; 0 takes a free one. Default: 8080.'),
  tls: tlsSection.optional().describe('Serves HTTPS instead of HTTP.'),
  trustedProxies: z
    .int()
    .min(0)
    .optional()
    .describe('The number of proxies before the server, whose X-Forwarded-For names the client. Default: 0.'),
});
