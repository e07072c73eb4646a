import { expectations } from '@htskit/testing';
import { expect, test } from 'vitest';
import type { FeatureAdapter } from '../../src/jbrowse/adapter.js';
import { JBrowse, toLocation } from '../jbrowse.js';
import { ORIGIN, serveFromMemory } from '../memory-service.js';

const configOf = (digest: string): { type: string; collectionLocation: object } => ({
  type: 'HtskitSequenceAdapter',
  collectionLocation: toLocation(`${ORIGIN}/collection/${digest}`),
});

test('has the sequences of a collection', async () => {
  const { digest } = await serveFromMemory();
  const adapter = await new JBrowse().open<FeatureAdapter & { getRegions(): Promise<object> }>(configOf(digest));
  const { sequences } = expectations('genome.fa');
  expect(await adapter.getRefNames()).toEqual(sequences.map(({ name }) => name));
  expect(await adapter.getRegions()).toEqual(
    sequences.map(({ name, length }) => ({ refName: name, start: 0, end: length })),
  );
});

test.each([
  ['in the middle', 100, 400],
  ['at the start', 0, 1],
  ['past the end', 149_990, 160_000],
])('has the bases of a region %s', async (_, start, end) => {
  const { digest, sequences } = await serveFromMemory();
  const [feature, ...others] = await new JBrowse().features(configOf(digest), { refName: 'chr1', start, end });
  const bases = new TextDecoder().decode(await sequences[0]?.read({ start, end: Math.min(end, 150_000) }));
  expect(feature?.toJSON()).toMatchObject({
    refName: 'chr1',
    start,
    end: start + bases.length,
    seq: bases.toUpperCase(),
  });
  expect(others).toEqual([]);
});

test.each([
  ['past the end of a sequence', { refName: 'chr1', start: 150_000, end: 150_010 }],
  ['of an unknown sequence', { refName: 'chr9', start: 0, end: 10 }],
])('has no bases %s', async (_, region) => {
  const { digest } = await serveFromMemory();
  expect(await new JBrowse().features(configOf(digest), region)).toEqual([]);
});

test('sends the token of an internet account to the collection and its sequences', async () => {
  const { digest, requests } = await serveFromMemory();
  const jbrowse = new JBrowse({ [ORIGIN]: 'secret' });
  await jbrowse.features(configOf(digest), { refName: 'chr1', start: 0, end: 10 });
  const areas = requests.map(({ path, authorization }) => `${path.split('/')[1]} ${authorization}`);
  expect(new Set(areas)).toEqual(new Set(['collection Bearer secret', 'sequence Bearer secret']));
});

test('reads the sequences from another service', async () => {
  const { digest, requests } = await serveFromMemory();
  const config = { ...configOf(digest), refgetLocation: toLocation('https://refget.example.org/') };
  const [feature] = await new JBrowse({ [ORIGIN]: 'secret' }).features(config, { refName: 'chr1', start: 0, end: 5 });
  expect(String(feature?.get('seq'))).toHaveLength(5);
  // The token is that of the other server.
  expect(requests.find(({ path }) => path.startsWith('/sequence/SQ.'))?.authorization).toBeNull();
});

test('refuses a URL that is not that of a collection', async () => {
  await serveFromMemory();
  const jbrowse = new JBrowse();
  const adapter = await jbrowse.open({ type: 'HtskitSequenceAdapter', collectionLocation: toLocation(`${ORIGIN}/x`) });
  await expect(adapter.getRefNames()).rejects.toThrow('not the URL of a sequence collection');
  const other = {
    ...configOf('x'),
    refgetLocation: toLocation(ORIGIN),
    collectionLocation: toLocation(`${ORIGIN}/reads/service-info`),
  };
  await expect((await jbrowse.open(other)).getRefNames()).rejects.toThrow('other than a sequence collection');
});
