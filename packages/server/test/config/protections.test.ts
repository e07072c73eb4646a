import { expect, test } from 'vitest';
import { parseConfig } from '../../src/config/parse-config.js';
import { checkProtections } from '../../src/config/protections.js';
import type { Config } from '../../src/config/schema.js';

function config(text: string): Config {
  return parseConfig(text, { file: 'htskit.yaml', environment: {} }).config;
}

const JWT = 'jwt: { jwksUrl: "https://a.example", issuer: a, audience: b }';

test.each([
  ['auth.jwt', `auth: { ${JWT} }`, ''],
  ['auth.jwt', `auth: { ${JWT} }`, 'auth: {}'],
  ['auth.rules or auth.authorizer', `auth: { ${JWT}, rules: [{}] }`, `auth: { ${JWT} }`],
  ['auth.signingKeys', `auth: { signingKeys: ["base64:${'A'.repeat(43)}="] }`, ''],
  ['auth.signingKeys', `auth: { ${JWT}, signingKeys: ["base64:${'A'.repeat(43)}="] }`, `auth: { ${JWT} }`],
  ['listen.tls', 'listen: { tls: { cert: a, key: b } }', 'listen: {}'],
  ['crypt4gh.keys', 'crypt4gh: { keys: [{ file: a.sec }] }', 'crypt4gh: { plainDelivery: on }'],
  ['audit', 'audit: stdout', 'log: {}'],
])('refuses a configuration that loses %s', (key, current, next) => {
  expect(() => checkProtections(config(current), config(next))).toThrow(`the configuration no longer has ${key};`);
});

test('accepts a configuration that keeps, changes or adds protections', () => {
  const open = config('');
  const rules = config(`{ audit: stdout, auth: { ${JWT}, rules: [{}] } }`);
  const authorizer = config(`{ audit: file, auth: { ${JWT}, authorizer: { url: "https://b.example" } } }`);
  for (const [current, next] of [
    [open, rules],
    [open, open],
    [rules, authorizer],
    [authorizer, rules],
  ] as const)
    expect(() => checkProtections(current, next)).not.toThrow();
});
