import { AlignmentRecord, createBcfToVcf, parseBamHeader, parseBcfHeader } from '@htskit/formats';
import { encodeText, toOwned } from '@htskit/io';
import { bgunzip, createRandom, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import type { HtsgetOptions, PermittedSamples } from '../../src/index.js';
import { fixtureHandler } from '../fixture-files.js';
import { fetchBlocks, fetchError, fetchFile, fetchTicket, type Handler } from '../read-ticket.js';
import {
  COHORT,
  codeOf,
  genotypeOf,
  READS,
  RECORD_COUNT,
  type Read,
  SAMPLES,
  storedInfo,
  vcfLine,
} from './cohort-files.js';

const ALL = [...SAMPLES.keys()];
const RECORDS = Array.from({ length: RECORD_COUNT }, (_, record) => record);

function cohortHandler(options: Partial<HtsgetOptions> = {}): Handler {
  return fixtureHandler(options, COHORT);
}

/** Returns an answer of variants as the lines of a VCF file. */
async function fetchVcf(
  handler: Handler,
  path: string,
  init?: RequestInit,
): Promise<{ header: string; lines: string[] }> {
  const ticket = await fetchTicket(handler, path, init);
  const bytes = await fetchBlocks(handler, ticket);
  const data = ticket.htsget.format === 'VCFTEXT' ? bytes : bgunzip(bytes);
  const text = ticket.htsget.format === 'BCF' ? toVcf(data) : Buffer.from(data).toString();
  const lines = text.split('\n').slice(0, -1);
  const isHeader = (line: string): boolean => line.startsWith('#');
  return { header: lines.filter(isHeader).join('\n'), lines: lines.filter((line) => !isHeader(line)) };
}

function toVcf(data: Uint8Array): string {
  const { text, byteLength } = parseBcfHeader(data);
  const converter = createBcfToVcf({ text });
  const records = [...converter.push(data.subarray(byteLength)), ...converter.finish()].map(toOwned);
  return Buffer.concat([encodeText(text), ...records]).toString();
}

async function fetchReads(
  handler: Handler,
  path: string,
  init?: RequestInit,
): Promise<{ header: string; names: string[] }> {
  const data = bgunzip(await fetchFile(handler, path, init));
  const { text, byteLength } = parseBamHeader(data);
  const names: string[] = [];
  for (let at = byteLength; at < data.length; ) {
    const record = new AlignmentRecord(data, at);
    names.push(record.name);
    at = record.byteEnd;
  }
  return { header: text, names };
}

/** INFO of a record whose genotypes of some samples are counted. */
function countedInfo(record: number, samples: readonly number[]): string {
  const alleles = samples.flatMap((sample) => genotypeOf(sample, record).split('/'));
  const count = (allele: string): number => alleles.filter((found) => found === allele).length;
  return `AC=${count('1')},${count('2')};AN=${alleles.length}`;
}

function sampleColumns(header: string): string[] {
  return header.slice(header.indexOf('#CHROM')).split('\t').slice(9);
}

/** The stored and the requested format of each kind of answer. */
const VARIANT_PATHS = [
  'vcf?format=VCF',
  'vcf?format=VCFTEXT',
  'vcf?format=BCF',
  'bcf?format=BCF',
  'bcf?format=VCF',
  'bcf?format=VCFTEXT',
].map((path) => `/variants/${path}`);

describe.each(VARIANT_PATHS)('samples of %s', (path) => {
  const handler = cohortHandler();
  const named = (samples: readonly number[]): string => samples.map((sample) => SAMPLES[sample]).join();

  test.each([[[0]], [[4]], [[1, 3]], [[3, 1]], [ALL]])(
    '%j are kept in the order of the file, and INFO is counted again',
    async (samples) => {
      const { header, lines } = await fetchVcf(handler, `${path}&samples=${named(samples)}`);
      const kept = samples.toSorted((a, b) => a - b);
      expect(sampleColumns(header)).toEqual(kept.map((sample) => SAMPLES[sample]));
      expect(lines).toEqual(
        RECORDS.map((record) => vcfLine(record, `${countedInfo(record, kept)};DP=${9_000_000 + record}`, kept)),
      );
    },
  );

  test('keep their INFO on request, and are counted only among the selected keys', async () => {
    const kept = await fetchVcf(handler, `${path}&samples=beta&samplesUpdate=off`);
    expect(kept.lines).toEqual(RECORDS.map((record) => vcfLine(record, storedInfo(record), [1])));
    const selected = await fetchVcf(handler, `${path}&samples=beta&tags=AC,X`);
    expect(selected.lines[7]).toBe(`c\t701\t.\tA\tC,G\t.\t.\t${countedInfo(7, [1]).split(';')[0]}\tX\t${codeOf(1, 7)}`);
  });

  test('are left out if the list is empty', async () => {
    const { header, lines } = await fetchVcf(handler, `${path}&samples=`);
    expect(header.endsWith('\tINFO')).toBe(true);
    expect(lines).toEqual(RECORDS.map((record) => vcfLine(record, storedInfo(record), [])));
  });

  test('are those of the header alone', async () => {
    const { header, lines } = await fetchVcf(handler, `${path}&class=header&samples=delta`);
    expect([sampleColumns(header), lines]).toEqual([['delta'], []]);
  });

  test('combine with regions, by GET and by POST', async () => {
    const region = '&referenceName=c&start=10000&end=10250';
    const { lines } = await fetchVcf(handler, `${path}&samples=alpha,gamma${region}`);
    expect(lines.map((line) => line.split('\t')[1])).toEqual(['10001', '10101', '10201']);
    const [id, format] = path.split('?format=');
    const body = { format, samples: ['gamma', 'alpha'], regions: [{ referenceName: 'c', start: 10_000, end: 10_250 }] };
    const post = await fetchVcf(handler, id ?? '', { method: 'POST', body: JSON.stringify(body) });
    expect(post.lines).toEqual(lines);
  });

  test('that the file lacks are NotFound, by name', async () => {
    const response = await handler(new Request(`http://localhost${path}&samples=beta,zeta`));
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ htsget: { error: 'NotFound', message: 'there is no sample "zeta"' } });
    expect(await fetchError(handler, `${path}&class=header&samples=zeta`)).toEqual([404, 'NotFound']);
  });

  test('are ignored if extensions are off', async () => {
    const plain = cohortHandler({ extensions: false });
    expect(await fetchVcf(plain, `${path}&samples=zeta`)).toEqual(await fetchVcf(handler, path));
    const info = await plain(new Request('http://localhost/variants/service-info'));
    expect(await info.json()).not.toHaveProperty('htsget.samplesParameterEffective');
  });

  test('have blocks of the same bytes for any ticket, with entity tags of their own', async () => {
    const small = cohortHandler({ limits: { inlineBytes: 0 } });
    const tags = new Set<string>();
    for (const query of ['&samples=beta', '&samples=gamma', '&samples=beta&samplesUpdate=off']) {
      const [first, second] = [await fetchTicket(small, path + query), await fetchTicket(small, path + query)];
      expect(Buffer.from(await fetchBlocks(small, first)).equals(await fetchBlocks(small, second))).toBe(true);
      for (const { url } of first.htsget.urls.slice(0, 2)) {
        tags.add((await small(new Request(url, { method: 'HEAD' }))).headers.get('etag') ?? '');
      }
    }
    expect(tags.size).toBe(6);
  });
});

