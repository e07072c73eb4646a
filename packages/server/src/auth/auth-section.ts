import { type Authorizer, jwtAuthorizer, type Policy, servicePolicy } from '@htskit/access';
import { SIGNATURE_ALGORITHMS } from '@htskit/access/internal';
import { z } from 'zod';
import { httpUrl } from '../config/http-url.js';
import { createRulePolicy, objectGlob, ruleSection } from './rule-section.js';
import { parseSigningKey, signingKey } from './signing-key.js';

const names = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)], 'expected a string or a list of strings');

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
    jwt: jwtSection.optional().describe('Requires a bearer token. Without this key, everything is public.'),
    public: z.array(objectGlob).default([]).describe('Objects that require no token.'),
    rules: z.array(ruleSection).optional().describe('What the bearers of valid tokens may see. Default: everything.'),
    authorizer: authorizerSection.optional().describe('A service that decides, in place of rules.'),
    signingKeys: z
      .array(signingKey)
      .min(1)
      .optional()
      .describe('Keys for block URLs: the first one signs, all are accepted. Default: a random key per start.'),
  })
  .superRefine(({ jwt, public: globs, rules, authorizer }, context) => {
    const dependents = { public: globs[0], rules, authorizer };
    for (const [key, value] of Object.entries(dependents)) {
      const message = 'requires jwt: without it, everything is public';
      if (jwt === undefined && value !== undefined) context.addIssue({ code: 'custom', path: [key], message });
    }
    if (rules !== undefined && authorizer !== undefined) {
      const message = 'cannot be combined with rules';
      context.addIssue({ code: 'custom', path: ['authorizer'], message });
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
}

/** Creates the authorizer of a validated section. Throws Error with the path for a BED file that cannot be read or is malformed. */
export async function createAuthorization(
  section: AuthSection,
  { directory = '.', namesSubject = false }: AuthorizationOptions = {},
): Promise<Authorization> {
  const [first, ...others] = (section.signingKeys ?? []).flatMap((text) => parseSigningKey(text) ?? []);
  const signingKeys = first && ([first, ...others] as const);
  if (section.jwt === undefined) return { access: undefined, signingKeys };
  const policy = await createPolicy(section, directory);
  return { access: jwtAuthorizer({ ...section.jwt, policy, public: section.public, namesSubject }), signingKeys };
}

async function createPolicy({ rules, authorizer }: AuthSection, directory: string): Promise<Policy | undefined> {
  if (rules !== undefined) return createRulePolicy(rules, directory);
  return authorizer && servicePolicy(authorizer);
}
