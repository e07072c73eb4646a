import { sha512t24u } from '@htskit/digest';
import { sequenceCollection } from '@htskit/sequences';
import { expect, test } from 'vitest';
import { createCatalogue } from '../../src/catalogue/catalogue.js';
import { createCollectionCatalogue } from '../../src/collection/collection-catalogue.js';
import { createRefgetHandler } from '../../src/handler.js';
import type { RefgetOptions } from '../../src/options.js';
import { LINEAR } from '../sequence-service.js';
import { ANSWERS, BASE_ARRAYS, collections, handlerOf } from './collection-requests.js';
import { COMPLIANCE } from './published.js';

const { base } = COMPLIANCE;
const call = (options: Partial<RefgetOptions>, path: string, init?: RequestInit) =>
  handlerOf(options)(new Request(`http://localhost${path}`, init));

test.each(['ga4gh', 'std'] as const)('service-info has the schema and the authority %s', async (authority) => {
  const response = await call(
    { authority, serviceInfo: { id: 'org.example.refget', name: 'Example' } },
    '/service-info',
  );
  expect(await response.json()).toMatchObject({
    id: 'org.example.refget.seqcol',
    name: 'Example',
    type: { group: `org.${authority}`, artifact: 'refget-seqcol', version: '1.0.0' },
    seqcol: {
      schema: {
        type: 'object',
        properties: {
          lengths: { type: 'array', collated: true, items: { type: 'integer' } },
          names: { type: 'array', collated: true, items: { type: 'string' } },
          sequences: { type: 'array', collated: true, items: { type: 'string' } },
          name_length_pairs: { type: 'array', collated: true, items: { type: 'object' } },
          sorted_sequences: { type: 'array', collated: false },
          sorted_name_length_pairs: { type: 'array', collated: false },
        },
        required: ['lengths', 'names', 'sequences'],
        [authority]: { inherent: ['names', 'sequences'], passthru: [], transient: ['sorted_name_length_pairs'] },
      },
    },
  });
});

test('Accept chooses the authority of service-info', async () => {
  const accept = 'application/json, application/vnd.std.refget.v2.0.0+json';
  const response = await call({}, '/service-info', { headers: { accept } });
  expect(await response.json()).toMatchObject({ type: { group: 'org.std' } });
});

test('the service-info of sequences keeps its path', async () => {
  const response = await call({}, '/sequence/service-info');
  expect(await response.json()).toMatchObject({ type: { artifact: 'refget' } });
});

test('sends an attribute as the bytes that were digested', async () => {
  for (const [name, digest] of Object.entries(base.level1).filter(([attribute]) => attribute in BASE_ARRAYS)) {
    const response = await call({}, `/attribute/collection/${name}/${digest}`);
    expect(sha512t24u(new Uint8Array(await response.arrayBuffer()))).toBe(digest);
  }
});

test('names of other scripts arrive, with the length in bytes', async () => {
  const members = [{ name: '染色体', metadata: { length: 1, sha512t24u: 'SQ.AcLxtBuKEPk_7PGE_H4dGElwZHCujwH6' } }];
  const collection = await sequenceCollection(members);
  const own = createCollectionCatalogue([collection]);
  const response = await call({ collections: own }, `/collection/${collection.digest}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect(response.headers.get('content-length')).toBe(String(bytes.length));
  expect(JSON.parse(new TextDecoder().decode(bytes))).toMatchObject({ names: ['染色体'] });
});

test('a long collection is made as the client reads it', async () => {
  const sha512t24u = 'SQ.AcLxtBuKEPk_7PGE_H4dGElwZHCujwH6';
  const members = Array.from({ length: 20_000 }, (_, index) => ({
    name: `t${index}`,
    metadata: { length: 1, sha512t24u },
  }));
  const collection = await sequenceCollection(members);
  const own = createCollectionCatalogue([collection]);
  const response = await call({ collections: own }, `/collection/${collection.digest}`);
  const reader = response.body?.getReader();
  const first = await reader?.read();
  expect(first?.value?.length).toBeLessThan(2 * 65_600);
  await reader?.cancel();
  const whole = await (await call({ collections: own }, `/collection/${collection.digest}`)).text();
  expect(JSON.parse(whole)).toMatchObject({ names: members.map(({ name }) => name) });
  expect(response.headers.get('content-length')).toBe(String(whole.length));
});

test('authorises everything but service-info', async () => {
  const guarded: Partial<RefgetOptions> = { authorize: () => 'unauthenticated' };
  for (const [path] of ANSWERS) expect((await call(guarded, path)).status).toBe(401);
  const posted = await call(guarded, `/comparison/${base.digest}`, { method: 'POST', body: '{}' });
  expect(posted.status).toBe(401);
  expect((await call(guarded, '/service-info')).status).toBe(200);
  const allowed = await call({ authorize: () => 'all' }, `/collection/${base.digest}`);
  expect(allowed.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
});

test('returns 404 for all paths without collections', async () => {
  const handle = createRefgetHandler({ catalogue: createCatalogue([LINEAR]) });
  for (const path of ['/service-info', '/list/collection', `/collection/${base.digest}`]) {
    expect((await handle(new Request(`http://localhost${path}`))).status).toBe(404);
  }
});

test('answers 500 for a catalogue that fails and reports the error with the collection', async () => {
  const failure = new Error('secret');
  const reported: unknown[] = [];
  const failing = { ...collections, find: () => Promise.reject(failure) };
  const response = await call({ collections: failing, onError: (...args) => reported.push(args) }, '/collection/x');
  expect([response.status, reported]).toEqual([500, [[failure, { resource: 'collection', id: 'x' }, undefined]]]);
  expect(await response.text()).not.toContain('secret');
});

test.each([-1, 1.5, Number.NaN])('rejects a limit of %d bytes', (collectionBodyBytes) => {
  expect(() => handlerOf({ limits: { collectionBodyBytes } })).toThrow(RangeError);
});

test('passes the object of each resource to authorize', async () => {
  const asked: unknown[] = [];
  const authorize: RefgetOptions['authorize'] = ({ resource, id }) => {
    asked.push([resource, id]);
    return 'all';
  };
  await call({ authorize }, '/collection/a');
  await call({ authorize }, '/comparison/a/b');
  await call({ authorize }, '/comparison/a', { method: 'POST', body: '{}' });
  await call({ authorize }, '/list/collection');
  await call({ authorize }, '/attribute/collection/names/c');
  expect(asked).toEqual([
    ['collection', 'a'],
    ['comparison', 'a/b'],
    ['comparison', 'a'],
    ['list', 'collection'],
    ['attribute', 'collection/names/c'],
  ]);
});
