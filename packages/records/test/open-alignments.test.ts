import type { AlignmentRecord } from '@htskit/formats';
import { memorySource } from '@htskit/storage/memory';
import { expectations, fixtureNames, fixturePath, readFixture, sample, toOrdinals } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { openAlignments, openBam } from '../src/index.js';
import { samLines, sha256OfLines } from './expected-records.js';
import { genomeReference } from './genome-reference.js';

const NAMES = [...fixtureNames('.bam'), ...fixtureNames('.cram')];
// The expected texts have no generated tags.
const options = { reference: genomeReference, generateMismatchTags: false, onWarning: () => undefined };

describe.each(NAMES)('%s', (name) => {
  const { recordCount, textSha256, regions, unplacedCount, references } = expectations(name);

  test('has the records that samtools prints', async () => {
    const file = await openAlignments(fixturePath(name), options);
    const lines = await samLines({ header: file.header, records: file.records() });
    expect(sha256OfLines(lines)).toBe(textSha256);
    expect(await file.count()).toBe(recordCount);
    expect(file.references).toEqual(references.map(({ name: reference, length }) => ({ name: reference, length })));
    await file.close();
  });

  test('has the records of regions that samtools finds', async () => {
    const file = await openAlignments(fixturePath(name), options);
    const all = await samLines({ header: file.header, records: file.records() });
    for (const { referenceName, start, end, records } of sample(regions)) {
      const found = await samLines({ header: file.header, records: file.records({ referenceName, start, end }) });
      expect(found).toEqual(toOrdinals(records).map((ordinal) => all[ordinal]));
    }
    const unplaced = await samLines({ header: file.header, records: file.records({ referenceName: '*' }) });
    expect(unplaced).toEqual(all.slice(all.length - unplacedCount));
    await file.close();
  });

  test('has the same records of regions without its index, if the whole file may be read', async () => {
    const indexed = await openAlignments(fixturePath(name), options);
    const alone = await openAlignments(memorySource(readFixture(name)), options);
    const wanted = [...regions.slice(0, 3), { referenceName: '*' }];
    const lines = await samLines({ header: indexed.header, records: indexed.records(wanted) });
    expect(await samLines({ header: alone.header, records: alone.records(wanted, { scan: true }) })).toEqual(lines);
    expect(lines.length).toBeGreaterThanOrEqual(unplacedCount);
    await indexed.close();
  });
});

test('openBam reads what openAlignments reads of a BAM file', async () => {
  const [any, bam] = [await openAlignments(fixturePath('reads.bam')), await openBam(fixturePath('reads.bam'))];
  const linesOf = (reads: typeof bam) => samLines({ header: reads.header, records: reads.records() });
  expect(await linesOf(bam)).toEqual(await linesOf(any));
  await Promise.all([any.close(), bam.close()]);
});

test('yields each record of several regions once, in the order of the file', async () => {
  const file = await openAlignments(fixturePath('reads.bam'));
  const regions = [
    { referenceName: 'chr2', start: 5000, end: 9000 },
    { referenceName: 'chr1', start: 20_000, end: 30_000 },
    { referenceName: 'chr1', start: 25_000, end: 40_000 },
    { referenceName: '*' },
  ];
  const found = await samLines({ header: file.header, records: file.records(regions) });
  const all = await samLines({ header: file.header, records: file.records() });
  const single = await Promise.all(
    regions.map((region) => samLines({ header: file.header, records: file.records(region) })),
  );
  const expected = new Set(single.flat());
  expect(found).toEqual(all.filter((line) => expected.has(line)));
  expect(found.length).toBeLessThan(single.flat().length);
  await file.close();
});

test('yields records that stay valid', async () => {
  const file = await openAlignments(fixturePath('reads.bam'));
  const kept: AlignmentRecord[] = [];
  const places: string[] = [];
  for await (const read of file.records({ referenceName: 'chr1' })) {
    kept.push(read);
    places.push(`${read.name} ${read.start}`);
  }
  expect(kept.map((read) => `${read.name} ${read.start}`)).toEqual(places);
  expect(new Set(places).size).toBeGreaterThan(3000);
  await file.close();
});

test('continues with the next record when the caller has moved the view', async () => {
  const file = await openAlignments(fixturePath('reads.bam'));
  let count = 0;
  for await (const read of file.records()) {
    count++;
    read.at(read.bytes.slice(), 0);
  }
  expect(count).toBe(expectations('reads.bam').recordCount);
  await file.close();
});

test.each([
  ['decodes a container of CRAM once for several regions', undefined, 0],
  ['decodes it again without a budget for the cache', 0, 1],
])('%s', async (_, cacheBytes, more) => {
  const bytes = readFixture('referenced/reads.cram');
  let requests = 0;
  const file = await openAlignments(memorySource(bytes, { version: '1' }), {
    index: memorySource(readFixture('referenced/reads.cram.crai')),
    reference: (request) => {
      requests++;
      return genomeReference(request);
    },
    cacheBytes,
  });
  const region = { referenceName: 'chr1', start: 1000, end: 1100 };
  const lines = await samLines({ header: file.header, records: file.records(region) });
  expect(lines.length).toBeGreaterThan(0);
  const first = requests;
  expect(first).toBeGreaterThan(0);
  expect(await samLines({ header: file.header, records: file.records(region) })).toEqual(lines);
  expect(requests - first).toBe(more * first);
});
