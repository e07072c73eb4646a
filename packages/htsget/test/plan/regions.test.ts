import { createHash } from 'node:crypto';
import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { memorySource } from '@htskit/storage/memory';
import { type ExpectedRegion, expectations, readFixture, sample, toOrdinals } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import type { HtsgetLimits, HtsgetOptions, StoredFile, StoredFormat } from '../../src/index.js';
import { type DecodedFile, decodeCram, decodeFile } from '../decode-file.js';
import {
  bamNames,
  bcfNames,
  cramNames,
  fixtureFile,
  fixtureHandler,
  fixturePathOf,
  vcfNames,
} from '../fixture-files.js';
import { fetchFile, fetchTicket } from '../read-ticket.js';

type BgzfName = `${string}.bam` | `${string}.vcf.gz` | `${string}.bcf`;

/** A way to serve a file that must not change the records of the answer. */
interface Variant {
  readonly name: string;
  readonly options: Partial<HtsgetOptions>;
  /** Every `step`th region is requested. */
  readonly step: number;
  /** Whether the answer may hold more than the requested records. */
  readonly isSuperset?: boolean;
  readonly isIndexed?: boolean;
}

const limited = (limits: Partial<HtsgetLimits>): Partial<HtsgetOptions> => ({ limits });

const VARIANTS: readonly Variant[] = [
  { name: 'by default', options: {}, step: 1 },
  { name: 'with precision exact', options: { precision: 'exact' }, step: 3 },
  { name: 'with precision chunks', options: { precision: 'chunks' }, step: 3, isSuperset: true },
  { name: 'in many blocks', options: limited({ inlineBytes: 0, blockBytes: 70_000 }), step: 3 },
  { name: 'indexed on demand', options: {}, step: 5, isIndexed: false },
  { name: 'without an index and too long for one', options: limited({ indexedBytes: 0 }), step: 9, isIndexed: false },
];

function handlerOf(name: string, { options, isIndexed = true }: Variant) {
  const { format, data, index } = fixtureFile(name);
  const file: StoredFile = { format, data, ...(isIndexed && index !== undefined && { index }) };
  return fixtureHandler(options, { [name]: [file] });
}

function queryOf({ referenceName, start, end }: ExpectedRegion): string {
  return `&referenceName=${encodeURIComponent(referenceName)}&start=${start}&end=${end}`;
}

function postOf(name: string, regions: readonly ExpectedRegion[]): RequestInit {
  const body = {
    format: formatOf(name),
    regions: regions.map(({ referenceName, start, end }) => ({ referenceName, start, end })),
  };
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function formatOf(name: string): StoredFormat {
  return fixtureFile(name).format;
}

function decode(name: BgzfName, bytes: Uint8Array): DecodedFile {
  return decodeFile(formatOf(name) as Exclude<StoredFormat, 'CRAM'>, bytes);
}

function stored(name: BgzfName): DecodedFile {
  const options = { requireEof: false };
  return decodeFile(formatOf(name) as Exclude<StoredFormat, 'CRAM'>, readFixture(name), options);
}

/** Whether `part` lies within `whole`, in its order. */
function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let next = 0;
  for (const record of whole) if (record === part[next]) next++;
  return next === part.length;
}

/** The indexes of the records of `part`, so that the message of a failure is short. */
function indexesOf(part: readonly string[], whole: readonly string[]): number[] {
  const indexes = new Map(whole.map((record, index) => [record, index]));
  return part.map((record) => indexes.get(record) ?? -1);
}

/** The expected indexes. For a superset also those found, so that each occurs once, in order. */
function expectedIndexes(
  found: readonly number[],
  wanted: readonly number[],
  { isSuperset = false }: Variant,
): number[] {
  return [...new Set(isSuperset ? [...found, ...wanted] : wanted)].sort((a, b) => a - b);
}

const bgzfNames: readonly BgzfName[] = [...bamNames, ...vcfNames, ...bcfNames];

describe.each(bgzfNames)('%s', (name) => {
  const regions = sample(expectations(name as `${string}.bam`).regions);
  const path = fixturePathOf(name);
  const { header, records } = stored(name);

  test.each(VARIANTS.map((variant) => [variant.name, variant] as const))(
    '%s: whole, and its header',
    async (_, variant) => {
      const handler = handlerOf(name, variant);
      const whole = decode(name, await fetchFile(handler, path));
      expect(whole.header).toBe(header);
      expect(indexesOf(whole.records, records)).toEqual(Array.from(records.keys()));
      expect(decode(name, await fetchFile(handler, `${path}&class=header`))).toEqual({ header, records: [] });
    },
  );

  test.each(VARIANTS.map((variant) => [variant.name, variant] as const))(
    '%s: a region holds the records that samtools finds, in file order',
    async (_, variant) => {
      const handler = handlerOf(name, variant);
      for (const region of regions.filter((_, index) => index % variant.step === 0)) {
        const answer = decode(name, await fetchFile(handler, path + queryOf(region)));
        expect(answer.header, queryOf(region)).toBe(header);
        const found = indexesOf(answer.records, records);
        const wanted = toOrdinals(region.records);
        expect(found, queryOf(region)).toEqual(expectedIndexes(found, wanted, variant));
      }
    },
  );

  test.each(VARIANTS.map((variant) => [variant.name, variant] as const))(
    '%s: several regions by POST hold each record once, in file order',
    async (_, variant) => {
      const asked = regions.filter(({ start, end }) => start < end).reverse();
      for (const some of [asked.slice(0, 3), asked.slice(-12)].filter(({ length }) => length > 0)) {
        const wanted = [...new Set(some.flatMap((region) => toOrdinals(region.records)))].sort((a, b) => a - b);
        const bytes = await fetchFile(handlerOf(name, variant), path.replace(/\?.*/, ''), postOf(name, some));
        const found = indexesOf(decode(name, bytes).records, records);
        expect(found).toEqual(expectedIndexes(found, wanted, variant));
      }
    },
  );
});

