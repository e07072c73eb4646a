import { PassportIssuer, type TokenParts } from '@htskit/testing/passport-issuer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PassportAuthorizerOptions, passportAuthorizer, rules } from '../../src/index.js';

let issuer: PassportIssuer;
let other: PassportIssuer;
beforeAll(async () => {
  [issuer, other] = await Promise.all([
    PassportIssuer.start('https://issuer.example'),
    PassportIssuer.start('https://other.example/a,b;c'),
  ]);
});
afterAll(() => Promise.all([issuer.stop(), other.stop()]));

const policy = rules([{ datasets: ['D1'] }]);

/** Decides about a passport of `alice` at `issuer` with some visas. */
async function decide(
  visas: readonly (TokenParts & { readonly from?: PassportIssuer })[],
  options?: Partial<PassportAuthorizerOptions>,
): Promise<boolean> {
  const access = passportAuthorizer({ trusted: [issuer.trusted, other.trusted], policy, ...options });
  const signed = await Promise.all(visas.map(({ from = issuer, ...parts }) => from.signVisa(parts)));
  const authorization = `Bearer ${await issuer.signPassport(signed)}`;
  const request = new Request('http://a.example/', { headers: { authorization } });
  return access.decide(request, { datatype: 'reads', id: 'a' }).then(
    () => true,
    () => false,
  );
}

const ofBob = { claims: { sub: 'bob' } };

function link(...identities: readonly (readonly [sub: string, iss: string])[]): TokenParts {
  const value = identities.map((identity) => identity.map(encodeURIComponent).join(',')).join(';');
  return { visa: { type: 'LinkedIdentities', value } };
}

describe('a visa is for the bearer of a passport', () => {
  test.each([
    ['sub', 'of another subject', false, () => [ofBob]],
    ['iss+sub', 'of another subject', false, () => [ofBob]],
    ['none', 'of another subject', true, () => [ofBob]],
    ['sub', 'of the same subject elsewhere', true, () => [{ from: other }]],
    ['iss+sub', 'of the same subject elsewhere', false, () => [{ from: other }]],
    ['none', 'of the same subject elsewhere', true, () => [{ from: other }]],
    ['iss+sub', 'of the same subject here', true, () => [{}]],
  ] as const)('with the binding %s, a visa %s: %s', async (binding, _, expected, visas) => {
    expect(await decide(visas(), { binding })).toBe(expected);
  });

  test('by default if it has the same subject', async () => {
    expect([await decide([{}]), await decide([ofBob])]).toEqual([true, false]);
  });

  test('if a visa links the identities', async () => {
    expect(await decide([ofBob, link(['bob', issuer.issuer])])).toBe(true);
    const elsewhere = { ...ofBob, from: other };
    expect(await decide([elsewhere, link(['bob', issuer.issuer])])).toBe(false);
    expect(await decide([elsewhere, link(['x', 'https://x.example'], ['bob', other.issuer])])).toBe(true);
    expect(await decide([{ from: other }, link(['alice', other.issuer])], { binding: 'iss+sub' })).toBe(true);
  });

  test('if visas link the identities in a chain, in any order', async () => {
    const chain = [
      { ...link(['bob', issuer.issuer]), from: other, claims: { sub: 'carol' } },
      link(['carol', other.issuer]),
    ];
    expect(await decide([ofBob, ...chain])).toBe(true);
    expect(await decide([ofBob, ...chain.toReversed()])).toBe(true);
    expect(await decide([ofBob, ...chain.slice(1)])).toBe(false);
  });

  test('not if the link is of another person', async () => {
    const [carol, dan] = ['carol', 'dan'].map((sub) => ({ sub }));
    expect(await decide([ofBob, { ...link(['bob', issuer.issuer]), claims: { ...carol } }])).toBe(false);
    expect(await decide([ofBob, { ...link(['dan', issuer.issuer]), claims: { ...dan } }])).toBe(false);
  });

  test.each([
    'bob',
    'bob,',
    ',https://issuer.example',
    'bob,https%3A%2F%2Fissuer.example,x',
    'bob,https%3A%2F%2Fissuer.example;',
    'bob,%',
    'bob, https%3A%2F%2Fissuer.example',
    'bob;https%3A%2F%2Fissuer.example',
  ])('not if the link is malformed: %j', async (value) => {
    expect(await decide([ofBob, { visa: { type: 'LinkedIdentities', value } }])).toBe(false);
  });

  test('not if the link has expired, is not trusted or is conditional', async () => {
    const links = link(['bob', issuer.issuer]);
    expect(await decide([ofBob, { ...links, claims: { exp: 1 } }])).toBe(false);
    expect(await decide([ofBob, { ...links, from: other }], { trusted: [issuer.trusted] })).toBe(false);
    const conditional = { visa: { ...links.visa, conditions: [[{ type: 'x', by: 'const:y' }]] } };
    expect(await decide([ofBob, conditional])).toBe(false);
  });
});

