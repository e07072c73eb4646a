import { toExpress } from '@htskit/adapters/express';
import { toFastify } from '@htskit/adapters/fastify';
import { toHono } from '@htskit/adapters/hono';
import { toNodeListener } from '@htskit/adapters/node';
import { adapterBindings, type Send } from '@htskit/testing/adapter-bindings';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorHandler } from './error-service.js';
import { type ErrorRow, errorRows } from './error-table.js';

const ORIGIN = 'https://igv.example.org';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function ask(send: Send, row: ErrorRow, method = row.method ?? 'GET'): Promise<Answer> {
  const { path, headers, body } = row;
  const response = await send({ method, path, headers: { origin: ORIGIN, ...headers }, body });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function expectCors(headers: Headers): void {
  expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
  expect(headers.get('vary')?.split(', ')).toContain('Origin');
}

function expectError({ headers, text }: Answer, { answer: [, error], message, has }: ErrorRow): void {
  expect(headers.get('content-type')).toBe('application/json');
  const document = JSON.parse(text) as { htsget: { message: string } };
  expect(document).toStrictEqual({ htsget: { error, message: expect.any(String) as string } });
  expect(document.htsget.message).toMatch(message ?? /./);
  expect(text).not.toMatch(/secret|Bearer /);
  expect(Object.fromEntries(Object.keys(has ?? {}).map((name) => [name, headers.get(name)]))).toEqual(has ?? {});
}

function expectTicket({ headers, text }: Answer): void {
  expect(headers.get('content-type')).toBe('application/vnd.ga4gh.htsget.v1.0.0+json; charset=utf-8');
  const { htsget } = JSON.parse(text) as { htsget: { urls: { class: string }[] } };
  expect(htsget.urls[0]?.class).toBe('header');
}

describe.each(adapterBindings({ toNodeListener, toExpress, toHono, toFastify }))('through %s', (name, bind) => {
  const closing: (() => void)[] = [];
  let send: Send = () => Promise.reject(new Error('not bound'));
  beforeAll(async () => {
    send = await bind(errorHandler(), (close) => closing.push(close));
  });
  afterAll(() => {
    for (const close of closing) close();
  });

  const rows = errorRows.filter(({ except }) => except?.includes(name) !== true);

  test.each(rows.map((row) => [row.name, row.answer.join(' '), row] as const))('%s is %s', async (_, __, row) => {
    const answer = await ask(send, row);
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([row.answer[0], expect.any(String)]);
    expectCors(answer.headers);
    if (row.answer[1] === undefined) expectTicket(answer);
    else expectError(answer, row);
  });

  test('HEAD has the status and headers of GET, and no body', async () => {
    const gets = rows.filter(({ method, body }) => method === undefined && body === undefined);
    expect(gets.length).toBeGreaterThan(50);
    for (const row of gets) {
      const [got, head] = [await ask(send, row), await ask(send, row, 'HEAD')];
      expect([row.name, head.status, head.text]).toEqual([row.name, got.status, '']);
      for (const header of ['content-type', 'retry-after', 'www-authenticate', 'access-control-allow-origin']) {
        expect([row.name, header, head.headers.get(header)]).toEqual([row.name, header, got.headers.get(header)]);
      }
    }
  });

  test.each([
    '/reads/sample?class=header',
    '/variants/nothing',
    '/reads/guarded',
    '/reads/service-info',
    '/blocks/e30.AAAA',
    '/nowhere',
    '/reads/a%2F..%2Fb',
    '/',
  ])('a preflight of %s is accepted for 30 days', async (path) => {
    for (const method of ['GET', 'POST']) {
      const headers = {
        origin: ORIGIN,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization, range',
      };
      const response = await send({ method: 'OPTIONS', path, headers });
      expect(response.status).toBe(204);
      expect(await response.text()).toBe('');
      expectCors(response.headers);
      expect(response.headers.get('access-control-allow-methods')?.split(', ')).toContain(method);
      expect(response.headers.get('access-control-allow-headers')).toBe('authorization, range');
      expect(response.headers.get('access-control-max-age')).toBe('2592000');
    }
  });

  test('OPTIONS without an origin names the methods', async () => {
    const response = await send({ method: 'OPTIONS', path: '/reads/service-info', headers: {} });
    expect([response.status, response.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  test.each([
    [undefined, 'ga4gh'],
    ['*/*', 'ga4gh'],
    ['application/vnd.ga4gh.htsget.v1.0.0+json', 'ga4gh'],
    ['application/vnd.std.htsget.v1.0.0+json', 'std'],
    ['application/vnd.std.htsget.v9.7.5+json', 'std'],
    ['application/vnd.ga4gh.htsget.v0.2rc+json, application/json;q=0.5', 'ga4gh'],
    ['text/html', 'ga4gh'],
  ])('Accept %s is answered as %s', async (accept, authority) => {
    const headers: Record<string, string> = accept === undefined ? {} : { accept };
    for (const path of ['/reads/sample?class=header', '/variants/service-info']) {
      const response = await send({ method: 'GET', path, headers });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe(
        `application/vnd.${authority}.htsget.v1.0.0+json; charset=utf-8`,
      );
      expect(response.headers.get('content-encoding')).toBeNull();
    }
  });

  test.each([
    ['reads', ['BAM', 'CRAM'], true],
    ['variants', ['VCF', 'BCF'], false],
  ])('service-info of %s is correct and needs no token', async (datatype, formats, isByField) => {
    const response = await send({ method: 'GET', path: `/${datatype}/service-info`, headers: {} });
    expect(await response.json()).toEqual({
      id: expect.any(String) as string,
      name: expect.any(String) as string,
      version: expect.any(String) as string,
      organization: { name: expect.any(String) as string, url: expect.any(String) as string },
      type: { group: 'org.ga4gh', artifact: 'htsget', version: '1.3.1' },
      htsget: {
        datatype,
        formats,
        fieldsParameterEffective: isByField,
        tagsParametersEffective: true,
        samplesParameterEffective: true,
        readFiltersEffective: datatype === 'reads',
        filteredFormats: datatype === 'reads' ? ['BAM'] : formats,
        encryptionSchemes: ['crypt4gh'],
      },
    });
  });
});
