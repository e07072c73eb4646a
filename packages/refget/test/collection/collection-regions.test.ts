import { sequenceCollection } from '@htskit/sequences';
import { describe, expect, test } from 'vitest';
import { createCatalogue } from '../../src/catalogue/catalogue.js';
import { createCollectionCatalogue } from '../../src/collection/collection-catalogue.js';
import { createRefgetHandler } from '../../src/handler.js';
import type { RefgetOptions } from '../../src/options.js';
import { textSequence } from '../text-sequence.js';

const LONG = 'ACGTN'.repeat(40_000);
const NAMED = [
  { name: 'one', bases: 'ACGTACGTAC' },
  { name: 'quoted "*"', bases: 'AC"\\*T' },
  { name: 'one', bases: 'GGGG' },
  { name: 'long', bases: LONG },
].map(({ name, bases }) => ({ name, bases, sequence: textSequence(bases, { chunkLength: 1021 }) }));

const collection = await sequenceCollection(NAMED.map(({ name, sequence: { metadata } }) => ({ name, metadata })));

/** POSTs a body to the regions of the collection. */
function post(body: unknown, options: Partial<RefgetOptions> = {}, digest = collection.digest): Promise<Response> {
  const handle = createRefgetHandler({
    catalogue: createCatalogue(NAMED.map(({ sequence }) => sequence)),
    collections: createCollectionCatalogue([collection]),
    onError: () => undefined,
    ...options,
  });
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = { 'content-type': 'application/json' };
  return handle(new Request(`http://localhost/collection/${digest}/regions`, { method: 'POST', body: text, headers }));
}

async function statusOf(body: unknown, options?: Partial<RefgetOptions>): Promise<number> {
  const response = await post(body, options);
  await response.body?.cancel();
  return response.status;
}

test('returns the bases of regions in the order of the request', async () => {
  const response = await post([
    { chrom: 'long', start: 3, end: 150_000 },
    { chrom: 'one', start: 2, end: 6 },
    { chrom_name: 'quoted "*"', start: 0, end: 3, strand: '+' },
    { chrom: 'one', start: 10, end: 10 },
  ]);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect([response.status, await response.json()]).toEqual([
    200,
    [
      { chrom_name: 'long', start: 3, end: 150_000, sequence: LONG.slice(3, 150_000) },
      { chrom_name: 'one', start: 2, end: 6, sequence: 'GTAC' },
      { chrom_name: 'quoted "*"', start: 0, end: 3, sequence: 'AC"' },
      { chrom_name: 'one', start: 10, end: 10, sequence: '' },
    ],
  ]);
});

test('returns no regions for an empty list', async () => {
  expect(await (await post([])).json()).toEqual([]);
});

test.each([
  ['no JSON', '[', 400],
  ['an object', { chrom: 'one', start: 0, end: 1 }, 400],
  ['a region without a name', [{ start: 0, end: 1 }], 400],
  ['a region without an end', [{ chrom: 'one', start: 0 }], 400],
  ['a region that is null', [null], 400],
  ['a region that is text', ['one'], 400],
  ['a region that is a list', [['one', 0, 1]], 400],
  ['a negative start', [{ chrom: 'one', start: -1, end: 1 }], 400],
  ['a fractional end', [{ chrom: 'one', start: 0, end: 1.5 }], 400],
  ['a position as text', [{ chrom: 'one', start: '0', end: 1 }], 400],
  ['an unknown name', [{ chrom: 'two', start: 0, end: 1 }], 404],
  ['an end after the sequence', [{ chrom: 'one', start: 0, end: 11 }], 416],
  ['a start after the end', [{ chrom: 'one', start: 2, end: 1 }], 416],
  ['more than 10,000 regions', Array.from({ length: 10_001 }, () => ({ chrom: 'one', start: 0, end: 1 })), 413],
  ['more than 2^30 bases', Array.from({ length: 6000 }, () => ({ chrom: 'long', start: 0, end: 200_000 })), 413],
])('answers %s with an error', async (_, body, status) => {
  expect(await statusOf(body)).toBe(status);
});

test('names the region that it refuses', async () => {
  const response = await post([
    { chrom: 'one', start: 0, end: 1 },
    { chrom: 'one', start: 0, end: 11 },
  ]);
  expect(await response.json()).toMatchObject({
    message: 'region 2: 0-11 is not a range of "one", which has 10 bases',
  });
});

test('shortens a long name in a message', async () => {
  const { length } = await (await post([{ chrom: 'x'.repeat(100_000), start: 0, end: 1 }])).text();
  expect(length).toBeLessThan(500);
});

test('keeps the limits of bodies and subsequences', async () => {
  const body = [{ chrom: 'one', start: 0, end: 5 }];
  expect(await statusOf(body, { limits: { subsequence: 4 } })).toBe(416);
  expect(await statusOf(body, { limits: { subsequence: 5 } })).toBe(200);
  expect(await statusOf(body, { limits: { collectionBodyBytes: 20 } })).toBe(413);
});

test('returns 404 for an unknown collection', async () => {
  expect((await post([], {}, 'unknown')).status).toBe(404);
});

describe('authorize', () => {
  test('is called for the regions and for each sequence that is read', async () => {
    const asked: unknown[] = [];
    const authorize: RefgetOptions['authorize'] = ({ resource, id }) => {
      asked.push([resource, id]);
      return 'all';
    };
    const regions = ['long', 'one', 'long'].map((chrom) => ({ chrom, start: 0, end: 1 }));
    expect(await statusOf(regions, { authorize })).toBe(200);
    expect(asked).toEqual([
      ['collection', `${collection.digest}/regions`],
      ['sequence', NAMED[3]?.sequence.metadata.sha512t24u],
      ['sequence', NAMED[0]?.sequence.metadata.sha512t24u],
    ]);
  });

  test('refuses regions of a sequence that is not permitted', async () => {
    const authorize: RefgetOptions['authorize'] = ({ resource }) => (resource === 'sequence' ? 'forbidden' : 'all');
    expect(await statusOf([{ chrom: 'one', start: 0, end: 1 }], { authorize })).toBe(403);
  });
});

test('answers 500 for a sequence that cannot be read', async () => {
  const failures: unknown[] = [];
  const catalogue = createCatalogue([]);
  const options = { catalogue, onError: (error: unknown) => void failures.push(error) };
  expect(await statusOf([{ chrom: 'one', start: 0, end: 1 }], options)).toBe(500);
  expect(failures).toHaveLength(1);
});
