import { jwtAuthorizer, rules } from '@htskit/access';
import { createHtsgetHandler } from '@htskit/htsget';
import { memorySource } from '@htskit/storage/memory';
import { equal } from '../check.mjs';
import { files } from '../fixtures.mjs';

const issuer = 'https://issuer.example';
const audience = 'https://data.example.org';
const region = { referenceName: 'chr1', start: 0, end: 9000 };
const policy = rules([{ claims: { sub: 'ann' } }, { claims: { sub: 'bob' }, regions: [region] }]);

/** Checks of who may read what, with the tokens of the issuer at `origin`. */
export function checksOf({ origin }) {
  const signToken = async (claims) => {
    const expiring = {
      iss: issuer,
      aud: audience,
      scope: 'read:genomic_reads',
      exp: Date.now() / 1000 + 600,
      ...claims,
    };
    return (await fetch(`${origin}/token?claims=${encodeURIComponent(JSON.stringify(expiring))}`)).text();
  };
  const createHandler = () => {
    const access = jwtAuthorizer({ jwksUrl: `${origin}/jwks`, issuer, audience, policy });
    const data = memorySource(files['straddle.bam'], { key: 'a.bam', version: '1' });
    return createHtsgetHandler({
      publicUrl: 'https://data.example.org',
      resolve: async () => [{ format: 'BAM', data }],
      authorize: access.htsget,
      announcesRestrictions: true,
    });
  };
  const statusOf = async (handler, token) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return (await handler(new Request('http://localhost/reads/a', { headers }))).status;
  };
  return {
    'accepts the tokens of an issuer, by its key set': async () => {
      const handler = createHandler();
      equal(await statusOf(handler, await signToken({ sub: 'ann' })), 200);
      equal(await statusOf(handler, await signToken({ sub: 'eve' })), 403);
    },
    'refuses missing, expired, altered and foreign tokens': async () => {
      const handler = createHandler();
      const token = await signToken({ sub: 'ann' });
      const [header, , signature] = token.split('.');
      const [, claims] = (await signToken({ sub: 'bob' })).split('.');
      for (const refused of [
        undefined,
        [header, claims, signature].join('.'),
        await signToken({ sub: 'ann', exp: 1 }),
        await signToken({ sub: 'ann', iss: 'https://other.example' }),
      ])
        equal(await statusOf(handler, refused), 401);
    },
    'narrows an answer to the permitted regions': async () => {
      const token = await signToken({ sub: 'bob' });
      const request = new Request('http://localhost/reads/a', { headers: { authorization: `Bearer ${token}` } });
      const { htsget } = await (await createHandler()(request)).json();
      equal(htsget.restricted, { regions: [region] });
    },
  };
}
