import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ticket } from '@htskit/protocol';
import { JsonServer } from '@htskit/testing';
import { PassportIssuer } from '@htskit/testing/passport-issuer';
import { createKey, jwtOf, keySetOf, signToken } from '@htskit/testing/token-issuer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FetchHandler } from '../dispatch.js';
import { ask, guardedApp } from './guarded-app.js';

const key = await createKey('one');
let folder: string;
let issuer: PassportIssuer;
let login: JsonServer;
let service: JsonServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-passports-'));
  writeFileSync(join(folder, 'panel.bed'), 'chr1\t5000\t9000\n');
  [issuer, login, service] = await Promise.all([
    PassportIssuer.start('https://broker.example'),
    JsonServer.start(keySetOf(key)),
    JsonServer.start({ allow: false }),
  ]);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await Promise.all([issuer.stop(), login.stop(), service.stop()]);
});

function passports(section: object = {}): object {
  const datasets = {
    D1: { objects: ['reads/d1/**'] },
    'https://data.example/datasets/D2': { objects: ['*/d2/**'], regionsFile: 'panel.bed' },
  };
  return { passports: { trusted: [issuer.trusted], datasets, ...section } };
}

async function passportOf(...datasets: readonly string[]): Promise<string> {
  const visas = datasets.map((name) => issuer.signVisa({ visa: { value: `https://data.example/datasets/${name}` } }));
  return issuer.signPassport(await Promise.all(visas));
}

async function statusOf(app: FetchHandler, path: string, token?: string): Promise<number> {
  return (await app(ask(path, token))).status;
}

test('the visas of a passport grant what the configuration says of their datasets', async () => {
  const app = await guardedApp(passports(), { directory: folder });
  const [first, second] = [await passportOf('D1'), await passportOf('D2')];
  expect(await statusOf(app, '/reads/d1/a')).toBe(401);
  expect(await statusOf(app, '/reads/d1/a', first)).toBe(200);
  expect(await statusOf(app, '/variants/d1/a', first)).toBe(403);
  expect(await statusOf(app, '/reads/d1/a', second)).toBe(403);
  expect(await statusOf(app, '/reads/d2/a?referenceName=chr1', second)).toBe(200);
  expect(await statusOf(app, '/variants/d2/a?referenceName=chr2', second)).toBe(403);
  const both = await passportOf('D1', 'D2', 'D3');
  expect(await statusOf(app, '/reads/d1/a', both)).toBe(200);
  expect(await statusOf(app, '/reads/d3/a', both)).toBe(403);
  expect(await statusOf(app, '/sequence/abc', both)).toBe(403);
});

test('public objects need no passport, and rules apply to tokens', async () => {
  const rules = [{ claims: { groups: 'curators' }, objects: ['reads/**'] }];
  const app = await guardedApp(
    { ...passports(), jwt: jwtOf(login), rules, public: ['reads/demo/*'] },
    {
      directory: folder,
    },
  );
  const token = await signToken(key, { groups: ['curators'], scope: 'read:genomic_reads' });
  expect(await statusOf(app, '/reads/demo/a')).toBe(200);
  expect(await statusOf(app, '/reads/d9/a', token)).toBe(200);
  expect(await statusOf(app, '/reads/d9/a', await passportOf('D1'))).toBe(403);
  expect(await statusOf(app, '/reads/d1/a', await passportOf('D1'))).toBe(200);
});

test('with passports and without rules, a token grants nothing but its visas', async () => {
  const app = await guardedApp({ ...passports(), jwt: jwtOf(login) }, { directory: folder });
  const scope = 'read:genomic_reads';
  expect(await statusOf(app, '/reads/d1/a', await signToken(key, { scope }))).toBe(403);
  const visas = { ga4gh_passport_v1: [await issuer.signVisa()] };
  expect(await statusOf(app, '/reads/d1/a', await signToken(key, { scope, ...visas }))).toBe(200);
});

test('an authorizer receives the visas', async () => {
  const app = await guardedApp({ ...passports({ datasets: undefined }), authorizer: { url: service.url } });
  service.document = { allow: true };
  expect(await statusOf(app, '/reads/d9/a', await passportOf('D1'))).toBe(200);
  expect(JSON.parse(service.bodies.at(-1) ?? '')).toMatchObject({
    claims: {},
    visas: [{ type: 'ControlledAccessGrants', value: 'https://data.example/datasets/D1', by: 'dac', subject: 'alice' }],
  });
});

test('neither a passport nor a visa is in a ticket', async () => {
  const app = await guardedApp(passports(), { directory: folder });
  const passport = await passportOf('D1');
  const ticket = (await (await app(ask('/reads/d1/a', passport))).json()) as Ticket;
  const text = JSON.stringify(ticket);
  for (const part of passport.split('.')) expect(text).not.toContain(part);
  expect(text).not.toContain('Bearer');
});
