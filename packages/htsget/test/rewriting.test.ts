import { BamRecordRewriter, BcfRecordRewriter, parseBcfHeader, VcfRecordRewriter } from '@htskit/formats';
import { memorySource } from '@htskit/storage/memory';
import { bgunzip, createRandom, expectations, readFixture } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { type HtsgetOptions, planBgzf, readBgzfFile, type StoredFile, streamPlan } from '../src/index.js';
import { decodeFile } from './decode-file.js';
import { bamNames, bcfNames, fixtureFile, fixtureHandler, fixturePathOf, vcfNames } from './fixture-files.js';
import { fetchBlocks, fetchError, fetchFile, fetchTicket, PUBLIC_URL } from './read-ticket.js';

type BgzfFormat = 'BAM' | 'VCF' | 'BCF';

interface Selection {
  readonly fields?: ('QNAME' | 'FLAG' | 'POS' | 'SEQ' | 'QUAL')[];
  readonly tags?: string[];
  readonly notags?: string[];
}

const SELECTIONS: Readonly<Record<BgzfFormat, readonly Selection[]>> = {
  BAM: [
    { tags: [] },
    { tags: ['NM', 'RG'] },
    { notags: ['NM'], fields: ['QNAME', 'FLAG', 'POS'] },
    { fields: ['QUAL'] },
  ],
  VCF: [{ tags: [] }, { tags: ['DP', 'GT'] }, { notags: ['DP', 'AF'] }],
  BCF: [{ tags: [] }, { tags: ['DP', 'GT'] }, { notags: ['DP', 'AF'] }],
};

/** The records of an answer, rewritten one by one. */
function rewrite(format: BgzfFormat, file: Uint8Array, selection: Selection): string[] {
  const { records } = decodeFile(format, file);
  const isText = format === 'VCF';
  const strings = format === 'BCF' ? parseBcfHeader(bgunzip(file)).strings : new Map<number, string>();
  const rewriter = {
    BAM: () => new BamRecordRewriter(selection),
    VCF: () => new VcfRecordRewriter(selection),
    BCF: () => new BcfRecordRewriter(selection, strings),
  }[format]();
  return records.map((record) => {
    const rewritten = Buffer.concat(
      rewriter.push(Buffer.from(isText ? `${record}\n` : record, isText ? 'utf8' : 'latin1')),
    );
    return isText ? rewritten.toString('utf8').trimEnd() : rewritten.toString('latin1');
  });
}

function parametersOf(selection: Selection): string {
  return Object.entries(selection)
    .map(([name, values]) => `&${name}=${(values as string[]).join(',')}`)
    .join('');
}

const OPTIONS: readonly (readonly [name: string, options: Partial<HtsgetOptions>])[] = [
  ['by default', {}],
  ['exact, in many blocks', { precision: 'exact', limits: { blockBytes: 20_000 } }],
  ['by chunks, in many blocks', { precision: 'chunks', limits: { blockBytes: 20_000, gapBytes: -1, inlineBytes: 0 } }],
];

describe.each([...bamNames, ...vcfNames, ...bcfNames])('%s', (name) => {
  const { format } = fixtureFile(name) as { format: BgzfFormat };
  const [region] = expectations(name as `${string}.bam`).regions.filter(({ records }) => records.length > 0);
  const regions = region === undefined ? [] : [region, { ...region, start: region.start + 1, end: region.end + 900 }];
  const queries = [
    '',
    ...(format === 'BAM' ? ['&referenceName=*'] : []),
    ...regions.map(({ referenceName, start, end }) => `&referenceName=${referenceName}&start=${start}&end=${end}`),
  ];

  test.each(OPTIONS)('%s, records keep what was asked for, whatever the region', async (_, options) => {
    const handler = fixtureHandler(options);
    for (const query of queries) {
      const path = fixturePathOf(name) + query;
      const whole = await fetchFile(handler, path);
      for (const selection of SELECTIONS[format]) {
        const file = await fetchFile(handler, path + parametersOf(selection));
        const { header, records } = decodeFile(format, file);
        expect(header).toBe(decodeFile(format, whole).header);
        expect(records, `${query} ${JSON.stringify(selection)}`).toEqual(rewrite(format, whole, selection));
      }
    }
  });

  test('a POST of several regions, of which some may be seen, is rewritten', async () => {
    const permitted = regions.slice(0, 1).map(({ referenceName, start, end }) => ({ referenceName, start, end }));
    const asked = regions.map(({ referenceName, start, end }) => ({ referenceName, start, end }));
    if (permitted.length === 0) return;
    const handler = fixtureHandler({ authorize: () => ({ regions: permitted }) });
    const path = fixturePathOf(name).replace(/\?.*/, '');
    const [selection = {}] = SELECTIONS[format];
    const post = (members: object): RequestInit => ({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ format, regions: asked, ...members }),
    });
    const whole = await fetchFile(handler, path, post({}));
    const file = await fetchFile(handler, path, post(selection));
    expect(decodeFile(format, file).records.length).toBeGreaterThan(0);
    expect(decodeFile(format, file).records).toEqual(rewrite(format, whole, selection));
  });

  test('a local file is rewritten by the same plan', async () => {
    const data = memorySource(readFixture(name));
    const file = await readBgzfFile(data, { ...(await data.stat()), format, maxHeaderBytes: 2 ** 27 });
    const [selection = {}] = SELECTIONS[format];
    const plan = planBgzf({ file, query: selection, precision: 'exact', exactBytes: 0, inlineBytes: 65_536 });
    const chunks: Uint8Array[] = [];
    for await (const chunk of streamPlan(plan, data)) chunks.push(chunk);
    const answer = await fetchFile(fixtureHandler(), fixturePathOf(name) + parametersOf(selection));
    expect(Buffer.compare(Buffer.concat(chunks), answer)).toBe(0);
  });
});

