import { fileURLToPath } from 'node:url';
import { answerExchange } from '@htskit/adapters/internal';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RoutedListener } from '../../../src/runtime/gate/request-gate.js';
import { createOpenApi } from '../../../src/runtime/openapi/document.js';
import type { OpenApiOperation, Paths } from '../../../src/runtime/openapi/openapi-types.js';
import { routeOf } from '../../../src/runtime/request-route.js';
import { send, startTestServer, type TestServer } from '../gate/test-server.js';
import { createDocumentedService, type DocumentedService } from './documented-service.js';

const DOCUMENT = createOpenApi({ authority: 'ga4gh', publicUrl: 'https://data.example.org', version: '1.2.3' });

let server: TestServer;
let service: DocumentedService;

beforeAll(async () => {
  const listener: RoutedListener = (incoming, outgoing, { route, body }) => {
    if (route.nameObject?.() === 'reads/never') return;
    const { target: path = '/*' } = route;
    answerExchange((request) => service.handler(request), { incoming, outgoing, path, body, onError: () => undefined });
  };
  server = await startTestServer(listener, { openApi: DOCUMENT });
  service = await createDocumentedService(server.url);
});

afterAll(() => server.drain());

/** The document's schemas, in which what they do not name is an error: an answer has no member that they do not know. */
function createValidator(): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  // A CommonJS module whose types are those of an ES module.
  (formats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addFormat('binary', true);
  // The document as a whole is taken for a schema, which its references begin from.
  ajv.addVocabulary(Object.keys(DOCUMENT));
  ajv.addSchema(close(DOCUMENT) as object, 'openapi');
  return ajv;
}

function close(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(close);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, close(member)] as const);
  const isObjectSchema = 'type' in value && value.type === 'object' && 'properties' in value;
  return { ...Object.fromEntries(members), ...(isObjectSchema && { additionalProperties: false }) };
}

function operationsOf({
  paths,
}: {
  readonly paths: Paths;
}): [template: string, method: 'get' | 'post', operation: OpenApiOperation][] {
  return Object.entries(paths).flatMap(([template, item]) =>
    (['get', 'post'] as const).flatMap((method) => {
      const operation = item[method];
      return operation === undefined
        ? []
        : [[template, method, operation] as [string, 'get' | 'post', OpenApiOperation]];
    }),
  );
}

/** The faults of an answer by the document; none of an answer that is as it says. */
function faultsOf(answer: { template: string; method: 'get' | 'post'; response: Response; text: string }): unknown[] {
  const { template, method, response, text } = answer;
  const [, , operation] = operationsOf(DOCUMENT).find((row) => row[0] === template && row[1] === method) ?? [];
  if (operation === undefined) return [`${method} ${template} is not documented`];
  const described = operation.responses[response.status];
  if (described === undefined) return [`${method} ${template} ${response.status} is not documented`];
  const name = '$ref' in described ? described.$ref.replace('#/components/responses/', '') : undefined;
  const { content, headers } = (name === undefined ? described : DOCUMENT.components.responses[name]) as {
    content?: Record<string, unknown>;
    headers?: object;
  };
  const required = headers === undefined ? [] : ['X-Request-Id', ...(response.status === 503 ? ['Retry-After'] : [])];
  const missing = required.filter((header) => !response.headers.has(header));
  if (content === undefined) return [...missing, ...(text === '' ? [] : ['a body is not documented'])];
  const [mediaType = ''] = response.headers.get('content-type')?.split(';') ?? [];
  if (!(mediaType in content)) return [...missing, `${mediaType} is not documented`];
  const pointer = ['paths', template, method, 'responses', String(response.status), 'content', mediaType, 'schema'];
  const shared = ['components', 'responses', name ?? '', 'content', mediaType, 'schema'];
  const path = (name === undefined ? pointer : shared).map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'));
  const validate = VALIDATOR.compile({ $ref: `openapi#/${path.map(encodeURIComponent).join('/')}` });
  return validate(mediaType.endsWith('json') ? JSON.parse(text) : text)
    ? missing
    : [...missing, ...(validate.errors ?? [])];
}

const VALIDATOR = createValidator();

type Row = readonly [method: string, path: string, status: number, init?: RequestInit, documentedAs?: 'get' | 'post'];

