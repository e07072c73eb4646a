import { inspect } from 'node:util';
import type { Ticket } from '@htskit/protocol';
import { JsonServer } from '@htskit/testing';
import { createKey, jwtOf, keySetOf, now, signToken } from '@htskit/testing/token-issuer';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { FetchHandler } from '../dispatch.js';
import { ask, guardedApp } from './guarded-app.js';

const key = await createKey('one');
const SIGNING_KEY = 'utf8:a-key-of-block-URLs';
const all = { scope: 'read:genomic_reads read:genomic_variants' };

let issuer: JsonServer;
let service: JsonServer;
beforeAll(async () => {
  issuer = await JsonServer.start(keySetOf(key));
  service = await JsonServer.start({ allow: true });
});
afterAll(() => Promise.all([issuer.stop(), service.stop()]));

/** A token as a whole, and what no one could have written without it. */
function partsOf(token: string): string[] {
  const [, claims = token, signature = token] = token.split('.');
  return [token, claims, signature];
}

/** Headers and body of a response, and of all blocks where it is a ticket. */
async function transcript(app: FetchHandler, request: Request): Promise<string[]> {
  const response = await app(request);
  const body = Buffer.from(await response.arrayBuffer()).toString('latin1');
  const lines = [`${response.status} ${JSON.stringify([...response.headers])}`, body];
  const { htsget } = (response.ok && body.startsWith('{"htsget"') ? JSON.parse(body) : {}) as Partial<Ticket>;
  for (const { url } of htsget?.urls ?? []) {
    if (!url.startsWith('http')) continue;
    const [payload = ''] = url.slice(url.lastIndexOf('/') + 1).split('.');
    lines.push(Buffer.from(payload, 'base64url').toString('latin1'), ...(await transcript(app, new Request(url))));
  }
  return lines;
}

interface Case {
  readonly name: string;
  readonly status: number;
  readonly path?: string;
  readonly init?: RequestInit;
  readonly token?: () => Promise<string> | string;
  readonly auth?: () => object;
}

const valid = (): Promise<string> => signToken(key, all);
const down = { url: 'http://127.0.0.1:1/' };

const CASES: readonly Case[] = [
  { name: 'a ticket', status: 200 },
  { name: 'a ticket of an authorizer', status: 200, auth: () => ({ authorizer: { url: service.url } }) },
  { name: 'a public object', status: 200, auth: () => ({ public: ['reads/**'] }) },
  { name: 'variants', status: 200, path: '/variants/a' },
  { name: 'service-info', status: 200, path: '/reads/service-info' },
  { name: 'a sequence', status: 404, path: '/sequence/abc' },
  { name: 'no such object', status: 404, path: '/reads/missing' },
  { name: 'no such path', status: 404, path: '/elsewhere' },
  { name: 'a bad query', status: 400, path: '/reads/a?start=x' },
  { name: 'a bad body', status: 400, init: { method: 'POST', body: '{' } },
  { name: 'a bad method', status: 405, init: { method: 'DELETE' } },
  { name: 'a storage failure', status: 500, path: '/reads/lost' },
  { name: 'no rule', status: 403, auth: () => ({ rules: [] }) },
  { name: 'no scope', status: 403, token: () => signToken(key) },
  { name: 'an expired token', status: 401, token: () => signToken(key, { ...all, exp: now() - 3600 }) },
  { name: 'a token for others', status: 401, token: () => signToken(key, { ...all, aud: 'others' }) },
  { name: 'a token of another key', status: 401, token: async () => signToken(await createKey('one'), all) },
  { name: 'a token of an unknown key', status: 401, token: async () => signToken(await createKey('two'), all) },
  { name: 'a token cut off', status: 401, token: async () => (await valid()).slice(0, -9) },
  { name: 'a token of nonsense', status: 401, token: () => 'secret~nonsense~that~is~no~token' },
  {
    name: 'a sequence without a valid token',
    status: 401,
    path: '/sequence/abc',
    token: async () => `x${await valid()}`,
  },
  { name: 'no issuer', status: 503, auth: () => ({ jwt: { ...jwtOf(issuer), jwksUrl: down.url } }) },
  { name: 'no authorizer', status: 503, auth: () => ({ authorizer: down }) },
  { name: 'no authorizer of sequences', status: 503, path: '/sequence/abc', auth: () => ({ authorizer: down }) },
  { name: 'an authorizer of nonsense', status: 503, auth: () => ({ authorizer: { url: issuer.url } }) },
];

test.each(CASES)(
  '$name ($status) leaks the token into no response, log, ticket or block URL',
  async ({ status, path = '/reads/a', init, token: createToken = valid, auth }) => {
    const captured: string[] = [];
    const log = (entry: unknown): void => void captured.push(inspect(entry, { depth: Infinity, showHidden: true }));
    const streams = [process.stdout, process.stderr].map((stream) =>
      vi.spyOn(stream, 'write').mockImplementation((chunk) => {
        log(String(chunk));
        return true;
      }),
    );
    const section = { jwt: jwtOf(issuer), signingKeys: [SIGNING_KEY], ...auth?.() };
    const app = await guardedApp(section, { onError: log, onEvent: log });
    const token = await createToken();
    service.bodies.length = 0;
    const lines = await transcript(app, ask(path, token, init));
    for (const stream of streams) stream.mockRestore();
    expect(lines[0]).toMatch(String(status));
    expect(lines.some((line) => line.startsWith('{"datatype"'))).toBe(status === 200 && path !== '/reads/service-info');
    // Each request for a ticket leaves an event, also a refused one. Of the others, only failures are reported.
    const isTicket = /^\/(?:reads|variants)\/(?!service-info)/.test(path);
    expect(captured.length > 0).toBe(isTicket || status >= 500);
    const told = [...lines, ...captured].join('\n');
    // The subject: claims are for the authorizer alone.
    expect(told).not.toContain('alice');
    const everything = [told, ...service.bodies].join('\n');
    for (const secret of [...partsOf(token), 'a-key-of-block-URLs']) expect(everything).not.toContain(secret);
    const encoded = Buffer.from(token).toString('base64url').slice(4, -4);
    expect(everything).not.toContain(encoded);
  },
);

test('detects a token in an error', () => {
  const error = new Error('outer', { cause: Object.assign(new Error('inner'), { headers: { secret: 'a.b.c' } }) });
  expect(inspect(error, { depth: Infinity, showHidden: true })).toContain('a.b.c');
});