/** Returns the names of the reads that meet a condition. */
function namesOf(keeps: (read: Read) => boolean): string[] {
  return READS.filter(keeps).map(({ name }) => name);
}

describe('reads', () => {
  const handler = cohortHandler();

  test('of samples have one of their read groups, and so has the header', async () => {
    const { header, names } = await fetchReads(handler, '/reads/bam?samples=delta,beta');
    expect(names).toEqual(namesOf(({ sample }) => sample === 1 || sample === 3));
    expect(header.match(/@RG\tID:[^\t]+/g)).toEqual(['@RG\tID:g1.0', '@RG\tID:g1.1', '@RG\tID:g3.0', '@RG\tID:g3.1']);
    expect(header).toContain('@CO');
    const none = await fetchReads(handler, '/reads/bam?samples=');
    expect([none.names, none.header.includes('@RG')]).toEqual([[], false]);
    expect(await fetchError(handler, '/reads/bam?samples=g1.0')).toEqual([404, 'NotFound']);
  });

  test.each<[string, (read: Read) => boolean]>([
    ['requireFlags=16', ({ flags }) => flags === 16],
    ['excludeFlags=0x900', ({ flags }) => (flags & 0x900) === 0],
    ['minMappingQuality=30', ({ mappingQuality }) => mappingQuality >= 30],
    [
      'excludeFlags=1024&minMappingQuality=10&samples=alpha',
      ({ flags, mappingQuality, sample }) => (flags & 1024) === 0 && mappingQuality >= 10 && sample === 0,
    ],
    ['excludeFlags=16&fields=QNAME,RNAME,POS', ({ flags }) => flags !== 16],
    ['requireFlags=2&referenceName=c', () => false],
    [
      'minMappingQuality=59&referenceName=c&start=20000',
      ({ mappingQuality, record }) => mappingQuality >= 59 && record >= 200,
    ],
    ['requireFlags=0&excludeFlags=0', () => true],
  ])('of %s', async (query, keeps) => {
    expect((await fetchReads(handler, `/reads/bam?${query}`)).names).toEqual(namesOf(keeps));
    for (const precision of ['exact', 'chunks'] as const) {
      const exact = cohortHandler({ precision, limits: { blockBytes: 20_000, inlineBytes: 0 } });
      expect((await fetchReads(exact, `/reads/bam?${query}`)).names).toEqual(expect.arrayContaining(namesOf(keeps)));
    }
  });
});