test('VCFTEXT is rewritten, too', async () => {
  const path = '/variants/variants.vcf.gz?referenceName=chr1&start=0&end=60000&tags=DP';
  const text = await fetchFile(fixtureHandler(), `${path}&format=VCFTEXT`);
  const { header, records } = decodeFile('VCF', await fetchFile(fixtureHandler(), `${path}&format=VCF`));
  expect(records.length).toBeGreaterThan(10);
  expect(Buffer.from(text).toString()).toBe(`${header}${records.map((record) => `${record}\n`).join('')}`);
});

describe('a selection', () => {
  test.each([
    ['all fields', '&fields=QNAME,FLAG,RNAME,POS,MAPQ,CIGAR,RNEXT,PNEXT,TLEN,SEQ,QUAL'],
    ['no tag that there is to leave out', '&notags='],
    ['a header', '&class=header&tags='],
  ])('of %s leaves blocks as they are', async (_, parameters) => {
    const plain = parameters.replace(/&(fields|tags|notags)=[^&]*/g, '');
    const ticket = await fetchTicket(fixtureHandler(), `/reads/reads.bam?format=BAM${plain}`);
    const selected = await fetchTicket(fixtureHandler(), `/reads/reads.bam?format=BAM${parameters}`);
    const lengths = ({ htsget }: typeof ticket) => htsget.urls.map(({ url }) => url.length);
    expect(lengths(selected)).toEqual(lengths(ticket));
  });

  test('of CRAM is answered with everything', async () => {
    const path = '/reads/reads.cram?format=CRAM&referenceName=chr1';
    const file = await fetchFile(fixtureHandler(), `${path}&fields=QNAME&tags=`);
    expect(Buffer.compare(file, await fetchFile(fixtureHandler(), path))).toBe(0);
  });

  test('that makes a block URL too long is PayloadTooLarge', async () => {
    const tags = Array.from({ length: 400 }, (_, rank) => `X${String.fromCharCode(65 + (rank % 26))}${rank}`).join(',');
    expect(await fetchError(fixtureHandler(), `/reads/reads.bam?tags=${tags}`)).toEqual([413, 'PayloadTooLarge']);
  });

  test('with as many regions as fit stays below 8 kB a URL', async () => {
    const random = createRandom(4);
    const regions = Array.from({ length: 1000 }, () => {
      const start = Math.floor(random() * 140_000);
      return { referenceName: 'chr1', start, end: start + 9 };
    });
    const tags = Array.from({ length: 190 }, (_, rank) => `${10 + (rank % 90)}`);
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ regions, tags }),
    };
    const { htsget } = await fetchTicket(fixtureHandler({ precision: 'exact' }), '/reads/reads.bam', init);
    const lengths = htsget.urls.filter(({ url }) => url.startsWith('http')).map(({ url }) => url.length);
    expect(Math.max(...lengths)).toBeLessThan(8192);
  });

  test('leads to no URL of the store for what is rewritten', async () => {
    const stored: StoredFile = { ...fixtureFile('reads.bam'), locate: () => Promise.reject(new Error('asked')) };
    const handler = fixtureHandler({ limits: { inlineEdgeBytes: 0 } }, { 'reads.bam': [stored] });
    const ticket = await fetchTicket(handler, '/reads/reads.bam?tags=');
    const expected = await fetchFile(fixtureHandler(), '/reads/reads.bam?tags=');
    expect(Buffer.compare(await fetchBlocks(handler, ticket), expected)).toBe(0);
  });
});

test('a long answer is split where records begin, so that each block can be fetched alone', async () => {
  const handler = fixtureHandler({ limits: { blockBytes: 50_000 } });
  const { htsget } = await fetchTicket(handler, '/reads/reads.bam?tags=');
  expect(htsget.urls.filter(({ url }) => url.startsWith(PUBLIC_URL)).length).toBeGreaterThan(3);
});

test('a malformed record breaks the block off, and the error names its virtual offset', async () => {
  const data = Buffer.from(bgunzip(readFixture('no-references.bam')));
  const { deflateBlocks, EOF_MARKER } = await import('@htskit/bgzf');
  const { header, records } = decodeFile('BAM', readFixture('no-references.bam'));
  const bad = Buffer.from(records[3] ?? '', 'latin1');
  bad.writeUInt32LE(0xffff, 20); // l_seq
  const before = Buffer.from(header + records.slice(0, 3).join(''), 'latin1');
  const bytes = Buffer.concat([deflateBlocks(Buffer.concat([before, bad, data.subarray(before.length)])), EOF_MARKER]);
  const errors: unknown[] = [];
  const stored: StoredFile = { format: 'BAM', data: memorySource(bytes, { version: '1' }) };
  const handler = fixtureHandler({ onError: (error) => errors.push(error) }, { bad: [stored] });
  const ticket = await fetchTicket(handler, '/reads/bad?tags=');
  await expect(fetchBlocks(handler, ticket)).rejects.toThrow(/record/);
  expect(String(errors[0])).toContain(`at virtual offset 0:${before.length}`);
});

test('compressionLevel decides how much smaller the answer is', async () => {
  const sizes = await Promise.all(
    [0, 1, 9].map(
      async (compressionLevel) =>
        (await fetchFile(fixtureHandler({ compressionLevel }), '/reads/reads.bam?tags=')).length,
    ),
  );
  expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
  expect(new Set(sizes).size).toBe(3);
});
