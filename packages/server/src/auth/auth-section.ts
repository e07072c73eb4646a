import {
  type Authorizer,
  type AuthorizerOptions,
  jwtAuthorizer,
  type Policy,
  passportAuthorizer,
  servicePolicy,
} from '@htskit/access';
import { SIGNATURE_ALGORITHMS } from '@htskit/access/internal';
import { z } from 'zod';
import { httpUrl } from '../config/http-url.js';
import { parseSigningKey } from './parse-signing-key.js';
import { names, passportsSection } from './passports-section.js';
import { createRulePolicy, objectGlob, ruleSection } from './rule-section.js';
import { signingKey } from './signing-key.js';

const jwtSection = z.strictObject({
  jwksUrl: httpUrl.describe('The URL of the public keys of the issuer (RFC 7517).'),
  issuer: names.describe('The accepted values of the claim iss.'),
  audience: names.describe('The accepted values of the claim aud.'),
  clockSkewSeconds: z.number().min(0).max(600).default(60).describe('The tolerated clock skew in seconds.'),
  algorithms: z
    .array(z.enum(SIGNATURE_ALGORITHMS))
    .min(1)
    .default([...SIGNATURE_ALGORITHMS])
    .describe('The accepted signature algorithms; all are asymmetric.'),
});

const authorizerSection = z.strictObject({
  url: httpUrl.describe('The URL to which claims, datatype, id and method are posted as JSON.'),
  timeoutSeconds: z.number().positive().max(60).default(5).describe('Timeout of a request in seconds.'),
  cacheSeconds: z
    .number()
    .min(0)
    .max(3600)
    .default(30)
    .describe('Seconds for which a decision is cached, at most until the token expires.'),
});

/** The schema of the section `auth`. */
export const authSection = z
  .strictObject({
    jwt: jwtSection
      .optional()
      .describe('Requires a bearer token. Without this key and passports, everything is public.'),
    passports: passportsSection
      .optional()
      .describe(
        'Accepts GA4GH passports, and the visas of access tokens. What no rule and no visa grants is forbidden.',
      ),
    public: z.array(objectGlob).default([]).describe('Objects that require no token.'),
    rules: z
      .array(ruleSection)
      .optional()
      .describe('What the bearers of valid tokens may see. Default: everything, and with passports nothing.'),
    authorizer: authorizerSection.optional().describe('A service that decides, in place of rules.'),
    signingKeys: z
      .array(signingKey)
      .min(1)
      .optional()
      .describe('Keys for block URLs: the first one signs, all are accepted. Default: a random key per start.'),
  })
  .superRefine(({ jwt, passports, public: globs, rules, authorizer }, context) => {
    const report = (path: string[], message: string): void => context.addIssue({ code: 'custom', path, message });
    for (const [key, value] of Object.entries({ public: globs[0], rules, authorizer })) {
      const isOpen = jwt === undefined && passports === undefined;
      if (isOpen && value !== undefined) report([key], 'requires jwt or passports: without them, everything is public');
    }
    if (rules !== undefined && authorizer !== undefined) report(['authorizer'], 'cannot be combined with rules');
    if (passports?.userinfoUrl !== undefined && jwt === undefined) report(['passports', 'userinfoUrl'], 'requires jwt');
    if (passports?.datasets !== undefined && authorizer !== undefined) {
      report(['passports', 'datasets'], 'cannot be combined with authorizer, which receives the visas');
    }
  });

/** The section `auth` of the configuration. */
export type AuthSection = z.infer<typeof authSection>;

/** The decisions about requests, and the keys of block URLs. */
export interface Authorization {
  /** Undefined if the section does not require tokens. */
  readonly access: Authorizer | undefined;
  readonly signingKeys: readonly [Uint8Array, ...Uint8Array[]] | undefined;
}

export interface AuthorizationOptions {
  /** The folder to which paths in the section are relative. Default: the current one. */
  readonly directory?: string;
  /** Whether permissions name the subject of the token, for audits. Block URLs then contain it. Default false. */
  readonly namesSubject?: boolean;
  /** Called with each decision about the bearer of a valid token. */
  readonly onDecision?: AuthorizerOptions['onDecision'];
}

/** Creates the authorizer of a validated section. Throws Error with the path for a BED file that cannot be read or is malformed. */
export async function createAuthorization(
  section: AuthSection,
  { directory = '.', namesSubject = false, onDecision }: AuthorizationOptions = {},
): Promise<Authorization> {
  const [first, ...others] = (section.signingKeys ?? []).flatMap((text) => parseSigningKey(text) ?? []);
  const signingKeys = first && ([first, ...others] as const);
  return { access: await createAuthorizer(section, { directory, namesSubject, onDecision }), signingKeys };
}

async function createAuthorizer(
  section: AuthSection,
  { directory, ...hooks }: AuthorizationOptions & { readonly directory: string },
): Promise<Authorizer | undefined> {
  const { jwt, passports } = section;
  if (jwt === undefined && passports === undefined) return undefined;
  const options = { policy: await createPolicy(section, directory), public: section.public, ...hooks };
  if (passports !== undefined) return passportAuthorizer({ ...passports, jwt, ...options });
  return jwt && jwtAuthorizer({ ...jwt, ...options });
}

async function createPolicy(
  { rules, passports, authorizer }: AuthSection,
  directory: string,
): Promise<Policy | undefined> {
  if (authorizer !== undefined) return servicePolicy(authorizer);
  const grants = Object.entries(passports?.datasets ?? {}).map(([dataset, grant]) => ({
    ...grant,
    datasets: [dataset],
  }));
  return rules === undefined && grants.length === 0
    ? undefined
    : createRulePolicy([...(rules ?? []), ...grants], directory);
}
