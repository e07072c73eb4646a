import { decodeBam, readFixture } from '@htskit/testing';
import { expect, test } from 'vitest';
import type { ReadMismatch } from '../../src/features/read-mismatches.js';
import { JBrowse, toLocation } from '../jbrowse.js';
import { ORIGIN, serveFromMemory } from '../memory-service.js';

const REGION = { refName: 'chr1', start: 5000, end: 12_000 };
const READS = { type: 'HtskitReadsAdapter', htsgetLocation: toLocation(`${ORIGIN}/reads/bam`) };
const BAM = decodeBam(readFixture('reads.bam'));

/** The records that overlap `REGION`. */
const expected = BAM.records.filter(
  ({ referenceId, position, end }) => referenceId === 0 && position < REGION.end && end > REGION.start,
);

test('has the reads of a region', async () => {
  await serveFromMemory();
  const features = await new JBrowse().features(READS, REGION);
  const fields = ['name', 'flags', 'start', 'end', 'refName', 'template_length'];
  expect(features.map((feature) => fields.map((field) => feature.get(field)))).toEqual(
    expected.map(({ name, flag, position, end, templateLength }) => [
      name,
      flag,
      position,
      end,
      'chr1',
      templateLength,
    ]),
  );
  expect(features.map((feature) => feature.get('CIGAR'))).toEqual(
    expected.map(({ cigar }) => (cigar === '*' ? '' : cigar)),
  );
  expect(expected.length).toBeGreaterThan(50);
});

test('has the reads of CRAM, which the server converts', async () => {
  const { requests } = await serveFromMemory();
  const cram = { ...READS, htsgetLocation: toLocation(`${ORIGIN}/reads/cram`) };
  const features = await new JBrowse().features(cram, REGION);
  expect(features.map((feature) => feature.get('name'))).toEqual(expected.map(({ name }) => name));
  expect(requests[0]?.query.get('format')).toBe('BAM');
});

test('gives each read one id, in all regions that it overlaps', async () => {
  await serveFromMemory();
  const jbrowse = new JBrowse();
  const whole = (await jbrowse.features(READS, REGION)).map((feature) => feature.id());
  expect(new Set(whole).size).toBe(expected.length);
  const parts = await Promise.all(
    [
      [5000, 8000],
      [8000, 12_000],
    ].map(([start = 0, end = 0]) => jbrowse.features(READS, { refName: 'chr1', start, end })),
  );
  expect(new Set(parts.flat().map((feature) => feature.id()))).toEqual(new Set(whole));
});

test('has the names of references and the header', async () => {
  await serveFromMemory();
  const adapter = await new JBrowse().open(READS);
  expect(await adapter.getRefNames()).toEqual(BAM.references.map(({ name }) => name));
  expect(await adapter.getHeader()).toBe(BAM.headerText);
});

test.each([
  ['flags', { flagExclude: 0x10, flagInclude: 0 }, ({ flag }: (typeof expected)[number]) => (flag & 0x10) === 0],
  ['required flags', { flagInclude: 0x10 }, ({ flag }: (typeof expected)[number]) => (flag & 0x10) !== 0],
  ['a name', { readName: expected[3]?.name }, ({ name }: (typeof expected)[number]) => name === expected[3]?.name],
  [
    'the absence of a tag',
    { tagFilter: { tag: 'NM', value: '*' } },
    ({ tags }: (typeof expected)[number]) => !tags.some(({ key }) => key === 'NM'),
  ],
])('leaves out reads by %s', async (_, filterBy, isKept) => {
  await serveFromMemory();
  const features = await new JBrowse().features(READS, REGION, { filterBy });
  expect(features.map((feature) => feature.get('name'))).toEqual(expected.filter(isKept).map(({ name }) => name));
});

test('compares reads without MD with the assembly', async () => {
  const { digest, sequences } = await serveFromMemory();
  const sequenceAdapter = {
    type: 'HtskitSequenceAdapter',
    collectionLocation: toLocation(`${ORIGIN}/collection/${digest}`),
  };
  const features = await new JBrowse().features({ ...READS, sequenceAdapter }, REGION);
  const genome = new TextDecoder().decode(await sequences[0]?.read({ start: 0, end: 150_000 })).toUpperCase();
  const aligned = expected.filter(({ cigar, flag }) => /^\d+M$/.test(cigar) && (flag & 4) === 0);
  const mismatches = aligned.flatMap(({ name, position, bases }) =>
    Array.from(bases, (base, i) => [name, position + i, base, genome[position + i]]).filter(
      ([, , base, altbase]) => base !== altbase,
    ),
  );
  const places = features
    .filter((feature) => aligned.some(({ name }) => name === feature.get('name')))
    .flatMap((feature) =>
      (feature.get('mismatches') as ReadMismatch[]).map(({ start, base, altbase }) => [
        feature.get('name'),
        Number(feature.get('start')) + start,
        base,
        altbase,
      ]),
    );
  expect(places).toEqual(mismatches);
  expect(mismatches.length).toBeGreaterThan(0);
  expect(aligned.length).toBeGreaterThan(20);
});

test('downloads a region once for the displays that need it', async () => {
  const { requests } = await serveFromMemory();
  const jbrowse = new JBrowse();
  await Promise.all([
    jbrowse.features(READS, REGION),
    jbrowse.features(READS, REGION, { filterBy: { flagExclude: 4 } }),
  ]);
  expect(requests.filter(({ path, query }) => path === '/reads/bam' && !query.has('class'))).toHaveLength(1);
});

test('has no reads of a reference that the file lacks', async () => {
  await serveFromMemory();
  expect(await new JBrowse().features(READS, { ...REGION, refName: 'chr9' })).toEqual([]);
});

test('stops if the user does not wait', async () => {
  await serveFromMemory();
  const jbrowse = new JBrowse();
  await expect(jbrowse.features(READS, REGION, { stopToken: 'stopped' })).rejects.toThrow('aborted');
});

test('sends the token of an internet account to the ticket, and not to its blocks', async () => {
  const { requests } = await serveFromMemory({ token: 'secret' });
  const jbrowse = new JBrowse({ [ORIGIN]: 'secret' });
  expect(await jbrowse.features(READS, REGION)).toHaveLength(expected.length);
  const tokens = (isTicket: boolean): readonly (string | null)[] =>
    requests.filter(({ path }) => path.startsWith('/reads/') === isTicket).map(({ authorization }) => authorization);
  expect(new Set(tokens(true))).toEqual(new Set(['Bearer secret']));
  expect(new Set(tokens(false))).toEqual(new Set([null]));
});

test('fails without a token, and succeeds after the next request has one', async () => {
  await serveFromMemory({ token: 'secret' });
  const accounts: Record<string, string> = {};
  const jbrowse = new JBrowse(accounts);
  await expect(jbrowse.features(READS, REGION)).rejects.toThrow('401');
  accounts[ORIGIN] = 'secret';
  expect(await jbrowse.features(READS, REGION)).toHaveLength(expected.length);
});

test('names the slot that a configuration lacks', async () => {
  const features = new JBrowse().features({ type: 'HtskitReadsAdapter' }, REGION);
  await expect(features).rejects.toThrow('htsgetLocation of the adapter is not set');
});
