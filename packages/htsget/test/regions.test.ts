import { createHash } from 'node:crypto';
import { decodeBam, expectations, toOrdinals } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { bamNames, fixtureFile, fixtureHandler } from './fixture-files.js';
import { fetchFile } from './read-ticket.js';

interface Answer {
  readonly headerText: string;
  /** Each record by its bytes. */
  readonly records: readonly string[];
}

function toAnswer(bytes: Uint8Array, requireEof = true): Answer {
  const { headerText, records } = decodeBam(bytes, { requireEof });
  return { headerText, records: records.map(({ raw }) => Buffer.from(raw).toString('base64')) };
}

async function storedAnswer(name: string): Promise<Answer> {
  const { data } = fixtureFile(name);
  return toAnswer(await data.read({ start: 0, end: (await data.stat()).size }), false);
}

function queryOf(region: { readonly referenceName: string; readonly start: number; readonly end: number }): string {
  return `referenceName=${encodeURIComponent(region.referenceName)}&start=${region.start}&end=${region.end}`;
}

/** Whether `part` lies within `whole`, in its order. */
function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let next = 0;
  for (const record of whole) if (record === part[next]) next++;
  return next === part.length;
}

describe.each(bamNames)('%s', (name) => {
  const handler = fixtureHandler();
  const expected = expectations(name as `${string}.bam`);

  test('a whole file is the stored one, record for record', async () => {
    expect(toAnswer(await fetchFile(handler, `/reads/${name}`))).toEqual(await storedAnswer(name));
  });

  test('class=header is the header alone, as a valid file', async () => {
    const answer = toAnswer(await fetchFile(handler, `/reads/${name}?class=header`));
    expect(answer).toEqual({ headerText: expected.header, records: [] });
  });

  test('referenceName=* holds every unplaced read', async () => {
    const { records } = await storedAnswer(name);
    const unplaced = records.slice(records.length - expected.noCoordinateCount);
    const answer = toAnswer(await fetchFile(handler, `/reads/${name}?referenceName=*`));
    expect(isSubsequence(unplaced, answer.records)).toBe(true);
    expect(isSubsequence(answer.records, records)).toBe(true);
    const isExact = fixtureFile(name).index !== undefined;
    expect(isExact ? answer.records : unplaced).toEqual(unplaced);
  });

  test('a region holds the reads that samtools finds, in file order', async () => {
    const { records } = await storedAnswer(name);
    for (const region of expected.regions) {
      const wanted = toOrdinals(region.records).map((ordinal) => records[ordinal]);
      const answer = toAnswer(await fetchFile(handler, `/reads/${name}?${queryOf(region)}`));
      expect(answer, queryOf(region)).toEqual({ headerText: expected.header, records: wanted });
    }
  });

  test('precision chunks gives a superset, in file order, each record once', async () => {
    const chunksHandler = fixtureHandler({ precision: 'chunks' });
    const { records } = await storedAnswer(name);
    for (const region of expected.regions.filter((_, i) => i % 3 === 0)) {
      const wanted = toOrdinals(region.records).map((ordinal) => records[ordinal] ?? 'missing');
      const answer = toAnswer(await fetchFile(chunksHandler, `/reads/${name}?${queryOf(region)}`));
      expect(isSubsequence(wanted, answer.records), `every read of ${queryOf(region)}`).toBe(true);
      expect(isSubsequence(answer.records, records), `file order in ${queryOf(region)}`).toBe(true);
    }
  });

  test('several regions by POST hold each read once, in file order', async () => {
    const { records } = await storedAnswer(name);
    const regions = expected.regions
      .filter(({ start, end }) => start < end)
      .slice(0, 12)
      .reverse();
    if (regions.length === 0) return;
    const ordinals = new Set(regions.flatMap((region) => toOrdinals(region.records)));
    const wanted = records.filter((_, ordinal) => ordinals.has(ordinal));
    const post = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        regions: regions.map(({ referenceName, start, end }) => ({ referenceName, start, end })),
      }),
    };
    expect(toAnswer(await fetchFile(handler, `/reads/${name}`, post)).records).toEqual(wanted);
    const chunksHandler = fixtureHandler({ precision: 'chunks' });
    const superset = toAnswer(await fetchFile(chunksHandler, `/reads/${name}`, post)).records;
    expect(isSubsequence(wanted, superset)).toBe(true);
    expect(isSubsequence(superset, records)).toBe(true);
  });
});

test('some hundreds of regions were compared, most of them with reads', () => {
  const regions = bamNames.flatMap((name) => expectations(name as `${string}.bam`).regions);
  expect(regions.length).toBeGreaterThan(300);
  expect(regions.filter(({ records }) => records.length > 0).length).toBeGreaterThan(150);
});

test('precision auto cuts at chunks where there is too much to filter', async () => {
  const exact = await fetchFile(fixtureHandler(), '/reads/reads.bam?referenceName=chr1&start=20000&end=20100');
  const limits = { exactBytes: 0 };
  const auto = await fetchFile(fixtureHandler({ limits }), '/reads/reads.bam?referenceName=chr1&start=20000&end=20100');
  const chunks = await fetchFile(
    fixtureHandler({ precision: 'chunks' }),
    '/reads/reads.bam?referenceName=chr1&start=20000&end=20100',
  );
  const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
  expect(digest(auto)).toBe(digest(chunks));
  expect(exact.length).toBeLessThan(chunks.length);
});

test('a header over inlineBytes has a URL of its own, and the file is the same', async () => {
  const limits = { inlineBytes: 0 };
  const path = '/reads/straddle.bam?referenceName=chr1&start=0&end=40000';
  const answer = toAnswer(await fetchFile(fixtureHandler({ limits }), path));
  expect(answer).toEqual(toAnswer(await fetchFile(fixtureHandler(), path)));
});