describe.each(vcfNames)('%s as VCFTEXT', (name) => {
  const regions = sample(expectations(name).regions);
  const { header, records } = stored(name);
  const path = fixturePathOf(name).replace('format=VCF', 'format=VCFTEXT');

  test.each(VARIANTS.map((variant) => [variant.name, variant] as const))(
    '%s is the text of the VCF',
    async (_, variant) => {
      const handler = handlerOf(name, variant);
      expect(decodeFile('VCFTEXT', await fetchFile(handler, path))).toEqual({ header, records });
      expect(decodeFile('VCFTEXT', await fetchFile(handler, `${path}&class=header`))).toEqual({ header, records: [] });
      for (const region of regions.filter((_, index) => index % (2 * variant.step) === 0)) {
        const answer = decodeFile('VCFTEXT', await fetchFile(handler, path + queryOf(region)));
        const found = indexesOf(answer.records, records);
        const wanted = toOrdinals(region.records);
        expect(found).toEqual(expectedIndexes(found, wanted, variant));
      }
    },
  );
});

describe.each(cramNames)('%s', (name) => {
  const { recordCount, ...expected } = expectations(name);
  const regions = sample(expected.regions);
  const path = fixturePathOf(name);
  const whole = decodeCram(readFixture(name));

  /** Checks that an answer has whole containers in file order, each once, and returns their indexes. */
  function containerIndexes(bytes: Uint8Array): number[] {
    const { header, containers } = decodeCram(bytes);
    expect(header).toBe(whole.header);
    const indexes = indexesOf(
      containers.map(({ text }) => text),
      whole.containers.map(({ text }) => text),
    );
    expect(indexes).toEqual([...new Set(indexes)].filter((index) => index >= 0).sort((a, b) => a - b));
    return indexes;
  }

  function indexesWith(wanted: readonly number[]): number[] {
    return [...whole.containers.keys()].filter((index) => {
      const { first = 0, end = 0 } = whole.containers[index] ?? {};
      return wanted.some((ordinal) => ordinal >= first && ordinal < end);
    });
  }

  test('is read to its last record by its containers', () => {
    expect(whole.containers.reduce((sum, { first, end }) => sum + end - first, 0)).toBe(recordCount);
  });

  test.each(VARIANTS.map((variant) => [variant.name, variant] as const))(
    '%s: a region holds the containers of the records that samtools finds',
    async (_, variant) => {
      const handler = handlerOf(name, variant);
      expect(containerIndexes(await fetchFile(handler, path))).toEqual([...whole.containers.keys()]);
      expect(containerIndexes(await fetchFile(handler, `${path}&class=header`))).toEqual([]);
      for (const region of regions.filter((_, index) => index % variant.step === 0)) {
        const indexes = containerIndexes(await fetchFile(handler, path + queryOf(region)));
        expect(indexes, queryOf(region)).toEqual(expect.arrayContaining(indexesWith(toOrdinals(region.records))));
      }
      const some = regions
        .filter(({ start, end }) => start < end)
        .slice(0, 12)
        .reverse();
      if (some.length === 0) return;
      const indexes = containerIndexes(await fetchFile(handler, path.replace(/\?.*/, ''), postOf(name, some)));
      const wanted = some.flatMap((region) => toOrdinals(region.records));
      expect(indexes).toEqual(expect.arrayContaining(indexesWith(wanted)));
    },
  );

  test('referenceName=* holds the containers of the reads without position', async () => {
    const { unplacedCount } = expectations(name);
    const unplaced = Array.from({ length: unplacedCount }, (_, index) => recordCount - 1 - index);
    const indexes = containerIndexes(await fetchFile(fixtureHandler(), `${path}&referenceName=*`));
    expect(indexes).toEqual(expect.arrayContaining(indexesWith(unplaced)));
  });
});

