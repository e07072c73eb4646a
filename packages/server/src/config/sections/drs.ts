import { resolve } from 'node:path';
import type { Authorizations } from '@htskit/drs';
import { z } from 'zod';
import type { AuthSection } from '../../auth/auth-section.js';
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
  readonly auth: AuthSection | undefined;
  readonly bulkObjects: number | undefined;
}

/** Converts the section to the settings of the handler. Relative paths start at `folder`. */
export function toDrsSettings({ drs = {}, cache, auth, bulkObjects }: DrsConfig, folder: string): DrsSettings {
  const { cache: path = cache, ...settings } = drs;
  return {
    ...settings,
    cache: path === undefined ? undefined : resolve(folder, path),
    authorizations: auth && toAuthorizations(auth),
    limits: { bulkObjects },
  };
}

/** Returns undefined if no request needs a token. */
function toAuthorizations({ jwt, passports }: AuthSection): Authorizations | undefined {
  if (jwt === undefined && passports === undefined) return undefined;
  return {
    // A passport may also be a bearer token.
    supported_types: ['BearerAuth', ...(passports === undefined ? [] : (['PassportAuth'] as const))],
    ...(jwt !== undefined && { bearer_auth_issuers: [jwt.issuer].flat() }),
    ...(passports !== undefined && {
      passport_auth_issuers: [...new Set(passports.trusted.map(({ issuer }) => issuer))],
    }),
  };
}
