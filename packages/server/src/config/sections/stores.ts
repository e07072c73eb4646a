import { z } from 'zod';
import { DEFAULT_STORE_LIMITS, type StoresSection } from '../../runtime/store-limits.js';

/** The longest time for a timer of Node, in seconds. */
const MAX_SECONDS = 2_147_483;

const described = (
  key: Exclude<keyof StoresSection, 'redirectHosts'>,
  schema: z.ZodType<number>,
  what: string,
): z.ZodType<number | undefined> => schema.optional().describe(`${what} Default: ${DEFAULT_STORE_LIMITS[key]}.`);

/** A host as `URL.host` returns it. */
export const host: z.ZodType<string> = z
  .string()
  .refine(isHost, 'expected a host, such as cdn.example.org or 10.0.0.1:8080');

function isHost(text: string): boolean {
  return /^[a-z\d.:_[\]-]+$/.test(text) && URL.canParse(`https://${text}`) && new URL(`https://${text}`).host === text;
}

const seconds = z.number().min(0.001).max(MAX_SECONDS);

/** The section `stores` of the configuration. */
export const storesSection: z.ZodType<StoresSection> = z.strictObject({
  concurrency: z
    .int()
    .min(1)
    .optional()
    .describe(
      'Requests that may wait for one store at once; further ones get 503. Default: half of limits.concurrency.',
    ),
  firstByteSeconds: described(
    'firstByteSeconds',
    seconds,
    'Time for a store to accept a connection and begin its response.',
  ),
  stallSeconds: described('stallSeconds', seconds, 'Time for which a store may pause within a response.'),
  retries: described('retries', z.int().min(0).max(100), 'How often a request that failed is repeated.'),
  failures: described(
    'failures',
    z.int().min(1),
    'Failures in a row after which requests for files in a store get 503 at once.',
  ),
  openSeconds: described(
    'openSeconds',
    seconds,
    'Time for which they do, before one request tests whether the store responds again.',
  ),
  redirectHosts: z
    .array(host)
    .optional()
    .describe(
      'Further hosts to which a web server that holds files, or the service of references, may redirect this server. ' +
        'Default: none, so that redirects lead to the same host only.',
    ),
});