const faculty = {
  visa: { type: 'AffiliationAndRole', value: 'faculty@uni.example', source: 'https://uni.example', by: 'so' },
};
const clause = { type: 'AffiliationAndRole', value: 'const:faculty@uni.example' };

function conditional(conditions: unknown): TokenParts {
  return { visa: { conditions } };
}

describe('a visa with conditions (Passport 1.2, "conditions")', () => {
  test.each<[string, unknown, boolean]>([
    ['an empty list', [], true],
    ['a clause that matches', [[clause]], true],
    ['one of several alternatives', [[{ ...clause, value: 'const:x' }], [clause]], true],
    ['all clauses of an alternative', [[clause, { type: 'AffiliationAndRole', by: 'const:so' }]], true],
    ['not all clauses of an alternative', [[clause, { type: 'ResearcherStatus', by: 'const:so' }]], false],
    ['several claims of one visa', [[{ ...clause, by: 'const:so', source: 'const:https://uni.example' }]], true],
    ['a claim that differs', [[{ ...clause, by: 'const:system' }]], false],
    ['a value in another case', [[{ ...clause, value: 'const:Faculty@uni.example' }]], false],
    ['another type', [[{ ...clause, type: 'affiliationAndRole' }]], false],
    ['a pattern', [[{ ...clause, value: 'pattern:faculty@*' }]], true],
    ['a pattern with question marks', [[{ ...clause, value: 'pattern:f?c?lty@uni.exampl?' }]], true],
    ['a pattern of a part', [[{ ...clause, value: 'pattern:faculty' }]], false],
    ['a pattern of too many characters', [[{ ...clause, value: 'pattern:faculty@uni.example?' }]], false],
    ['a pattern with stars that match nothing', [[{ ...clause, value: 'pattern:**faculty*@uni.example*' }]], true],
    ['a pattern that has to go back', [[{ ...clause, value: 'pattern:*u*i.*e' }]], true],
    ['a pattern where a star is not literal', [[{ ...clause, value: 'const:faculty@*' }]], false],
    ['a pattern of split texts', [[{ ...clause, value: 'split_pattern:faculty@*' }]], true],
    ['null', null, false],
    ['an object', {}, false],
    ['a text', 'x', false],
    ['a list of objects', [clause], false],
    ['an empty alternative', [[]], false],
    ['an alternative that is not understood beside one that matches', [[clause], [{ type: 'x' }]], false],
    ['no other claim than the type', [[{ type: 'AffiliationAndRole' }]], false],
    ['no type', [[{ value: clause.value }]], false],
    ['a type that is a pattern', [[{ ...clause, type: 'pattern:*' }]], false],
    ['an unknown kind of match', [[{ ...clause, value: 'regex:.*' }]], false],
    ['a value without a kind of match', [[{ ...clause, value: 'faculty@uni.example' }]], false],
    ['a time', [[{ ...clause, asserted: 'pattern:*' }]], false],
    ['conditions of conditions', [[{ ...clause, conditions: 'pattern:*' }]], false],
    ['an unknown claim', [[{ ...clause, level: 'const:3' }]], false],
    ['a claim that is not a text', [[{ ...clause, by: 1 }]], false],
    ['a clause that is null', [[null]], false],
    ['more clauses than are reasonable', Array.from({ length: 101 }, () => [clause]), false],
  ])('with %s', async (_, conditions, expected) => {
    expect(await decide([conditional(conditions), faculty])).toBe(expected);
  });

  test('is not valid without the other visa, nor if that has expired, is not trusted, or has conditions itself', async () => {
    const grant = conditional([[clause]]);
    expect(await decide([grant])).toBe(false);
    expect(await decide([grant, { ...faculty, claims: { exp: 1 } }])).toBe(false);
    expect(await decide([grant, { ...faculty, from: other }], { trusted: [issuer.trusted] })).toBe(false);
    const own = { visa: { ...faculty.visa, conditions: [[{ type: 'ResearcherStatus', by: 'const:so' }]] } };
    expect(await decide([grant, own])).toBe(false);
  });

  test('is not met by a visa of another person, even if anybody may have visas here', async () => {
    const visas = [conditional([[clause]]), { ...faculty, ...ofBob }];
    expect(await decide(visas, { binding: 'none' })).toBe(false);
    expect(await decide([...visas, link(['bob', issuer.issuer])], { binding: 'none' })).toBe(true);
  });

  test('is not met by itself', async () => {
    const itself = [[{ type: 'ControlledAccessGrants', by: 'const:dac' }]];
    expect(await decide([conditional(itself)])).toBe(false);
  });
});
