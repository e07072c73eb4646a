import type { AuthorizeInput, Permission } from '@htskit/htsget';
import { z } from 'zod';
import { type AccessRule, accessRule, createRulePolicy, objectGlob } from './access-rules.js';
import { AuthError, toHtsgetError, toRefgetError } from './auth-error.js';
import { type AuthorizerSection, authorizerSection, createServicePolicy } from './authorization-service.js';
import { createTokenVerifier, type JwtSection, jwtSection } from './bearer-token.js';
import { createGlob } from './glob.js';
import { type AccessRequest, accessPath, type Policy } from './policy.js';

/** How many bytes a key needs; as many random ones as the digest has, 32, are best (RFC 2104 §3). */
const MIN_BYTES = 16;

const ENCODINGS = { base64: /^[A-Za-z0-9+/_-]*={0,2}$/, hex: /^(?:[0-9a-f]{2})*$/i, utf8: /^/ } as const;

/** The bytes of `base64:…`, `hex:…` or `utf8:…`; undefined for another text, and for fewer than 16 bytes. */
export function parseSigningKey(text: string): Uint8Array | undefined {
  const { encoding, value = '' } = /^(?<encoding>base64|hex|utf8):(?<value>.*)$/s.exec(text)?.groups ?? {};
  if (encoding !== 'base64' && encoding !== 'hex' && encoding !== 'utf8') return undefined;
  if (!ENCODINGS[encoding].test(value)) return undefined;
  const bytes = Buffer.from(value, encoding);
  return bytes.length < MIN_BYTES ? undefined : bytes;
}

/** A key as text. The message of what is none does not show it. */
export const signingKey: z.ZodType<string> = z
  .string()
  .refine((text) => parseSigningKey(text) !== undefined, {
    error: `expected base64:…, hex:… or utf8:… of at least ${MIN_BYTES} bytes`,
  })
  .describe(`Key of block URLs: base64:…, hex:… or utf8:…, at least ${MIN_BYTES} bytes. Keep it in the environment.`);

/** Who may see what, as it is configured. */
export interface AuthSection {
  readonly jwt?: JwtSection | undefined;
  readonly public: string[];
  readonly rules?: AccessRule[] | undefined;
  readonly authorizer?: AuthorizerSection | undefined;
  readonly signingKeys?: string[] | undefined;
}

/** The key `auth` of the configuration. */
export const authSection: z.ZodType<AuthSection> = z
  .strictObject({
    jwt: jwtSection.optional().describe('Requests need a bearer token; without it, everybody may see everything.'),
    public: z.array(objectGlob).default([]).describe('Objects that need no token.'),
    rules: z.array(accessRule).optional().describe('What the bearers of valid tokens may see; nothing else.'),
    authorizer: authorizerSection.optional().describe('A service that says so, in place of rules.'),
    signingKeys: z
      .array(signingKey)
      .min(1)
      .optional()
      .describe('Keys of block URLs: the first one signs, all are accepted. By default a random one for each start.'),
  })
  .superRefine(({ jwt, public: globs, rules, authorizer }, context) => {
    const needing = { public: globs[0], rules, authorizer };
    for (const [key, value] of Object.entries(needing)) {
      const message = 'it needs jwt beside it: without that, everybody may see everything';
      if (jwt === undefined && value !== undefined) context.addIssue({ code: 'custom', path: [key], message });
    }
    if (rules !== undefined && authorizer !== undefined) {
      const message = 'it takes the place of rules, which are given, too';
      context.addIssue({ code: 'custom', path: ['authorizer'], message });
    }
  });

/** What the services of both protocols are given; undefined where nothing of the kind is configured. */
export interface Authorization {
  /** Rejects with HtsgetError, whose 401 and 403 hold a challenge. */
  readonly authorizeHtsget: ((input: AuthorizeInput) => Promise<Permission>) | undefined;
  /** Rejects with RefgetError. */
  readonly authorizeRefget: ((request: Request) => Promise<void>) | undefined;
  readonly signingKeys: readonly [Uint8Array, ...Uint8Array[]] | undefined;
}

export interface AuthorizationOptions {
  /** Folder that the paths of the section are relative to; default the current one. */
  readonly directory?: string | undefined;
}

/** Scopes of the two datatypes (htsget 1.3.1, "Authentication"); refget has none. */
const SCOPES: Readonly<Record<string, string>> = {
  reads: 'read:genomic_reads',
  variants: 'read:genomic_variants',
};

/** Globs are compared with paths before anybody is known: longer ones are no ids of files and buckets. */
const MAX_PATH_LENGTH = 1100;

/** Puts a checked section to work. Throws, with the path, where a file of regions cannot be read or is malformed. */
export async function createAuthorization(
  section: AuthSection,
  { directory = '.' }: AuthorizationOptions = {},
): Promise<Authorization> {
  const [first, ...others] = (section.signingKeys ?? []).flatMap((text) => parseSigningKey(text) ?? []);
  const signingKeys = first && ([first, ...others] as const);
  if (section.jwt === undefined) return { authorizeHtsget: undefined, authorizeRefget: undefined, signingKeys };
  const verifyToken = createTokenVerifier(section.jwt);
  const isPublic = section.public.map(createGlob);
  const policy = await createPolicy(section, directory);
  const decide = async ({ headers }: Request, access: AccessRequest): Promise<Permission> => {
    const path = accessPath(access);
    if (path.length > MAX_PATH_LENGTH) throw new AuthError('FORBIDDEN', 'there is no object with so long an id');
    if (isPublic.some((matches) => matches(path))) return 'all';
    const bearer = await verifyToken(headers.get('authorization'), SCOPES[access.datatype]);
    return policy(bearer, access);
  };
  return {
    signingKeys,
    authorizeHtsget: async ({ request, datatype, id, signal }) =>
      decide(request, { datatype, id, method: request.method, signal }).catch((error: unknown) => {
        throw error instanceof AuthError ? toHtsgetError(error) : error;
      }),
    authorizeRefget: async (request) => {
      try {
        const permission = await decide(request, toRefgetAccess(request));
        // A sequence is not cut to regions.
        if (permission !== 'all') throw new AuthError('FORBIDDEN', 'this may not be read');
      } catch (error) {
        throw error instanceof AuthError ? toRefgetError(error) : error;
      }
    },
  };
}

async function createPolicy({ rules, authorizer }: AuthSection, directory: string): Promise<Policy> {
  if (rules !== undefined) return createRulePolicy(rules, directory);
  return authorizer === undefined ? () => 'all' : createServicePolicy(authorizer);
}

/** What a path of refget names; the metadata of a sequence are seen by whoever may see it. */
function toRefgetAccess({ url, method, signal }: Request): AccessRequest {
  const [, datatype = '', ...rest] = new URL(url).pathname.replace(/\/$/, '').split('/').map(decodeURIComponent);
  const id = datatype === 'sequence' ? (rest[0] ?? '') : rest.join('/');
  return { datatype, id, method, signal };
}
