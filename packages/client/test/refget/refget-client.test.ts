import { expectations } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { ClientError, RefgetClient, type RefgetClientOptions } from '../../src/index.js';
import { type Answer, collect, type RecordingServer, serve, withoutDelays } from '../listen.js';
import { sendBytes } from '../resource-server.js';
import { fixtureService } from './fixture-service.js';

const { sequences, slices } = expectations('genome.fa');
const [chr1] = sequences;
const chrM = sequences.find(({ circular }) => circular);
if (chr1 === undefined || chrM === undefined) throw new Error('the genome lacks a sequence');

const BASES = new TextEncoder().encode('ACGTNACGTR'.repeat(1000));
/** The digest of a sequence that no server has. */
const MD5 = '2f9f9e6e1a0a0a7a0a0a0a0a0a0a0a0a';

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function clientOf(...servers: RefgetClientOptions['servers']): RefgetClient {
  return new RefgetClient({ servers, ...withoutDelays });
}

/** A store of one file, which knows ranges only. */
function fileStore(answer: Answer): Promise<RecordingServer> {
  return serve({ [`/sequence/${MD5}`]: answer });
}

describe('from a service of htskit', () => {
  test.each(['md5', 'sha512t24u', 'trunc512'] as const)('whole sequences come by %s and are verified', async (kind) => {
    const client = clientOf(await fixtureService());
    const lengths = await Promise.all(sequences.map(async (each) => (await client.sequence(each[kind])).length));
    expect(lengths).toEqual(sequences.map(({ length }) => length));
  });

  test.each([
    ['in one request', 0],
    ['in several, each under the limit of the server', 7],
  ])('parts of sequences come %s', async (_, subsequenceLimit) => {
    const client = clientOf(await fixtureService({ limits: { subsequence: subsequenceLimit } }));
    const short = slices.filter(({ start, end }) => end - start < 200);
    const found: string[] = [];
    for (const { name, start, end } of short) {
      const { md5 = '' } = sequences.find((sequence) => sequence.name === name) ?? {};
      found.push(text(await client.sequence(`md5:${md5}`, { start, end })));
    }
    expect(found).toEqual(short.map(({ bases }) => bases.toUpperCase()));
    expect(short.length).toBeGreaterThan(2);
  });

  test.each([0, 7])(
    'a part may go across the origin of a circular sequence, with a limit of %i',
    async (subsequenceLimit) => {
      const client = clientOf(await fixtureService({ limits: { subsequence: subsequenceLimit } }));
      const id = chrM.sha512t24u;
      const end = text(await client.sequence(id, { start: chrM.length - 10 }));
      const start = text(await client.sequence(id, { end: 9 }));
      expect(text(await client.sequence(id, { start: chrM.length - 10, end: 9 }))).toBe(end + start);
      expect([end.length, start.length]).toEqual([10, 9]);
    },
  );

  test('a sequence is streamed, and a part of it', async () => {
    const client = clientOf(await fixtureService());
    const whole = await client.sequence(chr1.md5);
    const [streamed, part] = await Promise.all(
      [{}, { start: 5 }].map(async (request) => collect(await client.stream(chr1.md5, request))),
    );
    expect([text(streamed ?? new Uint8Array()), text(part ?? new Uint8Array())]).toEqual([
      text(whole),
      text(whole.subarray(5)),
    ]);
  });

  test.each(['ga4gh', 'std'] as const)('metadata and capabilities come under the name %s', async (authority) => {
    const client = clientOf(await fixtureService({ authority, limits: { subsequence: 5 } }));
    const { md5, sha512t24u, trunc512, length } = chrM;
    expect(await client.metadata(`${authority}:${sha512t24u}`)).toMatchObject({
      md5,
      sha512t24u,
      trunc512,
      length,
      isCircular: true,
    });
    expect(await client.serviceInfo()).toMatchObject({ isCircularSupported: true, subsequenceLimit: 5 });
  });

  test.each<[string, { start?: number; end?: number }, number]>([
    ['a part of a linear sequence across its origin', { start: 10, end: 5 }, 416],
    ['an end beyond the sequence', { start: 0, end: 2 ** 31 }, 416],
    ['a start beyond the sequence', { start: 2 ** 31 }, 416],
  ])('%s is refused', async (_, request, status) => {
    const reading = clientOf(await fixtureService()).sequence(chr1.md5, request);
    await expect(reading).rejects.toMatchObject({ name: 'RefgetClientError', code: 'SERVER_ERROR', status });
  });

  test.each(['x', 'MD5:1', '', 'SQ.1'])('%o is an invalid id', async (id) => {
    await expect(clientOf('http://127.0.0.1:1').sequence(id)).rejects.toMatchObject({ code: 'INVALID_QUERY' });
  });
});