test.each(bamNames)('%s: referenceName=* selects every unplaced read, and with an index no other', async (name) => {
  const { unplacedCount } = expectations(name);
  const { records } = stored(name);
  const unplaced = records.slice(records.length - unplacedCount);
  for (const variant of VARIANTS) {
    const answer = decode(name, await fetchFile(handlerOf(name, variant), `${fixturePathOf(name)}&referenceName=*`));
    const isExact = fixtureFile(name).index !== undefined && variant.options.limits?.indexedBytes !== 0;
    expect(isExact ? answer.records.length : unplacedCount, variant.name).toBe(unplacedCount);
    expect(isSubsequence(unplaced, answer.records), variant.name).toBe(true);
    expect(isSubsequence(answer.records, records), variant.name).toBe(true);
  }
});

test('hundreds of regions were compared, most of them with records', () => {
  const regions = [...bgzfNames, ...cramNames].flatMap((name) => expectations(name as `${string}.bam`).regions);
  expect(regions.length).toBeGreaterThan(600);
  expect(regions.filter(({ records }) => records.length > 0).length).toBeGreaterThan(300);
});

describe.each(['reads-csi.bam', 'variants-csi.vcf.gz', 'variants.bcf'] as const)('an unsorted %s', (name) => {
  const format = formatOf(name) as 'BAM' | 'VCF' | 'BCF';
  const encoding = format === 'VCF' ? 'utf8' : 'latin1';
  const sorted = stored(name);
  // Halves in the wrong order
  const middle = Math.floor(sorted.records.length / 2);
  const records = [...sorted.records.slice(middle), ...sorted.records.slice(0, middle)];
  const lines = format === 'VCF' ? records.map((record) => `${record}\n`) : records;
  const body = Buffer.from(lines.join(''), encoding);
  const bytes = Buffer.concat([deflateBlocks(Buffer.from(sorted.header, encoding)), deflateBlocks(body), EOF_MARKER]);

  test('is searched as a whole and answered in its own order', async () => {
    const handler = fixtureHandler({}, { unsorted: [{ format, data: memorySource(bytes, { version: '1' }) }] });
    const path = fixturePathOf(name).replace(name, 'unsorted');
    for (const region of expectations(name as `${string}.bam`).regions.filter((_, index) => index % 4 === 0)) {
      const wanted = new Set(toOrdinals(region.records).map((ordinal) => sorted.records[ordinal]));
      const answer = decodeFile(format, await fetchFile(handler, path + queryOf(region)));
      expect(answer.records, queryOf(region)).toEqual(records.filter((record) => wanted.has(record)));
    }
  });
});

test('a long result is split into several blocks of the same bytes', async () => {
  const blockBytes = 70_000;
  const names = ['reads.bam', 'variants.vcf.gz', 'variants.bcf', 'straddle.bam', 'reads.cram'] as const;
  for (const name of names) {
    const split = fixtureHandler({ limits: { blockBytes } });
    const { htsget } = await fetchTicket(split, fixturePathOf(name));
    expect([name, htsget.urls.length > 3]).toEqual([name, readFixture(name).length > 2 * blockBytes]);
    const file = await fetchFile(split, fixturePathOf(name));
    const whole = await fetchFile(fixtureHandler(), fixturePathOf(name));
    expect([name, Buffer.compare(file, whole)]).toEqual([name, 0]);
  }
});

test('precision auto cuts at chunks if there is too much to filter', async () => {
  const path = '/reads/reads.bam?referenceName=chr1&start=20000&end=20100';
  const exact = await fetchFile(fixtureHandler(), path);
  const auto = await fetchFile(fixtureHandler({ limits: { exactBytes: 0 } }), path);
  const chunks = await fetchFile(fixtureHandler({ precision: 'chunks' }), path);
  const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
  expect(digest(auto)).toBe(digest(chunks));
  expect(exact.length).toBeLessThan(chunks.length);
});

test.each([...bgzfNames, ...cramNames])('%s: only a header over inlineBytes has a URL of its own', async (name) => {
  const handler = fixtureHandler({ limits: { inlineBytes: 0 } });
  const { htsget } = await fetchTicket(handler, fixturePathOf(name));
  expect(htsget.urls[0]).toMatchObject({ url: expect.stringMatching(/^http/) as string, class: 'header' });
  const inline = await fetchTicket(fixtureHandler(), fixturePathOf(name));
  expect(htsget.urls.slice(1).map((block) => block.class)).toEqual(
    inline.htsget.urls.slice(1).map((block) => block.class),
  );
});

test('every block URL is shorter than 8 kB, however many regions are requested', async () => {
  const regions = ['chr1', 'chr2', 'HLA-A*01:01:01:01'].flatMap((referenceName) =>
    Array.from({ length: 300 }, (_, index) => ({ referenceName, start: 11 * index, end: 11 * index + 3 })),
  );
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ regions }) };
  const { htsget } = await fetchTicket(fixtureHandler(), '/reads/reads.bam', init);
  const lengths = htsget.urls.filter(({ url }) => !url.startsWith('data:')).map(({ url }) => url.length);
  expect(lengths.length).toBeGreaterThan(0);
  expect(Math.max(...lengths)).toBeLessThan(8000);
});
