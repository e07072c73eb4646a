import type { AuthorizeInput, Permission } from '@htskit/htsget';
import type { RefgetAuthorizeInput } from '@htskit/refget';
import { z } from 'zod';
import { accessRule, createGlob, createRulePolicy, objectGlob } from './access-rules.js';
import { authorizerSection, createServicePolicy } from './authorization-service.js';
import { createTokenVerifier, jwtSection } from './bearer-token.js';
import { type AccessRequest, AuthError, accessPath, type Policy, toHtsgetError, toRefgetError } from './policy.js';
import { shareDecisions } from './shared-decisions.js';

/** The minimum length of a key in bytes. The length of the digest, 32, is recommended (RFC 2104 §3). */
const MIN_BYTES = 16;

const ENCODINGS = { base64: /^[A-Za-z0-9+/_-]*={0,2}$/, hex: /^(?:[0-9a-f]{2})*$/i, utf8: /^/ } as const;

/** Decodes `base64:…`, `hex:…` or `utf8:…`. Returns undefined for any other text, and for fewer than 16 bytes. */
export function parseSigningKey(text: string): Uint8Array | undefined {
  const { encoding, value = '' } = /^(?<encoding>base64|hex|utf8):(?<value>.*)$/s.exec(text)?.groups ?? {};
  if (encoding !== 'base64' && encoding !== 'hex' && encoding !== 'utf8') return undefined;
  if (!ENCODINGS[encoding].test(value)) return undefined;
  const bytes = Buffer.from(value, encoding);
  return bytes.length < MIN_BYTES ? undefined : bytes;
}

/** The text of a key. The message for an invalid one does not repeat it. */
export const signingKey = z
  .string()
  .refine((text) => parseSigningKey(text) !== undefined, {
    error: `expected base64:…, hex:… or utf8:… of at least ${MIN_BYTES} bytes`,
  })
  .describe(`A key of at least ${MIN_BYTES} bytes as base64:…, hex:… or utf8:…. Keep it in an environment variable.`);

/** The schema of the section `auth`. */
export const authSection = z
  .strictObject({
    jwt: jwtSection.optional().describe('Requires a bearer token. Without this key, everything is public.'),
    public: z.array(objectGlob).default([]).describe('Objects that require no token.'),
    rules: z.array(accessRule).optional().describe('What the bearers of valid tokens may see. Default: everything.'),
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

/** The hooks of both protocols; undefined if the section does not require tokens. */
export interface Authorization {
  /** Rejects with HtsgetError; 401 and 403 have a challenge. */
  readonly authorizeHtsget: ((input: AuthorizeInput) => Promise<Permission>) | undefined;
  /** Rejects with RefgetError. */
  readonly authorizeRefget: ((input: RefgetAuthorizeInput) => Promise<'all'>) | undefined;
  readonly signingKeys: readonly [Uint8Array, ...Uint8Array[]] | undefined;
}

export interface AuthorizationOptions {
  /** The folder to which paths in the section are relative. Default: the current one. */
  readonly directory?: string;
  /** Whether permissions name the subject of the token, for audits. Block URLs then contain it. Default false. */
  readonly namesSubject?: boolean;
}

/** The scopes of the datatypes (htsget 1.3.1, "Authentication"). refget has none. */
const SCOPES: Readonly<Record<string, string>> = {
  reads: 'read:genomic_reads',
  variants: 'read:genomic_variants',
};

/** The maximum length of a path that is matched with globs. Ids of files and buckets are shorter. */
const MAX_PATH_LENGTH = 1100;

/** Creates the hooks for a validated section. Throws Error with the path for a BED file that cannot be read or is malformed. */
export async function createAuthorization(
  section: AuthSection,
  { directory = '.', namesSubject = false }: AuthorizationOptions = {},
): Promise<Authorization> {
  const [first, ...others] = (section.signingKeys ?? []).flatMap((text) => parseSigningKey(text) ?? []);
  const signingKeys = first && ([first, ...others] as const);
  if (section.jwt === undefined) return { authorizeHtsget: undefined, authorizeRefget: undefined, signingKeys };
  const verifyToken = createTokenVerifier(section.jwt);
  const isPublic = section.public.map(createGlob);
  const policy = await createPolicy(section, directory);
  const decide = async ({ headers }: Request, access: AccessRequest): Promise<Decided> => {
    const path = accessPath(access);
    if (path.length > MAX_PATH_LENGTH) throw new AuthError('FORBIDDEN', 'the id is too long');
    if (isPublic.some((matches) => matches(path))) return { permission: 'all', subject: undefined };
    const bearer = await verifyToken(headers.get('authorization'), SCOPES[access.datatype]);
    return { permission: await policy(bearer, access), subject: bearer.claims.sub };
  };
  return {
    signingKeys,
    authorizeHtsget: async ({ request, datatype, id, signal }) => {
      try {
        const decided = await decide(request, { datatype, id, method: request.method, signal });
        return namesSubject ? withSubject(decided) : decided.permission;
      } catch (error) {
        throw error instanceof AuthError ? toHtsgetError(error) : error;
      }
    },
    authorizeRefget: async ({ request, resource, id, signal }) => {
      try {
        const { permission } = await decide(request, { datatype: resource, id, method: request.method, signal });
        // Access to a sequence cannot be restricted to regions.
        if (permission !== 'all') throw new AuthError('FORBIDDEN', 'access denied');
        return permission;
      } catch (error) {
        throw error instanceof AuthError ? toRefgetError(error) : error;
      }
    },
  };
}

interface Decided {
  readonly permission: Permission;
  /** The claim `sub` of the token. */
  readonly subject: string | undefined;
}

/** The maximum number of characters of a subject in block URLs and audit records. */
const MAX_SUBJECT_LENGTH = 255;

function withSubject({ permission, subject }: Decided): Permission {
  if (subject === undefined || permission === 'unauthenticated' || permission === 'forbidden') return permission;
  const limits = permission === 'all' ? { regions: permission } : permission;
  return { ...limits, subject: subject.slice(0, MAX_SUBJECT_LENGTH) };
}

async function createPolicy({ rules, authorizer }: AuthSection, directory: string): Promise<Policy> {
  if (rules !== undefined) return createRulePolicy(rules, directory);
  return authorizer === undefined ? () => 'all' : shareDecisions(createServicePolicy(authorizer));
}
