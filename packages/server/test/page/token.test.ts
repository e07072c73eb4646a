import { expect, test } from 'vitest';
import { readClaims } from '../../page/token/token.js';

const jwt = (claims: unknown): string => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;

test('reads whose a token is, who issued it, and when it expires', () => {
  const claims = { sub: 'u1', preferred_username: 'zoë', iss: 'https://login.example', exp: 1_700_000_000 };
  expect(readClaims(jwt(claims))).toEqual({
    subject: 'zoë',
    issuer: 'https://login.example',
    expires: 1_700_000_000_000,
  });
  expect(readClaims(jwt({ sub: 'u1' }))).toEqual({ subject: 'u1' });
});

test.each(['', 'secret', 'a.b.c', 'a.!.c', jwt(null), jwt([]), jwt({ sub: 1, exp: 'soon' }), jwt(7)])(
  'knows nothing of the token %j',
  (text) => {
    expect(readClaims(text)).toEqual({});
  },
);