describe('of several servers', () => {
  test('the next one is asked where one lacks the sequence, fails, or sends something else', async () => {
    const lacking = await serve({});
    const failing = await serve({ [`/sequence/${chr1.md5}`]: (_request, response) => response.writeHead(500).end() });
    const lying = await serve({ [`/sequence/${chr1.md5}`]: (_request, response) => response.end('ACGT') });
    const client = clientOf(lacking.origin, failing.origin, lying.origin, await fixtureService());
    expect((await client.sequence(chr1.md5)).length).toBe(chr1.length);
    expect([lacking, failing, lying].map(({ requests }) => requests.length)).toEqual([1, 2, 1]);
  });

  test('another failure than a 404 is thrown if no server has the sequence', async () => {
    const lacking = await serve({});
    const forbidding = await serve({
      [`/sequence/${chr1.md5}`]: (_request, response) => response.writeHead(403).end(),
    });
    const [first, second] = [lacking.origin, forbidding.origin];
    await expect(clientOf(first, second).sequence(chr1.md5)).rejects.toMatchObject({ status: 403 });
    await expect(clientOf(second, first).sequence(chr1.md5)).rejects.toMatchObject({ status: 403 });
    await expect(clientOf(first).sequence(chr1.md5)).rejects.toMatchObject({ status: 404 });
  });

  test('each gets its own headers, which no redirect takes to another origin', async () => {
    const target = await serve({ '/moved': (_request, response) => response.writeHead(404).end() });
    const server = await serve({
      [`/sequence/${chr1.md5}`]: (_request, response) =>
        response.writeHead(303, { location: `${target.origin}/moved` }).end(),
    });
    const client = clientOf(
      { url: server.origin, headers: { authorization: 'Bearer secret' } },
      await fixtureService(),
    );
    expect((await client.sequence(chr1.md5)).length).toBe(chr1.length);
    expect(server.requests[0]?.headers.authorization).toBe('Bearer secret');
    expect(target.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  test('none is an error', () => {
    expect(() => clientOf()).toThrow(expect.objectContaining({ code: 'INVALID_QUERY' }));
    expect(() => clientOf('host/path')).toThrow(expect.objectContaining({ code: 'INVALID_QUERY' }));
  });
});

describe('from a store of files', () => {
  test('a part comes by a range', async () => {
    const server = await fileStore((request, response) => sendBytes(request, response, BASES));
    expect(text(await clientOf(server.origin).sequence(MD5, { start: 3, end: 7 }))).toBe('TNAC');
    expect(server.requests.map(({ url, headers }) => [url, headers.range])).toEqual([
      ['/sequence/service-info', undefined],
      [`/sequence/${MD5}`, 'bytes=3-6'],
    ]);
  });

  test('what the server can do is asked once', async () => {
    const server = await fileStore((request, response) => sendBytes(request, response, BASES));
    const client = clientOf(server.origin);
    await Promise.all([1, 2, 3].map((start) => client.sequence(MD5, { start, end: 5 })));
    expect(server.requests.filter(({ url }) => url === '/sequence/service-info').length).toBe(1);
  });

  test.each<[string, Answer, string]>([
    ['other bases', (request, response) => sendBytes(request, response, BASES), 'DIGEST_MISMATCH'],
    ['lower-case letters', (_request, response) => response.end('acgt'), 'INVALID_RESPONSE'],
    ['a line break', (_request, response) => response.end('ACGT\n'), 'INVALID_RESPONSE'],
    ['a page', (_request, response) => response.end('<html>'), 'INVALID_RESPONSE'],
    [
      'fewer bases than announced',
      (request, response) => sendBytes(request, response, BASES, { breaksAfter: 0 }),
      'NETWORK',
    ],
    ['candidates', (_request, response) => response.writeHead(300).end('[]'), 'SERVER_ERROR'],
  ])('%s are refused as a sequence', async (_, answer, code) => {
    const server = await fileStore(answer);
    await expect(clientOf(server.origin).sequence(MD5)).rejects.toMatchObject({ name: 'RefgetClientError', code });
  });

  test.each<[string, string, string]>([
    ['too few bases', 'AC', 'TRUNCATED'],
    ['the whole in place of a part', 'ACGTACGT', 'INVALID_RESPONSE'],
  ])('%s are refused as a part of a sequence', async (_, bases, code) => {
    const info = { refget: { circular_supported: false, subsequence_limit: 0 } };
    const server = await serve({
      '/sequence/service-info': (_request, response) => response.end(JSON.stringify(info)),
      [`/sequence/${MD5}?start=1&end=4`]: (_request, response) => response.end(bases),
    });
    await expect(clientOf(server.origin).sequence(MD5, { start: 1, end: 4 })).rejects.toMatchObject({ code });
    const wrapping = clientOf(server.origin).sequence(MD5, { start: 4, end: 1 });
    await expect(wrapping).rejects.toMatchObject({ code: 'SERVER_ERROR', status: 501 });
  });

  test('metadata of another sequence is refused', async () => {
    const metadata = { md5: 'ab'.repeat(16), length: 1 };
    const server = await serve({
      [`/sequence/${MD5}/metadata`]: (_request, response) => response.end(JSON.stringify({ metadata })),
    });
    await expect(clientOf(server.origin).metadata(MD5)).rejects.toMatchObject({ code: 'INVALID_RESPONSE' });
  });

  test('no more bases are held than are allowed', async () => {
    const server = await fileStore((request, response) => sendBytes(request, response, BASES));
    const client = new RefgetClient({ servers: [server.origin], maxBases: 100 });
    await expect(client.sequence(MD5)).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });
});

describe('a cache', () => {
  test('gets what was verified, and answers in place of the servers', async () => {
    const kept = new Map<string, Uint8Array>();
    const cache = {
      get: async (digest: string) => kept.get(digest),
      put: async (digest: string, bases: Uint8Array) => void kept.set(digest, bases),
    };
    const filling = new RefgetClient({ servers: [await fixtureService()], cache });
    const bases = await filling.sequence(`ga4gh:${chr1.sha512t24u}`);
    await filling.sequence(chr1.md5, { start: 1, end: 2 });
    expect([...kept.keys()]).toEqual([chr1.sha512t24u]);

    const lying = await fileStore((request, response) => sendBytes(request, response, BASES));
    const client = new RefgetClient({ servers: [lying.origin], cache });
    expect(text(await client.sequence(chr1.sha512t24u, { start: 5, end: 9 }))).toBe(text(bases.subarray(5, 9)));
    expect(text(await collect(await client.stream(chr1.sha512t24u)))).toBe(text(bases));
    await expect(client.sequence(MD5)).rejects.toBeInstanceOf(ClientError);
    expect([lying.requests.length, kept.size]).toEqual([1, 1]);
  });

  test('that cannot keep a sequence does not matter', async () => {
    const cache = { get: async () => undefined, put: () => Promise.reject(new Error('full')) };
    const client = new RefgetClient({ servers: [await fixtureService()], cache });
    expect((await client.sequence(chr1.md5)).length).toBe(chr1.length);
  });
});
