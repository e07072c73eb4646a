import { describe, expect, test } from 'vitest';
import type { HtsgetOptions, Permission } from '../../src/index.js';
import { fixtureHandler } from '../fixture-files.js';
import { fetchError, fetchFile, fetchTicket, type Handler, PUBLIC_URL } from '../read-ticket.js';
import { COHORT } from './cohort-files.js';

const handler = fixtureHandler({}, COHORT);
const plain = fixtureHandler({ extensions: false }, COHORT);

describe('format=SAM', () => {
  test.each(['bam', 'reads.bam', 'reads.cram'])('answers the header of %s as text', async (id) => {
    const ticket = await fetchTicket(handler, `/reads/${id}?format=SAM&class=header`);
    expect(ticket.htsget.format).toBe('SAM');
    const text = Buffer.from(await fetchFile(handler, `/reads/${id}?format=sam&class=header`)).toString();
    expect(text).toMatch(/^@HD\t.*\n@SQ\tSN:.*\n$/s);
    const byUrl = fixtureHandler({ limits: { inlineBytes: 0 } }, COHORT);
    expect(Buffer.from(await fetchFile(byUrl, `/reads/${id}?format=SAM&class=header`)).toString()).toBe(text);
  });

  test('has the read groups of samples', async () => {
    const text = Buffer.from(await fetchFile(handler, '/reads/bam?format=SAM&class=header&samples=beta')).toString();
    expect(text.match(/SM:\w+/g)).toEqual(['SM:beta', 'SM:beta']);
  });

  test('is unsupported without class=header, of variants, and if extensions are off', async () => {
    const unsupported = [400, 'UnsupportedFormat'];
    expect(await fetchError(handler, '/reads/bam?format=SAM')).toEqual(unsupported);
    expect(await fetchError(handler, '/variants/vcf?format=SAM&class=header')).toEqual(unsupported);
    expect(await fetchError(plain, '/reads/bam?format=SAM&class=header')).toEqual(unsupported);
  });
});

describe('the method QUERY', () => {
  const body = JSON.stringify({
    format: 'VCF',
    samples: ['beta'],
    regions: [{ referenceName: 'c', start: 0, end: 500 }],
  });
  const send = (to: Handler, method: string): Promise<Response> =>
    to(new Request(`${PUBLIC_URL}/variants/vcf`, { method, body }));

  test('is answered as POST', async () => {
    const [post, query] = [await send(handler, 'POST'), await send(handler, 'QUERY')];
    expect(query.status).toBe(200);
    expect(
      ((await query.json()) as { htsget: { urls: { class: string }[] } }).htsget.urls.map((block) => block.class),
    ).toEqual(
      ((await post.json()) as { htsget: { urls: { class: string }[] } }).htsget.urls.map((block) => block.class),
    );
    const options = await handler(new Request(`${PUBLIC_URL}/variants/vcf`, { method: 'OPTIONS' }));
    expect(options.headers.get('allow')).toBe('GET, HEAD, POST, QUERY, OPTIONS');
  });

  test('is not allowed of blocks, and if extensions are off', async () => {
    expect((await send(plain, 'QUERY')).status).toBe(405);
    expect((await plain(new Request(`${PUBLIC_URL}/variants/vcf`, { method: 'OPTIONS' }))).headers.get('allow')).toBe(
      'GET, HEAD, POST, OPTIONS',
    );
    expect((await handler(new Request(`${PUBLIC_URL}/blocks/x`, { method: 'QUERY' }))).status).toBe(405);
  });
});

describe('a ticket says what an answer was restricted to', () => {
  const restrictionOf = async (
    permission: Permission,
    query: string,
    options: Partial<HtsgetOptions> = {},
  ): Promise<unknown> => {
    const restricted = fixtureHandler({ authorize: () => permission, announcesRestrictions: true, ...options }, COHORT);
    return (await fetchTicket(restricted, `/variants/vcf${query}`)).htsget.restricted;
  };
  const regions = [{ referenceName: 'c', start: 100, end: 900 }];

  test('if it is restricted, and the option is set', async () => {
    const inside = '?referenceName=c&start=200&end=300';
    const across = '?referenceName=c&start=800&end=1000';
    expect(await restrictionOf({ regions }, '')).toEqual({ regions });
    expect(await restrictionOf({ regions }, inside)).toBeUndefined();
    expect(await restrictionOf({ regions }, across)).toEqual({
      regions: [{ referenceName: 'c', start: 800, end: 900 }],
    });
    expect(await restrictionOf({ regions: 'all', samples: { except: ['beta'] } }, inside)).toEqual({
      samples: ['alpha', 'gamma', 'delta', 'epsilon'],
    });
    expect(await restrictionOf({ regions: 'all', samples: ['beta'] }, `${inside}&samples=beta`)).toBeUndefined();
    expect(await restrictionOf({ regions, samples: ['beta'] }, '?class=header')).toEqual({ samples: ['beta'] });
    expect(await restrictionOf('all', '')).toBeUndefined();
    expect(await restrictionOf({ regions }, '', { announcesRestrictions: false })).toBeUndefined();
  });

  test('with "some" for a list that is too long', async () => {
    const many = Array.from({ length: 1001 }, (_, index) => ({
      referenceName: 'c',
      start: 50 * index,
      end: 50 * index + 10,
    }));
    expect(await restrictionOf({ regions: many }, '')).toEqual({ regions: 'some' });
  });
});
