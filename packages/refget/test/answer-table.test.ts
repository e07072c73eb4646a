import { toExpress } from '@htskit/adapters/express';
import { toFastify } from '@htskit/adapters/fastify';
import { toHono } from '@htskit/adapters/hono';
import { toNodeListener } from '@htskit/adapters/node';
import { sample } from '@htskit/testing';
import { adapterBindings, type Send } from '@htskit/testing/adapter-bindings';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerHandler, type ServiceName, serviceNames } from './answer-service.js';
import { type AnswerRow, answerRows } from './answer-table.js';
import { JSON_TYPE, LINEAR } from './sequence-service.js';

const ORIGIN = 'https://igv.example.org';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function ask(send: Send, { path, headers }: AnswerRow, method = 'GET'): Promise<Answer> {
  const response = await send({ method, path, headers: { origin: ORIGIN, ...headers } });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function expectCors(headers: Headers): void {
  expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
  expect(headers.get('vary')?.split(', ')).toContain('Origin');
}

function expectError({ status, headers, text }: Answer, { message }: AnswerRow): void {
  expect(headers.get('content-type')?.replace('std', 'ga4gh')).toBe(JSON_TYPE);
  expect(headers.get('cache-control')).toBe('no-store');
  const document = JSON.parse(text) as { message: string };
  const words = expect.stringMatching(/^[A-Z][A-Za-z ]+$/) as string;
  expect(document).toStrictEqual({ status, type: words, message: expect.any(String) as string });
  expect(document.message).toMatch(message ?? /./);
  expect(text).not.toMatch(/secret|Bearer /);
}

function expectBody({ headers, text }: Answer, { status, json }: AnswerRow): void {
  expect(json === undefined ? {} : JSON.parse(text)).toMatchObject(json ?? {});
  // A 304 has no body and no headers that describe one.
  if (status === 304) return;
  expect(headers.get('content-length')).toBe(String(text.length));
  expect(headers.get('content-type')).toMatch(/; charset=us-ascii$/);
}

function headersOf(headers: Headers, names: readonly string[]): Record<string, string | null> {
  return Object.fromEntries(names.map((name) => [name, headers.get(name)]));
}

describe.each(adapterBindings({ toNodeListener, toExpress, toHono, toFastify }))('through %s', (name, bind) => {
  const closing: (() => void)[] = [];
  const services = new Map<ServiceName, Send>();
  const send: Send = (wire) => to('default')(wire);
  function to(service: ServiceName = 'default'): Send {
    return services.get(service) ?? (() => Promise.reject(new Error('not bound')));
  }
  beforeAll(async () => {
    for (const service of serviceNames) {
      services.set(service, await bind(answerHandler(service), (close) => closing.push(close)));
    }
  });
  afterAll(() => {
    for (const close of closing) close();
  });

  const rows = answerRows.filter(({ except }) => except?.includes(name) !== true);

  test.each(rows.map((row) => [row.name, row.path, row.status, row] as const))(
    '%s: %s is %i',
    async (_, __, ___, row) => {
      const answer = await ask(to(row.service), row, row.method);
      const { status, body = answer.text } = row;
      expect([answer.status, answer.text]).toEqual([status, body]);
      expectCors(answer.headers);
      expect(headersOf(answer.headers, Object.keys(row.has ?? {}))).toEqual(row.has ?? {});
      expectBody(answer, row);
      if (status >= 400) expectError(answer, row);
    },
  );

  test('HEAD has the status and headers of GET, and no body', async () => {
    const isSentElsewhere = ({ status }: AnswerRow): boolean => [302, 303, 307].includes(status);
    const gets = rows.filter((row) => row.method === undefined && !isSentElsewhere(row));
    expect(gets.length).toBeGreaterThan(200);
    for (const row of sample(gets)) {
      const [got, head] = [await ask(to(row.service), row), await ask(to(row.service), row, 'HEAD')];
      expect([row.path, head.status, head.text]).toEqual([row.path, got.status, '']);
      const names = [...new Set([...got.headers.keys(), ...head.headers.keys()])];
      const compared = names.filter((header) => !['date', 'connection', 'keep-alive'].includes(header));
      expect([row.path, headersOf(head.headers, compared)]).toEqual([row.path, headersOf(got.headers, compared)]);
    }
  });

  test('HEAD has the length also of a sequence that is stored elsewhere', async () => {
    for (const row of rows.filter(({ status }) => [302, 303, 307].includes(status))) {
      const head = await ask(to(row.service), row, 'HEAD');
      expect([200, 206]).toContain(head.status);
      expect(head.headers.get('content-length')).toMatch(/^[1-8]$/);
    }
  });

  test('HEAD and 304 read nothing', async () => {
    const before = LINEAR.reads.length;
    const path = `/sequence/${LINEAR.metadata.md5}`;
    for (const query of ['', '?start=2&end=5']) await send({ method: 'HEAD', path: path + query, headers: {} });
    await send({ method: 'HEAD', path, headers: { range: 'bytes=2-4', accept: 'text/x-fasta' } });
    await send({ method: 'GET', path, headers: { 'if-none-match': '*' } });
    expect(LINEAR.reads).toHaveLength(before);
  });

  test.each([
    `/sequence/${LINEAR.metadata.md5}`,
    `/sequence/${LINEAR.metadata.md5}/metadata`,
    '/sequence/service-info',
    '/sequence/unknown',
    '/nowhere',
    '/',
  ])('accepts a preflight of %s for 30 days, without a token', async (path) => {
    for (const service of ['default', 'guarded'] as const) {
      const headers = {
        origin: ORIGIN,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization, range',
      };
      const response = await to(service)({ method: 'OPTIONS', path, headers });
      expect([response.status, await response.text()]).toEqual([204, '']);
      expectCors(response.headers);
      expect(response.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS');
      expect(response.headers.get('access-control-allow-headers')).toBe('authorization, range');
      expect(response.headers.get('access-control-max-age')).toBe('2592000');
    }
  });

  test('exposes the headers of partial responses to other origins', async () => {
    const response = await send({
      method: 'GET',
      path: `/sequence/${LINEAR.metadata.md5}`,
      headers: { origin: ORIGIN, range: 'bytes=0-1' },
    });
    const exposed = response.headers.get('access-control-expose-headers')?.split(', ');
    expect(exposed).toEqual(
      expect.arrayContaining(['Accept-Ranges', 'Content-Range', 'Content-Length', 'ETag', 'Location']),
    );
  });

  test('answers requests without an origin in the same way', async () => {
    const response = await send({ method: 'GET', path: `/sequence/${LINEAR.metadata.md5}`, headers: {} });
    expect([response.status, await response.text()]).toEqual([200, 'ACGTNACGTR']);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(response.headers.get('vary')?.split(', ')).toEqual(['Accept', 'Origin']);
  });
});
