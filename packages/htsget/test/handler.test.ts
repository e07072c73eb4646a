import type { Ticket } from '@htskit/protocol';
import { FileAccess, fileSource } from '@htskit/storage/file';
import { memorySource } from '@htskit/storage/memory';
import { fixturePath, readFixture } from '@htskit/testing';
import { describe, expect, test, vi } from 'vitest';
import { createHtsgetHandler, createPlainHtsgetHandler, type HtsgetOptions, type StoredFile } from '../src/index.js';
import { fixtureFile, fixtureHandler } from './fixture-files.js';
import { fetchBlocks, fetchError, fetchTicket, PUBLIC_URL } from './read-ticket.js';

const handler = fixtureHandler();
const region = '/reads/reads.bam?referenceName=chr1&start=1000&end=2000';

function post(body: unknown): RequestInit {
  return { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

describe('a ticket', () => {
  test('is one object with header, body and EOF, each with its class, headers on URLs only', async () => {
    const response = await handler(new Request(PUBLIC_URL + region));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/vnd.ga4gh.htsget.v1.0.0+json; charset=utf-8');
    const text = await response.text();
    expect(text.startsWith('{"htsget":{')).toBe(true);
    const { htsget } = JSON.parse(text) as Ticket;
    expect(htsget.format).toBe('BAM');
    expect(htsget.urls.map(({ url, ...rest }) => [url.slice(0, 24), rest])).toEqual([
      [`data:;base64,${'H4sIBAAAAAA'}`, { class: 'header' }],
      ['http://localhost/blocks/', { headers: {}, class: 'body' }],
      [`data:;base64,${'H4sIBAAAAAA'}`, { class: 'body' }],
    ]);
  });

  test.each(['', '&encryptionScheme=crypt4gh'])(
    'names the headers that its file depends on%s, and resolve gets them for each block',
    async (scheme) => {
      const file = fixtureFile('reads.bam');
      const asked: (string | null | undefined)[] = [];
      const personal = createHtsgetHandler({
        publicUrl: PUBLIC_URL,
        async resolve(_id, _datatype, { headers }) {
          asked.push(headers?.get('authorization'));
          return [{ ...file, forwarded: { authorization: 'Bearer alice' } }];
        },
      });
      const headers = { authorization: 'Bearer alice', 'htsget-context-public-key': btoa('\t'.repeat(32)) };
      const { htsget } = await fetchTicket(personal, region + scheme, { headers });
      const blocks = htsget.urls.filter(({ url }) => url.startsWith('http'));
      expect(blocks.length).toBeGreaterThan(0);
      for (const { url, headers: named } of blocks) {
        expect(named).toEqual({ authorization: 'Bearer alice' });
        await personal(new Request(url, { headers: { authorization: 'Bearer bob' } }));
      }
      expect(asked).toEqual(['Bearer alice', ...blocks.map(() => 'Bearer bob')]);
    },
  );

  test('has no body URL if no read can overlap', async () => {
    const { htsget } = await fetchTicket(handler, '/reads/reads.bam?referenceName=chrUn_1');
    expect(htsget.urls.map((block) => block.class)).toEqual(['header', 'body']);
  });

  test('names the authority that Accept names', async () => {
    const accept = 'application/vnd.std.htsget.v1.0.0+json';
    const response = await handler(new Request(PUBLIC_URL + region, { headers: { accept } }));
    expect(response.headers.get('content-type')).toBe('application/vnd.std.htsget.v1.0.0+json; charset=utf-8');
  });

  test('begins its block URLs with the public URL, whatever the Host', async () => {
    const behindProxy = fixtureHandler({ publicUrl: 'https://data.example.org/genomes/' });
    const response = await behindProxy(new Request(`http://attacker.example${region}`));
    expect(await response.text()).toContain('"https://data.example.org/genomes/blocks/');
  });

  test('answers HEAD as GET, without a body', async () => {
    const response = await handler(new Request(PUBLIC_URL + region, { method: 'HEAD' }));
    expect(response.status).toBe(200);
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(100);
    expect(await response.text()).toBe('');
  });

  test.each([
    ['an empty body', ''],
    ['an empty object', '{}'],
  ])('of a POST with %s is the ticket of the whole file', async (_, body) => {
    const ticket = await fetchTicket(handler, '/reads/reads.bam', { ...post({}), body });
    const whole = await fetchTicket(handler, '/reads/reads.bam');
    expect(await fetchBlocks(handler, ticket)).toEqual(await fetchBlocks(handler, whole));
  });
});

describe('an error', () => {
  const cases: readonly [string, string, RequestInit | undefined, number, string][] = [
    ['an unknown id', '/reads/nothing', undefined, 404, 'NotFound'],
    ['an unknown id with a bad range', '/reads/nothing?referenceName=a&start=2&end=1', undefined, 404, 'NotFound'],
    ['an unknown id with a syntax error', '/reads/nothing?start=x', undefined, 400, 'InvalidInput'],
    ['an id of the other datatype', '/variants/reads.bam', undefined, 404, 'NotFound'],
    ['an unknown path', '/writes/reads.bam', undefined, 404, 'NotFound'],
    ['no id', '/reads/', undefined, 404, 'NotFound'],
    ['an id with an encoded parent folder', '/reads/a%2F..%2Freads.bam', undefined, 404, 'NotFound'],
    ['an id with NUL', '/reads/reads.bam%00', undefined, 404, 'NotFound'],
    ['an id that is not UTF-8', '/reads/%ff', undefined, 404, 'NotFound'],
    ['an unknown reference', '/reads/reads.bam?referenceName=chr99', undefined, 404, 'NotFound'],
    ['a format that is not stored', '/reads/reads.bam?format=CRAM', undefined, 400, 'UnsupportedFormat'],
    ['a format that does not exist', '/reads/reads.bam?format=SAM', undefined, 400, 'UnsupportedFormat'],
    ['a class other than header', '/reads/reads.bam?class=body', undefined, 400, 'InvalidInput'],
    ['start without referenceName', '/reads/reads.bam?start=1', undefined, 400, 'InvalidInput'],
    ['start over end', '/reads/reads.bam?referenceName=chr1&start=2&end=1', undefined, 400, 'InvalidRange'],
    ['malformed JSON', '/reads/reads.bam', { ...post({}), body: '{' }, 400, 'InvalidInput'],
    ['a body that is not UTF-8', '/reads/reads.bam', { ...post({}), body: Uint8Array.of(0xff) }, 400, 'InvalidInput'],
    [
      'another content type',
      '/reads/reads.bam',
      { method: 'POST', body: new URLSearchParams('a=b') },
      400,
      'InvalidInput',
    ],
    ['too long a body', '/reads/reads.bam', post({ x: 'x'.repeat(2 ** 20) }), 413, 'PayloadTooLarge'],
    [
      'too many regions',
      '/reads/reads.bam',
      post({ regions: Array(1001).fill({ referenceName: 'chr1' }) }),
      413,
      'PayloadTooLarge',
    ],
    ['another method', '/reads/reads.bam', { method: 'DELETE' }, 405, 'InvalidInput'],
    ['a block that was not issued', '/blocks/e30.AAAA', undefined, 403, 'PermissionDenied'],
    ['a block with POST', '/blocks/e30.AAAA', { method: 'POST' }, 405, 'InvalidInput'],
  ];

  test.each(cases)('for %s has the status and name of the protocol', async (_, path, init, status, name) => {
    expect(await fetchError(handler, path, init)).toEqual([status, name]);
  });

  test('is application/json, and 405 names the methods', async () => {
    const response = await handler(new Request(`${PUBLIC_URL}/reads/service-info`, { method: 'POST', body: '' }));
    expect(response.status).toBe(405);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });
});

describe('CORS', () => {
  const headers = { origin: 'https://igv.example.org' };

  test.each([
    ['a ticket', region],
    ['an error', '/reads/nothing'],
    ['service-info', '/reads/service-info'],
  ])('%s copies the origin, and is not run by browsers', async (_, path) => {
    const response = await handler(new Request(PUBLIC_URL + path, { headers }));
    expect(response.headers.get('access-control-allow-origin')).toBe('https://igv.example.org');
    expect(response.headers.get('vary')?.split(', ')).toContain('Origin');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toBe('sandbox');
  });

  test('a preflight is accepted for 30 days, with the requested headers', async () => {
    const response = await handler(
      new Request(PUBLIC_URL + region, {
        method: 'OPTIONS',
        headers: {
          ...headers,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization, range',
        },
      }),
    );
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('https://igv.example.org');
    expect(response.headers.get('access-control-allow-methods')).toContain('POST');
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization, range');
    expect(response.headers.get('access-control-max-age')).toBe('2592000');
  });
});

describe('service-info', () => {
  test.each([
    ['reads', ['BAM', 'CRAM'], true],
    ['variants', ['VCF', 'BCF'], false],
  ])('of %s lists the formats and the effective parameters', async (datatype, formats, fieldsParameterEffective) => {
    const response = await handler(new Request(`${PUBLIC_URL}/${datatype}/service-info`));
    expect(await response.json()).toMatchObject({
      type: { group: 'org.ga4gh', artifact: 'htsget', version: '1.3.1' },
      htsget: { datatype, formats, fieldsParameterEffective, tagsParametersEffective: true },
    });
  });
});

test('the service-info documents of a service have ids of their own', async () => {
  const named = fixtureHandler({ serviceInfo: { id: 'org.example' } });
  const ids = ['reads', 'variants'].map(async (datatype) => {
    const response = await named(new Request(`${PUBLIC_URL}/${datatype}/service-info`));
    return ((await response.json()) as { id: string }).id;
  });
  expect(await Promise.all(ids)).toEqual(['org.example.reads', 'org.example.variants']);
});

describe('a block', () => {
  test('has a Content-Length if its BGZF blocks pass through untouched, and HEAD reads nothing', async () => {
    const bam = fixtureFile('no-eof.bam');
    const wholeFile = fixtureHandler({}, { 'no-eof.bam': [bam] });
    const { htsget } = await fetchTicket(wholeFile, '/reads/no-eof.bam');
    const url = htsget.urls[1]?.url ?? '';
    const stream = vi.spyOn(bam.data, 'stream');
    const head = await wholeFile(new Request(url, { method: 'HEAD' }));
    expect(stream).not.toHaveBeenCalled();
    const length = (await (await wholeFile(new Request(url))).arrayBuffer()).byteLength;
    expect(Number(head.headers.get('content-length'))).toBe(length);
  });

  test('is refused with 409 once the file has changed', async () => {
    const changing = (version: string): StoredFile => ({
      ...fixtureFile('reads.bam'),
      data: memorySource(readFixture('reads.bam'), { key: 'changing', version }),
    });
    const objects: Record<string, readonly StoredFile[]> = { changing: [changing('1')] };
    const resolve = async (id: string): Promise<readonly StoredFile[] | undefined> => objects[id];
    const replaced = fixtureHandler({ resolve });
    const { htsget } = await fetchTicket(replaced, '/reads/changing');
    objects['changing'] = [changing('2')];
    const response = await replaced(new Request(htsget.urls[1]?.url ?? ''));
    expect(response.status).toBe(409);
  });

  test('is refused with 409 once its id stands for another file, even of the same version', async () => {
    const stored = (identity: string | undefined): readonly StoredFile[] => {
      const file = fixtureFile('reads.bam');
      return [identity === undefined ? file : { ...file, identity }];
    };
    const objects = { same: stored('/data/secret/a.bam') };
    const handler = fixtureHandler({ resolve: async () => objects.same });
    const { htsget } = await fetchTicket(handler, '/reads/same');
    const url = htsget.urls[1]?.url ?? '';
    expect(Buffer.from(url.split('/blocks/')[1] ?? '', 'base64url').toString('latin1')).not.toContain('secret');
    const statusOf = async (identity: string | undefined, method = 'GET'): Promise<number> => {
      objects.same = stored(identity);
      return (await handler(new Request(url, { method }))).status;
    };
    expect(await statusOf('/data/secret/a.bam')).toBe(200);
    expect(await statusOf('/data/secret/b.bam')).toBe(409);
    expect(await statusOf('/data/secret/b.bam', 'HEAD')).toBe(409);
    expect(await statusOf(undefined)).toBe(409);
  });

  test('is refused with 404 once the object has gone, and with 403 after it has expired', async () => {
    const objects: Record<string, readonly StoredFile[]> = { here: [fixtureFile('reads.bam')] };
    let now = Date.UTC(2026, 0, 1);
    const expiring = fixtureHandler({
      resolve: async (id) => objects[id],
      limits: { blockUrlSeconds: 60 },
      now: () => now,
    });
    const url = (await fetchTicket(expiring, '/reads/here')).htsget.urls[1]?.url ?? '';
    const statusOf = async (): Promise<number> => (await expiring(new Request(url))).status;
    now += 59_999;
    expect(await statusOf()).toBe(200);
    delete objects['here'];
    expect(await statusOf()).toBe(404);
    now += 1;
    expect(await statusOf()).toBe(403);
  });

  test('stops reading when the client leaves', async () => {
    const bam = fixtureFile('reads.bam');
    const one = fixtureHandler({}, { 'reads.bam': [bam] });
    const { htsget } = await fetchTicket(one, '/reads/reads.bam');
    const cancelled = vi.fn<() => void>();
    vi.spyOn(bam.data, 'stream').mockImplementation(
      () => new ReadableStream({ pull: (c) => c.enqueue(readFixture('reads.bam').slice(0, 100)), cancel: cancelled }),
    );
    const response = await one(new Request(htsget.urls[1]?.url ?? ''));
    await response.body?.cancel();
    expect(cancelled).toHaveBeenCalled();
  });
});

describe('corrupt data', () => {
  test('in the index is a 500 that onError reports, and the next object is served', async () => {
    const onError = vi.fn<(error: unknown) => void>();
    const index = readFixture('reads.bam.bai');
    new DataView(index.buffer, index.byteOffset).setUint32(4, 0xffffffff, true);
    const objects = { bad: [{ ...fixtureFile('reads.bam'), index: memorySource(index) }] };
    const withBad = fixtureHandler({ onError }, objects);
    expect(await fetchError(withBad, '/reads/bad?referenceName=chr1')).toEqual([500, 'InternalServerError']);
    expect(onError).toHaveBeenCalledTimes(1);
    expect((await fetchTicket(withBad, region)).htsget.urls).toHaveLength(3);
  });

  test('in the header is a 500', async () => {
    const objects = { bad: [{ ...fixtureFile('reads.bam'), data: memorySource(new Uint8Array(100)) }] };
    expect(await fetchError(fixtureHandler({}, objects), '/reads/bad')).toEqual([500, 'InternalServerError']);
  });

  test('at the start of a block is a 500, and later on breaks the body off', async () => {
    const onError = vi.fn<(error: unknown) => void>();
    const bytes = readFixture('straddle.bam');
    const bad: StoredFile = { ...fixtureFile('straddle.bam'), data: memorySource(bytes, { version: '1' }) };
    const withBad = fixtureHandler({ onError }, { bad: [bad] });
    const { htsget } = await fetchTicket(withBad, '/reads/bad');
    const url = htsget.urls[1]?.url ?? '';
    const whole = (await (await withBad(new Request(url))).arrayBuffer()).byteLength;
    expect(whole).toBeGreaterThan(1000);
    bytes.fill(0, bytes.length - 1000);
    const response = await withBad(new Request(url));
    await expect(response.arrayBuffer()).rejects.toBeInstanceOf(Error);
    expect(onError).toHaveBeenCalledTimes(1);
    bytes.fill(0, 0);
    expect(await fetchError(withBad, new URL(url).pathname)).toEqual([500, 'InternalServerError']);
  });

  test('a transient failure of the storage is a 503 with Retry-After', async () => {
    const { StorageError } = await import('@htskit/io');
    const data = memorySource(new Uint8Array(0));
    vi.spyOn(data, 'stat').mockRejectedValue(
      new StorageError('UNAVAILABLE', 'no answer', { key: 'k', isTransient: true }),
    );
    const response = await fixtureHandler(
      {},
      { bad: [{ format: 'BAM', data }] },
    )(new Request(`${PUBLIC_URL}/reads/bad`));
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
  });
});

test('a ticket of files does not create the signal of its request, but passes it to a hook that reads it', async () => {
  const asked: AbortSignal[] = [];
  const path = fixturePath('reads.bam');
  const access = new FileAccess(path, { blocking: true });
  const [data, index] = [fileSource(path, { access }), fileSource(`${path}.bai`, { access })];
  const files = [{ format: 'BAM', data, index }] as const;
  const options = (isWaiting: boolean): HtsgetOptions => ({
    publicUrl: PUBLIC_URL,
    async resolve(_id, _datatype, context) {
      if (isWaiting) asked.push(context.signal);
      return files;
    },
  });
  const request = new Request(PUBLIC_URL + region);
  const signal = vi.spyOn(request, 'signal', 'get');
  expect((await createPlainHtsgetHandler(options(false))(request)).status).toBe(200);
  expect(signal).not.toHaveBeenCalled();
  await createPlainHtsgetHandler(options(true))(request);
  signal.mockRestore();
  expect(asked).toEqual([request.signal]);
});

test('a plain response has its body as text, and the status and headers of the Response', async () => {
  const options = { resolve: async () => [fixtureFile('reads.bam')], publicUrl: PUBLIC_URL };
  const path = `${PUBLIC_URL}/reads/reads?class=header`;
  const plain = await createPlainHtsgetHandler(options)(new Request(path));
  const response = await createHtsgetHandler(options)(new Request(path));
  expect(plain).not.toBeInstanceOf(Response);
  expect(plain.body).toBe(await response.text());
  expect([plain.status, [...new Headers(plain.headers)]]).toEqual([response.status, [...response.headers]]);
});

describe('the prefix option', () => {
  const mounted = fixtureHandler({ prefix: '/htsget/', publicUrl: `${PUBLIC_URL}/htsget` });

  test('serves tickets, blocks and service-info below the prefix', async () => {
    const { htsget } = await fetchTicket(mounted, `/htsget${region}`);
    const url = htsget.urls[1]?.url ?? '';
    expect(url).toMatch(/^http:\/\/localhost\/htsget\/blocks\//);
    expect((await mounted(new Request(url))).status).toBe(200);
    expect((await mounted(new Request(`${PUBLIC_URL}/htsget/reads/service-info`))).status).toBe(200);
  });

  test.each([
    [mounted, '/reads/reads.bam', 'expected /htsget/reads/ID or /htsget/variants/ID'],
    [mounted, '/htsgetter/reads/reads.bam', 'expected /htsget/reads/ID or /htsget/variants/ID'],
    [handler, '/', 'expected /reads/ID or /variants/ID'],
    [
      handler,
      '/htsget/reads/reads.bam',
      'expected /reads/ID or /variants/ID; a handler that is mounted at a path needs the "prefix" option',
    ],
  ])('hints at the mount in the 404 of other paths (%#)', async (asked, path, hint) => {
    const response = await asked(new Request(PUBLIC_URL + path));
    expect([response.status, await response.json()]).toEqual([
      404,
      { htsget: { error: 'NotFound', message: `no htsget resource at this path; ${hint}` } },
    ]);
  });
});

test('onError is console.error by default', async () => {
  const report = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const failure = new Error('no database');
  const failing = fixtureHandler({ resolve: () => Promise.reject(failure), onError: undefined });
  expect(await fetchError(failing, '/reads/a')).toEqual([500, 'InternalServerError']);
  expect(report.mock.calls).toEqual([[failure, { datatype: 'reads', id: 'a' }, undefined]]);
  report.mockRestore();
});

test('options and limits that are undefined have their defaults', async () => {
  const undefinedOptions = fixtureHandler({
    authorize: undefined,
    precision: undefined,
    signingKeys: undefined,
    authority: undefined,
    now: undefined,
    prefix: undefined,
    limits: { regions: undefined, blockBytes: undefined },
  });
  const { htsget } = await fetchTicket(undefinedOptions, region);
  expect(await fetchBlocks(undefinedOptions, { htsget })).toEqual(
    await fetchBlocks(handler, await fetchTicket(handler, region)),
  );
});

test('a plain handler takes a path that was classified already', async () => {
  const plain = createPlainHtsgetHandler({ resolve: async () => [fixtureFile('reads.bam')], publicUrl: PUBLIC_URL });
  const path = { kind: 'ticket', datatype: 'reads', id: 'reads.bam' } as const;
  expect((await plain(new Request(`${PUBLIC_URL}/any/path?class=header`), path)).status).toBe(200);
});