const json = (body: unknown): RequestInit => ({
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const accept = (type: string): RequestInit => ({ headers: { accept: type } });
const bearer = (token: string): RequestInit => ({ headers: { authorization: `Bearer ${token}` } });

function htsgetRows(datatype: string): Row[] {
  return [
    ['GET', `/${datatype}/service-info`, 200],
    ['DELETE', `/${datatype}/service-info`, 405, {}, 'get'],
    ['GET', `/${datatype}/a`, 200],
    ['GET', `/${datatype}/a?referenceName=chr1&start=100&end=5000`, 200],
    ['GET', `/${datatype}/a?class=header`, 200],
    ['GET', `/${datatype}/a?start=1`, 400],
    ['GET', `/${datatype}/private`, 401],
    ['GET', `/${datatype}/forbidden`, 403],
    ['GET', `/${datatype}/nothing`, 404],
    ['GET', `/${datatype}/broken`, 500],
    ['GET', `/${datatype}/unavailable`, 503],
    ['DELETE', `/${datatype}/a`, 405, {}, 'get'],
    ['POST', `/${datatype}/a`, 200, json({ regions: [{ referenceName: 'chr1', start: 1, end: 9000 }], tags: ['NM'] })],
    ['POST', `/${datatype}/a`, 400, json('{')],
    ['POST', `/${datatype}/nothing`, 404, json({})],
    ['POST', `/${datatype}/a`, 413, json({ tags: Array.from({ length: 1000 }, () => 'NM') })],
  ];
}

function refgetRows(): Row[] {
  const { sequences, collection } = service;
  const [first] = sequences;
  const id = `/sequence/${first?.metadata.sha512t24u}`;
  const missing = '0'.repeat(32);
  const expired = bearer('expired');
  const members = { names: ['a'], lengths: [1], sequences: [`SQ.${'a'.repeat(32)}`] };
  return [
    ['GET', '/sequence/service-info', 200],
    ['GET', '/sequence/service-info', 406, accept('image/png')],
    ['GET', `${id}/metadata`, 200],
    ['GET', `/sequence/insdc:${first?.name}/metadata`, 200],
    ['GET', `${id}/metadata`, 401, expired],
    ['GET', `/sequence/${missing}/metadata`, 404],
    ['GET', `${id}/metadata`, 406, accept('image/png')],
    ['GET', id, 200],
    ['GET', `${id}?start=1&end=3`, 200],
    ['GET', id, 200, accept('application/json')],
    ['GET', id, 200, accept('text/x-fasta')],
    ['GET', id, 206, { headers: { range: 'bytes=0-3' } }],
    ['GET', id, 304, { headers: { 'if-none-match': '*' } }],
    ['GET', `${id}?start=x`, 400],
    ['GET', id, 401, expired],
    ['GET', id, 403, bearer('narrow')],
    ['GET', `/sequence/${missing}`, 404],
    ['GET', id, 412, { headers: { 'if-match': '"x"' } }],
    ['DELETE', id, 405, {}, 'get'],
    ['GET', id, 406, accept('image/png')],
    ['GET', `${id}?end=4000000000`, 416],
    ['GET', `${id}?start=3&end=1`, 501],
    ['GET', '/service-info', 200],
    ['DELETE', '/service-info', 405, {}, 'get'],
    ['GET', '/list/collection', 200],
    ['GET', '/list/collection?page=x', 400],
    ['GET', `/collection/${collection.digest}`, 200],
    ['GET', `/collection/${collection.digest}?level=1`, 200],
    ['GET', `/collection/${collection.digest}?level=0`, 200],
    ['GET', `/collection/${collection.digest}?level=7`, 400],
    ['GET', `/collection/${collection.digest}`, 401, expired],
    ['GET', `/collection/${missing}`, 404],
    ['GET', '/list/attributes/names', 200],
    ['GET', '/list/attributes/names?page=x', 400],
    ['GET', '/list/attributes/nothing', 404],
    ...(['fasta', 'fasta.fai'] as const).flatMap((file): Row[] => [
      ['GET', `/collection/${collection.digest}/${file}`, 200],
      ['GET', `/collection/${collection.digest}/${file}`, 206, { headers: { range: 'bytes=0-9' } }],
      ['GET', `/collection/${collection.digest}/${file}`, 416, { headers: { range: 'bytes=999999999-' } }],
      ['GET', `/collection/${collection.digest}/${file}`, 401, expired],
      ['GET', `/collection/${missing}/${file}`, 404],
    ]),
    ...(['names', 'lengths', 'sequences', 'name_length_pairs', 'sorted_sequences'] as const).map(
      (name): Row => ['GET', `/attribute/collection/${name}/${collection.attributes[name].digest}`, 200],
    ),
    ['GET', `/attribute/collection/names/${missing}`, 404],
    ['POST', `/collection/${collection.digest}/regions`, 200, json([])],
    ['POST', `/collection/${collection.digest}/regions`, 400, json('[')],
    ['POST', `/collection/${collection.digest}/regions`, 404, json([{ chrom: missing, start: 0, end: 0 }])],
    ['POST', `/collection/${collection.digest}/regions`, 416, json([{ chrom: first?.name, start: 1, end: 0 }])],
    ['GET', `/collection/${collection.digest}/regions`, 405, {}, 'post'],
    ['GET', `/comparison/${collection.digest}/${collection.digest}`, 200],
    ['GET', `/comparison/${collection.digest}/${missing}`, 404],
    ['POST', `/comparison/${collection.digest}`, 200, json(members)],
    ['POST', `/comparison/${collection.digest}`, 400, json('[]')],
    ['POST', `/comparison/${missing}`, 404, json(members)],
    ['POST', `/comparison/${collection.digest}`, 413, json({ ...members, names: ['a'.repeat(2000)] })],
    ['GET', `/comparison/${collection.digest}`, 405, {}, 'post'],
  ];
}

const BROWSER_ROWS: readonly Row[] = [
  ['GET', '/igv/session.json', 200],
  ['GET', '/igv/session.json?genome=x', 404],
  ['GET', '/igv/desktop.json', 200],
  ['GET', '/igv/desktop.json?genome=x', 404],
  ['GET', '/jbrowse/config.json', 200],
];

function seqRepoRows(): Row[] {
  const [first] = service.sequences;
  const alias = `insdc:${first?.name}`;
  return [
    ['GET', '/seqrepo/1/ping', 200],
    ['DELETE', '/seqrepo/1/ping', 405, {}, 'get'],
    ['GET', `/seqrepo/1/sequence/${alias}`, 200],
    ['GET', `/seqrepo/1/sequence/${alias}?start=1&end=3`, 200],
    ...(['sequence', 'metadata'] as const).flatMap((kind): Row[] => [
      ['GET', `/seqrepo/1/${kind}/${alias}`, 200],
      ['GET', `/seqrepo/1/${kind}/${alias}`, 304, { headers: { 'if-none-match': '*' } }],
      ['GET', `/seqrepo/1/${kind}/${alias}?x=1`, 400],
      ['GET', `/seqrepo/1/${kind}/${alias}`, 401, bearer('expired')],
      ['GET', `/seqrepo/1/${kind}/${alias}`, 403, bearer('narrow')],
      ['GET', `/seqrepo/1/${kind}/nothing`, 404],
      ['DELETE', `/seqrepo/1/${kind}/${alias}`, 405, {}, 'get'],
    ]),
    ['GET', `/seqrepo/1/sequence/${alias}?start=3&end=1`, 422],
  ];
}

function coverageRows(): Row[] {
  const files = ['private', 'forbidden', 'nothing', 'broken', 'unavailable'];
  const failures = [401, 403, 404, 500, 503];
  return [
    ['GET', '/coverage/a?referenceName=chr1', 200],
    ['GET', '/coverage/a?referenceName=chr1', 200, accept('application/octet-stream')],
    ['GET', '/coverage/a?datatype=variants&referenceName=chr1&bins=5', 200],
    ['GET', '/coverage/a', 400],
    ['GET', '/coverage/a.bw', 200],
    ['GET', '/coverage/a.bw', 206, { headers: { range: 'bytes=0-9' } }],
    ['GET', '/coverage/a.bw', 304, { headers: { 'if-none-match': '*' } }],
    ['GET', '/coverage/a.bw', 416, { headers: { range: 'bytes=99-' } }],
    ...['', '.bw'].flatMap((suffix): Row[] => [
      ...files.map((id, i): Row => ['GET', `/coverage/${id}${suffix}?referenceName=chr1`, failures[i] ?? 0]),
      ['DELETE', `/coverage/a${suffix}`, 405, {}, 'get'],
    ]),
  ];
}

function drsRows(): Row[] {
  const api = '/ga4gh/drs/v1';
  const names = ['private', 'forbidden', 'nothing', 'broken', 'unavailable'].map((id) => `${id}.bam`);
  const failures = [401, 403, 404, 500, 503];
  const id = `${api}/objects/a.bam`;
  const wanted = [{ bulk_object_id: 'a.bam', bulk_access_ids: ['https', 'none'] }];
  return [
    ['GET', `${api}/service-info`, 200],
    ['DELETE', `${api}/service-info`, 405, {}, 'get'],
    ['GET', id, 200],
    ['GET', `${api}/objects/a.bam.bai`, 200],
    ['GET', `${api}/objects/variants%2Fa`, 200],
    ['GET', `${api}/objects/${service.collection.digest}`, 200],
    ['GET', `${api}/objects/collection%2F${service.collection.digest}`, 200],
    ['GET', `${id}?expand=x`, 400],
    ['POST', id, 200, json({ passports: [] })],
    ['POST', id, 400, json('{')],
    ['POST', id, 413, json({ passports: ['a'.repeat(2000)] })],
    ['GET', `${id}/access/https`, 200],
    ['GET', `${id}/access/none`, 404],
    ['POST', `${id}/access/https`, 200, json({})],
    ['POST', `${api}/objects/nothing.bam/access/https`, 404, json({})],
    ['POST', `${api}/objects`, 200, json({ bulk_object_ids: ['a.bam', ...names] })],
    ['POST', `${api}/objects`, 400, json({})],
    ['GET', `${api}/objects`, 405, {}, 'post'],
    ['POST', `${api}/objects/access`, 200, json({ bulk_object_access_ids: wanted })],
    ['POST', `${api}/objects/access`, 400, json({ bulk_object_access_ids: [1] })],
    ['GET', '/files/a.bam', 200],
    ['GET', '/files/a.vcf.gz', 200],
    ['GET', '/files/a.bam', 206, { headers: { range: 'bytes=0-9' } }],
    ['GET', '/files/a.bam', 304, { headers: { 'if-none-match': '*' } }],
    ['GET', '/files/a.bam', 412, { headers: { 'if-match': '"x"' } }],
    ['GET', '/files/a.bam', 416, { headers: { range: 'bytes=999999999-' } }],
    ['GET', '/files/a.bam?token=x', 403],
    ['DELETE', '/files/a.bam', 405, {}, 'get'],
    ...names.flatMap((name, index): Row[] => [
      ['GET', `/files/${name}`, failures[index] ?? 0],
      ['GET', `${api}/objects/${name}`, failures[index] ?? 0],
    ]),
  ];
}

async function blockRows(): Promise<Row[]> {
  const ticket = (await (await fetch(`${server.url}/reads/a`)).json()) as { htsget: { urls: { url: string }[] } };
  const block = ticket.htsget.urls.map(({ url }) => url).find((url) => url.startsWith('http'));
  const path = new URL(block ?? '').pathname;
  return [
    ['GET', path, 200],
    ['GET', path, 206, { headers: { range: 'bytes=0-9' } }],
    ['GET', path, 416, { headers: { range: 'bytes=999999999-' } }],
    ['GET', '/blocks/forged.token', 403],
    ['POST', path, 405, {}, 'get'],
  ];
}

test('every response of every operation matches the document', async () => {
  const operational = ['/', '/healthz', '/readyz', '/metrics', '/openapi.json'].map((path): Row => ['GET', path, 200]);
  const rows = [
    ...operational,
    ...htsgetRows('reads'),
    ...htsgetRows('variants'),
    ...(await blockRows()),
    ...refgetRows(),
    ...seqRepoRows(),
    ...BROWSER_ROWS,
    ...coverageRows(),
    ...drsRows(),
  ];
  const answered = new Set<string>();
  for (const [method, path, status, init, documentedAs] of rows) {
    const response = await fetch(server.url + path, { method, ...init });
    const text = await response.text();
    expect.soft(response.status, `${method} ${path}: ${text.slice(0, 300)}`).toBe(status);
    const { template } = routeOf(path);
    const as = documentedAs ?? (method === 'POST' ? 'post' : 'get');
    expect.soft(faultsOf({ template, method: as, response, text }), `${method} ${path} ${status}`).toEqual([]);
    answered.add(`${as} ${template} ${Math.floor(status / 100)}XX`);
  }
  for (const [template, method, { responses }] of operationsOf(DOCUMENT)) {
    for (const kind of ['2XX', ...('404' in responses || '405' in responses ? ['4XX'] : [])]) {
      expect.soft(answered, 'an operation without a request').toContain(`${method} ${template} ${kind}`);
    }
  }
});

test('the response to a shed request matches the document', async () => {
  server.gate.limits = { concurrency: 1, memoryBytes: 1 };
  const running = await send(server.port, 'GET /reads/never HTTP/1.1\r\nHost: a\r\n\r\n');
  await expect.poll(() => server.gate.inFlight.size).toBe(1);
  for (const path of [
    '/',
    '/reads/a',
    '/variants/a',
    '/blocks/x',
    '/coverage/x',
    '/sequence/x',
    '/list/collection',
    '/seqrepo/1/ping',
    '/files/x',
    '/ga4gh/drs/v1/objects/x',
  ]) {
    const response = await fetch(server.url + path);
    const answer = { template: routeOf(path).template, method: 'get', response, text: await response.text() } as const;
    expect([response.status, ...faultsOf(answer)], path).toEqual([503]);
  }
  const readyz = await fetch(`${server.url}/readyz`);
  expect(faultsOf({ template: '/readyz', method: 'get', response: readyz, text: await readyz.text() })).toEqual([]);
  running.destroy();
  server.gate.limits = {};
});

test('detects an undocumented response', async () => {
  const response = (body: object, status = 404): Response =>
    new Response(JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json', 'x-request-id': 'r' },
    });
  const faults = (body: object, status?: number): unknown[] =>
    faultsOf({ template: '/reads/{id}', method: 'get', response: response(body, status), text: JSON.stringify(body) });
  expect(faults({ htsget: { error: 'NotFound', message: 'm' } })).toEqual([]);
  expect(faults({ htsget: { error: 'NoSuchError', message: 'm' } })).toHaveLength(1);
  expect(faults({ htsget: { error: 'NotFound', message: 'm', more: 1 } })).toHaveLength(1);
  expect(faults({ htsget: { error: 'NotFound', message: 'm' } }, 418)).toHaveLength(1);
  expect(faults({ htsget: { error: 'NotFound', message: 'm' } }, 200)).toHaveLength(1);
});

test('has a route for each documented path', () => {
  const routes = Object.keys(DOCUMENT.paths).map((template) => routeOf(template.replaceAll(/[{}]/g, '')).template);
  expect(routes).toEqual(Object.keys(DOCUMENT.paths));
});

test('is a valid OpenAPI document', async () => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // Ids may hold slashes, so that these two paths do look alike; the server tells them apart as the document lists them.
      'no-ambiguous-paths': 'off',
      // Health checks have no client errors.
      'operation-4xx-response': 'off',
    },
  });
  const problems = await lintFromString({ source: JSON.stringify(DOCUMENT), absoluteRef: 'openapi.json', config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  const broken = JSON.stringify(DOCUMENT).replace('"#/components/schemas/Ticket"', '"#/components/schemas/Nothing"');
  const found = await lintFromString({ source: broken, absoluteRef: 'openapi.json', config });
  expect(found.map(({ ruleId }) => ruleId)).toContain('no-unresolved-refs');
});

