import { dataUri } from '@htskit/protocol';
import { createRandom, mutations } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { decodeDataUri } from '../../src/htsget/parse-ticket.js';
import { ClientError, parseTicket } from '../../src/index.js';

const HTTPS = 'https://host/reads/1';
const data = { url: 'data:;base64,AAAA', class: 'header' };
const body = { url: 'https://blocks/1', headers: { Authorization: 'Bearer x', Range: 'bytes=0-9' }, class: 'body' };

function ticketOf(members: object): string {
  return JSON.stringify({ htsget: { format: 'BAM', urls: [], ...members } });
}

function parse(members: object): unknown {
  return parseTicket(ticketOf(members), { url: HTTPS, format: 'BAM', maxBlocks: 3 });
}

describe('a ticket', () => {
  test('is what the protocol says, without the rest', () => {
    const ticket = parse({ urls: [data, { ...body, more: 1 }], md5: 'AB'.repeat(16), more: 1 });
    const headers = { authorization: 'Bearer x', range: 'bytes=0-9' };
    expect(ticket).toEqual({
      htsget: { format: 'BAM', urls: [data, { ...body, headers }], md5: 'ab'.repeat(16) },
    });
  });

  test('keeps what its answer is restricted to', () => {
    const restricted = {
      regions: [{ referenceName: 'chr1' }, { referenceName: 'chr2', start: 0, end: 9 }],
      samples: ['A'],
    };
    expect(parse({ restricted })).toEqual({
      htsget: { format: 'BAM', urls: [], restricted },
    });
    const some = { regions: 'some', samples: 'some' };
    expect(parse({ restricted: some })).toEqual({ htsget: { format: 'BAM', urls: [], restricted: some } });
  });

  test.each([
    true,
    null,
    'chr1',
    { regions: 'all' },
    { regions: [{ start: 1 }] },
    { regions: [{ referenceName: 'chr1', start: 0.5 }] },
    { regions: [{ referenceName: 'chr1', end: '9' }] },
    { samples: ['A', 1] },
  ])('has no restriction if that is %j', (restricted) => {
    expect(parse({ restricted })).toEqual({ htsget: { format: 'BAM', urls: [] } });
  });

  test('may have null instead of a missing member', () => {
    const ticket = parse({ urls: [{ url: 'https://blocks/1', headers: null, class: null }], md5: null });
    expect(ticket).toEqual({ htsget: { format: 'BAM', urls: [{ url: 'https://blocks/1' }] } });
  });

  test.each([
    ['the requested format', { url: HTTPS, format: 'CRAM' }, 'CRAM'],
    ['the default of reads', { url: HTTPS }, 'BAM'],
    ['the default of variants', { url: 'https://host/variants/1?x=/reads/' }, 'VCF'],
    ['the default of reads if its URL is unknown', {}, 'BAM'],
  ] as const)('without a format has %s', (_, options, format) => {
    for (const missing of [undefined, null]) {
      expect(parseTicket(ticketOf({ format: missing }), options).htsget.format).toBe(format);
    }
  });

  test('loses the headers that speak of a connection', () => {
    const headers = {
      Host: 'a',
      Connection: 'close',
      'Accept-Encoding': 'gzip',
      'Transfer-Encoding': 'x',
      'X-Key': 'k',
    };
    expect(parse({ urls: [{ url: 'https://blocks/1', headers }] })).toMatchObject({
      htsget: { urls: [{ headers: { 'x-key': 'k' } }] },
    });
  });

  test.each([
    ['no JSON', '{'],
    ['JSON that is no object', '[]'],
    ['nothing', ''],
    ['an error body', '{"htsget":{"error":"NotFound","message":"x"}}'],
    ['another object', '{"urls":[]}'],
    ['a format that there is none of', ticketOf({ format: 'SAM' })],
    ['a format that was not asked for', ticketOf({ format: 'CRAM' })],
    ['urls that are no array', ticketOf({ urls: {} })],
    ['an md5 that is none', ticketOf({ md5: 'x' })],
    ['a block that is no object', ticketOf({ urls: ['https://blocks/1'] })],
    ['a block without a url', ticketOf({ urls: [{}] })],
    ['classes on some blocks', ticketOf({ urls: [data, { url: 'https://blocks/1' }] })],
    ['an unknown class', ticketOf({ urls: [{ ...data, class: 'footer' }] })],
    ['a relative url', ticketOf({ urls: [{ url: '/blocks/1' }] })],
    ['a url without a host', ticketOf({ urls: [{ url: 'https:blocks' }] })],
    ['a url that cannot be parsed', ticketOf({ urls: [{ url: 'https://[' }] })],
    ['a file', ticketOf({ urls: [{ url: 'file:///etc/passwd' }] })],
    ['a script', ticketOf({ urls: [{ url: 'javascript:alert(1)' }] })],
    ['another scheme', ticketOf({ urls: [{ url: 'ftp://host/1' }] })],
    ['credentials', ticketOf({ urls: [{ url: 'https://user:password@host/1' }] })],
    ['headers that are no object', ticketOf({ urls: [{ ...body, headers: ['a'] }] })],
    ['a header that is no string', ticketOf({ urls: [{ ...body, headers: { a: 1 } }] })],
    ['a header in a header', ticketOf({ urls: [{ ...body, headers: { a: 'b\r\nAuthorization: c' } }] })],
    ['a header name that is none', ticketOf({ urls: [{ ...body, headers: { 'a b': 'c' } }] })],
    ['a header twice', ticketOf({ urls: [{ ...body, headers: { a: 'b', A: 'c' } }] })],
  ])('is refused with %s', (_, text) => {
    expect(() => parseTicket(text, { url: HTTPS, format: 'BAM' })).toThrow(
      expect.objectContaining({ name: 'HtsgetClientError', code: 'INVALID_TICKET' }),
    );
  });

  test('is refused with more blocks than are allowed', () => {
    const urls = Array.from({ length: 4 }, () => data);
    expect(() => parse({ urls })).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }));
  });

  test('by https leads to https only, unless the caller allows more', () => {
    const urls = [{ url: 'http://blocks/1' }];
    expect(() => parse({ urls })).toThrow(expect.objectContaining({ code: 'INSECURE' }));
    const text = ticketOf({ urls });
    expect(parseTicket(text, { url: HTTPS, allowInsecure: true }).htsget.urls).toEqual(urls);
    expect(parseTicket(text, { url: 'http://host/reads/1' }).htsget.urls).toEqual(urls);
  });

  test('has no member of its own in what is thrown', () => {
    const urls = [{ ...body, headers: { secret: 'a\nb' } }];
    expect(() => parse({ urls })).toThrow(/^block 0 has an invalid header$/);
  });

  test('that is damaged is one still, or is refused', () => {
    const bytes = new TextEncoder().encode(ticketOf({ urls: [data, body, data], md5: 'ab'.repeat(16) }));
    const outcomes = { parsed: 0, refused: 0 };
    for (const { bytes: damaged } of mutations(bytes, { seed: 1, count: 20_000 })) {
      const outcome = attempt(new TextDecoder().decode(damaged));
      outcomes[outcome]++;
    }
    expect(outcomes).toMatchInlineSnapshot(`
      {
        "parsed": 1852,
        "refused": 18148,
      }
    `);
  });
});

