import { resolve } from 'node:path';
import type { Authorizations } from '@htskit/drs';
import { z } from 'zod';
import type { DrsSettings } from '../../runtime/service/drs-handler.js';

/** The section `drs` of the configuration. */
export const drsSection = z.strictObject({
  enabled: z
    .boolean()
    .optional()
    .describe('Whether stored files are sent as a whole (/files) and described (/ga4gh/drs/v1). Default: true.'),
  hostname: z
    .string()
    .regex(/^[A-Za-z0-9.-]+$/, 'expected a host name without a port, such as data.example.org')
    .optional()
    .describe('The host name in drs:// URIs, which have no port. Default: that of publicUrl.'),
  compactPrefix: z
    .string()
    .regex(/^(?:[a-z0-9._]+\/)?[a-z0-9._]+$/, 'expected a prefix such as drs.42')
    .optional()
    .describe('The prefix of compact identifiers that identifiers.org resolves to this server, such as drs.42.'),
  cache: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A folder that keeps checksums. Default: that of refget.cache, and otherwise they are computed after each start.',
    ),
});

/** The section, and what other sections say of it. */
interface DrsConfig {
  readonly drs: z.infer<typeof drsSection> | undefined;
  /** The folder of other digests. */
  readonly cache: string | undefined;
  /** The issuers of tokens, if tokens are required. */
  readonly issuer: string | readonly string[] | undefined;
  /** The issuers of passports, if they are accepted. */
  readonly passportIssuers: readonly string[] | undefined;
  readonly bulkObjects: number | undefined;
}

/** Converts the section to the settings of the handler. Relative paths start at `folder`. */
export function toDrsSettings(config: DrsConfig, folder: string): DrsSettings {
  const { drs = {}, cache, issuer, passportIssuers, bulkObjects } = config;
  const { cache: path = cache, ...settings } = drs;
  return {
    ...settings,
    cache: path === undefined ? undefined : resolve(folder, path),
    authorizations: toAuthorizations({ issuer, passportIssuers }),
    limits: { bulkObjects },
  };
}

/** Returns undefined if no request needs a token. */
function toAuthorizations({
  issuer,
  passportIssuers,
}: Pick<DrsConfig, 'issuer' | 'passportIssuers'>): Authorizations | undefined {
  if (issuer === undefined && passportIssuers === undefined) return undefined;
  return {
    // A passport may also be a bearer token.
    supported_types: ['BearerAuth', ...(passportIssuers === undefined ? [] : (['PassportAuth'] as const))],
    ...(issuer !== undefined && { bearer_auth_issuers: [issuer].flat() }),
    ...(passportIssuers !== undefined && { passport_auth_issuers: [...new Set(passportIssuers)] }),
  };
}