test('reflects its options', () => {
  const document = createOpenApi({
    authority: 'std',
    publicUrl: 'https://b.example',
    version: '1',
    isMetricsPath: false,
    features: { coverage: false, drs: false, seqrepo: false, extensions: false },
  });
  expect(document['servers']).toEqual([{ url: 'https://b.example' }]);
  expect(Object.keys(document.paths)).not.toContain('/metrics');
  const text = JSON.stringify(document);
  expect(text).not.toContain('ga4gh');
  expect(text).toContain('application/vnd.std.refget.v2.0.0+json');
  const unanswered = /"[^"]*(?:coverage|drs|files|seqrepo|samples|restricted|encryptionScheme|requireFlags)[^"]*":/gi;
  expect(text.match(unanswered) ?? []).toEqual([]);
});

test('the published document equals the generated one', async () => {
  const published = createOpenApi({ authority: 'ga4gh', publicUrl: 'http://127.0.0.1:8080', version: '0.0.0' });
  const path = fileURLToPath(new URL('../../../openapi/openapi.json', import.meta.url));
  await expect(`${JSON.stringify(published, undefined, 2)}\n`).toMatchFileSnapshot(path);
});

test('scripts of any origin may read /openapi.json', async () => {
  const response = await fetch(`${server.url}/openapi.json`, { headers: { origin: 'https://a.example' } });
  expect(response.headers.get('access-control-allow-origin')).toBe('https://a.example');
  expect(await response.json()).toEqual(DOCUMENT);
});