/** Throws every error except those of the client, and for a ticket that should have been refused. */
function attempt(text: string): 'parsed' | 'refused' {
  try {
    const { htsget } = parseTicket(text, { url: HTTPS, format: 'BAM' });
    const isSound = htsget.urls.every(({ url }) => /^(data:|https:\/\/)/i.test(url)) && htsget.format === 'BAM';
    if (!isSound) throw new Error(`a ticket passed: ${text}`);
    return 'parsed';
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    return 'refused';
  }
}

test.each([
  ['data:;base64,AAEC/w==', [0, 1, 2, 255]],
  ['data:;base64,AAEC/w', [0, 1, 2, 255]],
  ['data:application/octet-stream;charset=x;base64,AAEC%2Fw%3D%3D', [0, 1, 2, 255]],
  ['DATA:;BASE64,AAEC', [0, 1, 2]],
  ['data:;base64,', []],
  ['data:,a%00b%fF', [0x61, 0, 0x62, 0xff]],
  ['data:text/plain;charset=utf-8,a,b', [0x61, 0x2c, 0x62]],
])('%s is decoded', (uri, bytes) => {
  expect([...decodeDataUri(uri)]).toEqual(bytes);
});

test('what the protocol writes is decoded', () => {
  const random = createRandom(1);
  for (let length = 0; length < 100; length++) {
    const bytes = Uint8Array.from({ length }, () => Math.floor(random() * 256));
    expect(decodeDataUri(dataUri(bytes))).toEqual(bytes);
  }
});

test.each([
  'data:;base64',
  'data:;base64,A',
  'data:;base64,AA-_',
  'data:;base64,%4',
  'data:,%zz',
  'data:,%4',
  'data:,ä',
])('%s is refused', (uri) => {
  expect(() => decodeDataUri(uri)).toThrow(expect.objectContaining({ code: 'INVALID_TICKET' }));
});