/** A permission of random samples, by a list of them or of all others. */
function randomPermission(random: ReturnType<typeof createRandom>): {
  visible: readonly number[];
  samples: PermittedSamples;
} {
  const visible = ALL.filter(() => random() < 0.5);
  const namesFor = (indexes: readonly number[]): string[] => indexes.map((index) => SAMPLES[index] ?? '');
  const hidden = ALL.filter((index) => !visible.includes(index));
  const samples = random() < 0.5 ? [...namesFor(visible), 'unknown'] : { except: [...namesFor(hidden), 'unknown'] };
  return { visible, samples };
}

test('an unknown sample with a long name is named by its start', async () => {
  const body = JSON.stringify({ samples: ['x'.repeat(100_000)] });
  const response = await cohortHandler()(new Request('http://localhost/variants/vcf', { method: 'POST', body }));
  const { htsget } = (await response.json()) as { htsget: { error: string; message: string } };
  expect([response.status, htsget.error]).toEqual([404, 'NotFound']);
  expect(htsget.message).toBe(`there is no sample "${'x'.repeat(255)}…"`);
});

describe('a permission of samples', () => {
  test('shows these only, in all formats and whatever is requested', async () => {
    const random = createRandom(36);
    const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;
    let answers = 0;
    for (let run = 0; run < volume(1000); run++) {
      const { visible, samples } = randomPermission(random);
      const regions = random() < 0.5 ? 'all' : [{ referenceName: 'c', start: 5000, end: 9000 }];
      const handler = cohortHandler({
        authorize: () => ({ regions, samples }),
        limits: { inlineBytes: pick([0, 65_536]) },
      });
      const path = pick([...VARIANT_PATHS, '/reads/bam?format=BAM']);
      const region = pick(['', '&referenceName=c&start=6000&end=20000', '&referenceName=c']);
      const requested = pick([undefined, undefined, ALL.filter(() => random() < 0.5)]);
      const query = `${path}${pick(['', '', '&class=header'])}${region}${pick(['', '&samplesUpdate=off', '&tags=DP,X,RG', '&notags=GT'])}`;
      const names = requested?.map((sample) => SAMPLES[sample]).join();
      const full = requested === undefined ? query : `${query}&samples=${names}`;
      const response = await handler(new Request(`http://localhost${full}`));
      const isHidden = requested?.some((sample) => !visible.includes(sample)) === true;
      expect(response.status, full).toBe(isHidden ? 404 : 200);
      if (isHidden) continue;
      const text = await fetchText(handler, full);
      expectNoLeak(text, visible);
      answers++;
    }
    expect(answers).toBeGreaterThan(volume(1000) / 3);
  });

  test('must have regions, and names that are strings', async () => {
    for (const permission of [
      { regions: 'all', samples: 'alpha' },
      { regions: 'all', samples: [1] },
      { samples: ['alpha'] },
      { regions: 'all', samples: {} },
    ]) {
      const handler = cohortHandler({ authorize: () => permission as never });
      expect(await fetchError(handler, '/variants/vcf')).toEqual([500, 'InternalServerError']);
    }
  });

  test('refuses CRAM, also its header', async () => {
    const handler = fixtureHandler({ authorize: () => ({ regions: 'all', samples: ['synthetic'] }) });
    for (const query of ['', '&class=header']) {
      const response = await handler(new Request(`http://localhost/reads/reads.cram?format=CRAM${query}`));
      expect([response.status, await response.json()]).toEqual([
        403,
        {
          htsget: {
            error: 'PermissionDenied',
            message: 'access is limited to some samples, and CRAM cannot be cut to them; request BAM',
          },
        },
      ]);
    }
  });
});

/** Returns an answer as text that shows all that it holds. */
async function fetchText(handler: Handler, path: string): Promise<string> {
  const ticket = await fetchTicket(handler, path);
  const bytes = await fetchBlocks(handler, ticket);
  const { format } = ticket.htsget;
  if (format === 'VCFTEXT') return Buffer.from(bytes).toString();
  const data = bgunzip(bytes);
  return format === 'BCF' ? Buffer.from(data).toString('latin1') + toVcf(data) : Buffer.from(data).toString('latin1');
}

/** Throws if a text names a hidden sample, has one of its numbers, or a number of all samples. */
function expectNoLeak(text: string, visible: readonly number[]): void {
  for (const sample of ALL) {
    if (visible.includes(sample)) continue;
    expect(text).not.toContain(SAMPLES[sample]);
    expect(text).not.toMatch(new RegExp(`${String(codeOf(sample, 0)).slice(0, 4)}[0-9]{3}`));
  }
  // Without hidden samples, INFO hides nothing.
  expect(visible.length < SAMPLES.length && /9000[0-9]{3}/.test(text)).toBe(false);
}
