import type { Permission } from '@htskit/protocol';
import { JsonServer } from '@htskit/testing';
import { createKey, jwtOf, keySetOf, signToken } from '@htskit/testing/token-issuer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Authorizer, type AuthorizerOptions, jwtAuthorizer, type Policy, rules } from '../src/index.js';

const key = await createKey('one');
let issuer: JsonServer;
beforeAll(async () => {
  issuer = await JsonServer.start(keySetOf(key));
});
afterAll(() => issuer.stop());

const SCOPES = 'read:genomic_reads read:genomic_variants';
const { signal } = new AbortController();

function authorizer(options: AuthorizerOptions = {}): Authorizer {
  return jwtAuthorizer({ ...jwtOf(issuer), ...options });
}

async function request(claims?: object): Promise<Request> {
  const headers = new Headers();
  if (claims !== undefined)
    headers.set('authorization', `Bearer ${await signToken(key, { scope: SCOPES, ...claims })}`);
  return new Request('http://a.example/', { headers });
}

describe('decide', () => {
  test('passes the claims and the object to the policy', async () => {
    const seen: unknown[] = [];
    const policy: Policy = ({ claims }, { datatype, id, method }) => {
      seen.push([claims.sub, datatype, id, method]);
      return 'all';
    };
    expect(await authorizer({ policy }).decide(await request({}), { datatype: 'files', id: 'a/b.bam' })).toBe('all');
    expect(seen).toEqual([['alice', 'files', 'a/b.bam', 'GET']]);
  });

  test.each<[string, Permission, string]>([
    ['unauthenticated', 'unauthenticated', 'UNAUTHENTICATED'],
    ['forbidden', 'forbidden', 'FORBIDDEN'],
  ])('rejects if the policy answers %s', async (_, permission, code) => {
    const access = authorizer({ policy: () => permission });
    await expect(access.decide(await request({}), { datatype: 'reads', id: 'a' })).rejects.toMatchObject({ code });
  });

  test.each([undefined, null, true, 'yes', {}, []])('permits nothing if the policy answers %j', async (answer) => {
    const access = authorizer({ policy: () => answer as unknown as Permission });
    const object = { datatype: 'reads', id: 'a' };
    await expect(access.decide(await request({}), object)).rejects.toThrow(TypeError);
    await expect(access.htsget({ request: await request({}), ...object, signal })).rejects.toThrow(TypeError);
  });

  test('rejects with the challenge without a token, and asks no policy', async () => {
    const policy: Policy = () => {
      throw new Error('asked');
    };
    const access = authorizer({ policy, public: ['reads/demo/*'] });
    const decide = async (id: string): Promise<unknown> => access.decide(await request(), { datatype: 'reads', id });
    await expect(decide('a')).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      challenge: 'Bearer scope="read:genomic_reads"',
    });
    expect(await decide('demo/a')).toBe('all');
  });

  test('needs a scope for reads and variants, and for no other datatype', async () => {
    const decide = async (datatype: string): Promise<unknown> =>
      authorizer().decide(await request({ scope: 'openid' }), { datatype, id: 'a' });
    await expect(decide('variants')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await decide('sequence')).toBe('all');
  });
});

describe('the hooks', () => {
  test('permit a sequence only as a whole', async () => {
    const access = authorizer({
      policy: rules([
        { claims: { sub: 'bob' }, regions: [{ referenceName: 'chr1' }] },
        { claims: { sub: 'carol' }, samples: ['A'] },
        { claims: { sub: 'alice' } },
      ]),
      namesSubject: true,
    });
    const refget = async (sub: string): Promise<unknown> =>
      access.refget({ request: await request({ sub }), resource: 'sequence', id: 'x', signal });
    expect(await refget('alice')).toBe('all');
    for (const sub of ['bob', 'carol']) await expect(refget(sub)).rejects.toMatchObject({ status: 403 });
  });

  test('match the elements of the claim scope', async () => {
    const access = authorizer({ policy: rules([{ claims: { scope: 'cohort' } }]) });
    const decide = async (scope: string): Promise<unknown> =>
      access.decide(await request({ scope }), { datatype: 'collection', id: 'x' });
    expect(await decide('openid cohort')).toBe('all');
    await expect(decide('openid cohorts')).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
