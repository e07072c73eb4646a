import { describe, expect, test } from 'vitest';
import { discover } from '../../src/discovery/discover.js';
import { Probe } from '../../src/index.js';

const NONE = { reads: undefined, variants: undefined, sequence: undefined, collection: undefined, drs: undefined };
const READS = { htsget: { datatype: 'reads' }, name: 'a service' };

/** A probe of a server that answers some paths with JSON, and others with 404. */
function probeOf(documents: Readonly<Record<string, unknown>>): Probe {
  return new Probe({
    requestsPerSecond: 1000,
    async fetch(url) {
      const document = documents[new URL(url).pathname];
      return document === undefined ? new Response('', { status: 404 }) : Response.json(document);
    },
  });
}

test.each([
  'http://service.test/data',
  'http://service.test/data/',
  'http://service.test/data/reads',
  'http://service.test/data/reads/service-info',
])('finds the services below %s', async (url) => {
  const { base, services, name } = await discover(url, probeOf({ '/data/reads/service-info': READS }), NONE);
  expect([base, name]).toEqual(['http://service.test/data', 'a service']);
  expect(services.map(({ endpoint }) => endpoint)).toEqual(['http://service.test/data/reads']);
});

test('takes a service to exist if its ids are named, even without a service-info', async () => {
  const { services } = await discover('http://service.test', probeOf({}), { ...NONE, variants: ['a'] });
  expect(services.map(({ path }) => path)).toEqual(['variants']);
});

test('reads the ids that an htskit server lists', async () => {
  const objects = [
    { datatype: 'reads', id: 'a' },
    { datatype: 'variants', id: 'b' },
    { datatype: 'reads', id: 3 },
    'c',
  ];
  const probe = probeOf({ '/reads/service-info': READS, '/': { objects } });
  const { listed } = await discover('http://service.test', probe, NONE);
  expect([listed.reads, listed.variants]).toEqual([['a'], ['b']]);
});

describe('refuses', () => {
  test.each([
    ['text that is not a URL', 'service', 'INVALID_TARGET'],
    ['another scheme', 'ftp://service.test', 'INVALID_TARGET'],
    ['credentials', 'http://user:secret@service.test', 'INVALID_TARGET'],
    ['a query', 'http://service.test/?token=secret', 'INVALID_TARGET'],
    ['a server of something else', 'http://service.test', 'NO_SERVICE'],
  ])('%s', async (_fact, url, code) => {
    await expect(discover(url, probeOf({ '/': { hello: 1 } }), NONE)).rejects.toMatchObject({ code });
  });

  test('a server that does not answer', async () => {
    const probe = new Probe({ fetch: () => Promise.reject(new TypeError('fetch failed')), random: () => 0 });
    await expect(discover('http://127.0.0.1', probe, NONE)).rejects.toMatchObject({ code: 'NO_ANSWER' });
  });
});
