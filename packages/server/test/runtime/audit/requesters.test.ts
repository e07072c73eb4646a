import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ticket } from '@htskit/protocol';
import { fixturePath } from '@htskit/testing';
import { PassportIssuer } from '@htskit/testing/passport-issuer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseConfig } from '../../../src/config/parse-config.js';
import { toServeOptions } from '../../../src/config/serve-options.js';
import { type RunningServer, serve } from '../../../src/runtime/serve.js';

let folder: string;
let issuer: PassportIssuer;
let server: RunningServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-requesters-'));
  for (const name of ['a', 'b']) {
    cpSync(fixturePath('reads.bam'), join(folder, `${name}.bam`));
    cpSync(fixturePath('reads.bam.bai'), join(folder, `${name}.bam.bai`));
  }
  issuer = await PassportIssuer.start('https://broker.example');
  const file = join(folder, 'htskit.yaml');
  const datasets = { D1: { objects: ['reads/a'], regions: ['chr1:1-5000'] } };
  const text = JSON.stringify({
    listen: { port: 0 },
    htsget: { locations: [{ location: '.' }] },
    auth: { passports: { trusted: [issuer.trusted], datasets } },
    audit: 'audit.jsonl',
  });
  const { config } = parseConfig(text, { file, environment: {} });
  const options = await toServeOptions({ config, file, flags: { paths: [] }, environment: {} });
  server = await serve({ ...options, log: () => undefined });
});
afterAll(async () => {
  await server.close();
  await issuer.stop();
  rmSync(folder, { recursive: true });
});

async function request(path: string, token?: string): Promise<Response> {
  const headers = new Headers({ 'x-request-id': 'same' });
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  return fetch(path.startsWith('http') ? path : server.url + path, { headers });
}

/** Returns what was recorded since the last call. */
let seen = 0;
function newRecords(): readonly Record<string, unknown>[] {
  const lines = readFileSync(join(folder, 'audit.jsonl'), 'utf8').trim().split('\n').slice(seen);
  seen += lines.length;
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('records of tickets, blocks, coverage and refusals name the subject and the visas that granted', async () => {
  const passport = await issuer.signPassport([
    await issuer.signVisa(),
    await issuer.signVisa({ claims: { jti: 'v2' } }),
  ]);
  const ticket = (await (await request('/reads/a', passport)).json()) as Ticket;
  for (const { url } of ticket.htsget.urls) if (url.startsWith('http')) await (await request(url)).arrayBuffer();
  await (await request('/coverage/a?referenceName=chr1&start=0&end=1000', passport)).text();
  await (await request('/reads/b', passport)).text();
  const records = newRecords();
  const granted = {
    subject: 'alice',
    visas: ['visa-1', 'v2'],
    object: 'reads/a',
    outcome: 'completed',
    isRestricted: true,
  };
  expect(records.map(({ resource }) => resource)).toEqual([
    'ticket',
    ...records.slice(1, -2).map(() => 'block'),
    'coverage',
    'ticket',
  ]);
  expect(records.length).toBeGreaterThan(3);
  for (const record of records.slice(0, -1)) expect(record).toMatchObject(granted);
  expect(records.at(-1)).toMatchObject({
    subject: 'alice',
    object: 'reads/b',
    status: 403,
    outcome: 'refused',
    bytes: 0,
  });
  expect(records.at(-1)).not.toHaveProperty('visas');
  const text = JSON.stringify(records);
  for (const part of passport.split('.')) expect(text).not.toContain(part);
  expect(text).not.toContain('https://data.example');
});

test('a request without a valid token has no subject, also under the request id of another one', async () => {
  await (await request('/reads/a', await issuer.signPassport([await issuer.signVisa()]))).text();
  await (await request('/reads/a')).text();
  await (await request('/reads/a', 'x')).text();
  const [granted, ...refused] = newRecords();
  expect(granted).toMatchObject({ requestId: 'same', subject: 'alice' });
  expect(refused).toMatchObject([
    { requestId: 'same', status: 401, outcome: 'refused' },
    { requestId: 'same', status: 401, outcome: 'refused' },
  ]);
  for (const record of refused) expect(record).not.toHaveProperty('subject');
});

test('passports in the body of DRS and refused files are recorded with their subject', async () => {
  const passport = await issuer.signPassport([await issuer.signVisa()]);
  const body = JSON.stringify({ passports: [passport] });
  const headers = { 'content-type': 'application/json', 'x-request-id': 'd1' };
  const drs = `${server.url}/ga4gh/drs/v1/objects/a.bam`;
  expect((await fetch(drs, { method: 'POST', headers, body })).ok).toBe(true);
  expect((await fetch(drs, { method: 'POST', headers, body: '{"passports":["x"]}' })).status).toBe(401);
  expect((await request('/files/a.bam', passport)).status).toBe(403);
  expect(newRecords()).toMatchObject([
    { resource: 'drs', object: 'files/a.bam', subject: 'alice', visas: ['visa-1'], outcome: 'completed' },
    { resource: 'drs', object: 'files/a.bam', status: 401 },
    { resource: 'file', object: 'files/a.bam', subject: 'alice', status: 403, outcome: 'refused' },
  ]);
  const options = await fetch(drs, { method: 'OPTIONS', headers: {} });
  expect(await options.json()).toMatchObject({
    supported_types: ['BearerAuth', 'PassportAuth'],
    passport_auth_issuers: ['https://broker.example'],
  });
});
