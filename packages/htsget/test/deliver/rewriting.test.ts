import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { createBamRewriter, createBcfRewriter, createVcfRewriter, parseBcfHeader } from '@htskit/formats';
import { peek } from '@htskit/io';
import { memorySource } from '@htskit/storage/memory';
import { bgunzip, collectSlowly, createRandom, expectations, readFixture, sample } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { createHtsgetHandler, type HtsgetOptions, planFile, type StoredFile, streamPlan } from '../../src/index.js';
import { decodeFile } from '../decode-file.js';
import { bamNames, bcfNames, fixtureFile, fixtureHandler, fixturePathOf, vcfNames } from '../fixture-files.js';
import { fetchBlocks, fetchError, fetchFile, fetchTicket, PUBLIC_URL } from '../read-ticket.js';

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
    BAM: () => createBamRewriter(selection),
    VCF: () => createVcfRewriter(selection),
    BCF: () => createBcfRewriter(selection, strings),
  }[format]();
  return records.map((record) => {
    const rewritten = Buffer.concat(
      rewriter.push(Buffer.from(isText ? `${record}\n` : record, isText ? 'utf8' : 'latin1')).map(peek),
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

  // Elsewhere than in CI, a single file is rewritten by all of them.
  test.each(name === 'reads.bam' ? OPTIONS : sample(OPTIONS))(
    '%s, records keep the selected fields and tags, whatever the region',
    async (_, options) => {
      const handler = fixtureHandler(options);
      for (const query of queries) {
        const path = fixturePathOf(name) + query;
        const whole = await fetchFile(handler, path);
        for (const selection of query === '' ? SELECTIONS[format] : sample(SELECTIONS[format])) {
          const file = await fetchFile(handler, path + parametersOf(selection));
          const { header, records } = decodeFile(format, file);
          expect(header).toBe(decodeFile(format, whole).header);
          expect(records, `${query} ${JSON.stringify(selection)}`).toEqual(rewrite(format, whole, selection));
        }
      }
    },
  );

  test('a POST of several regions, some of them permitted, is rewritten', async () => {
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
    const [selection = {}] = SELECTIONS[format];
    const plan = await planFile({ format, data }, selection, { precision: 'exact' });
    const bytes = await collectSlowly(streamPlan(plan, data));
    const answer = await fetchFile(fixtureHandler(), fixturePathOf(name) + parametersOf(selection));
    expect(Buffer.compare(bytes, answer)).toBe(0);
  });
});

test('VCFTEXT is rewritten', async () => {
  const path = '/variants/variants.vcf.gz?referenceName=chr1&start=0&end=60000&tags=DP';
  const text = await fetchFile(fixtureHandler(), `${path}&format=VCFTEXT`);
  const { header, records } = decodeFile('VCF', await fetchFile(fixtureHandler(), `${path}&format=VCF`));
  expect(records.length).toBeGreaterThan(10);
  expect(Buffer.from(text).toString()).toBe(`${header}${records.map((record) => `${record}\n`).join('')}`);
});

describe('a selection', () => {
  test.each([
    ['all fields', '&fields=QNAME,FLAG,RNAME,POS,MAPQ,CIGAR,RNEXT,PNEXT,TLEN,SEQ,QUAL'],
    ['an empty list of tags to leave out', '&notags='],
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
    const long = Array.from({ length: 400 }, (_, i) => `X${i}`).join(',');
    for (const tags of [long, '漢'.repeat(400)]) {
      expect(await fetchError(fixtureHandler(), `/reads/reads.bam?tags=${tags}`)).toEqual([413, 'PayloadTooLarge']);
    }
  });

  test('with many regions stays below 8 kB per URL', async () => {
    const random = createRandom(4);
    const regions = Array.from({ length: 1000 }, () => {
      const start = Math.floor(random() * 140_000);
      return { referenceName: 'chr1', start, end: start + 9 };
    });
    const tags = Array.from({ length: 190 }, (_, i) => `${10 + (i % 90)}`);
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ regions, tags }),
    };
    const { htsget } = await fetchTicket(fixtureHandler({ precision: 'exact' }), '/reads/reads.bam', init);
    const lengths = htsget.urls.filter(({ url }) => url.startsWith('http')).map(({ url }) => url.length);
    expect(Math.max(...lengths)).toBeLessThan(8192);
  });

  test('has no URLs of the store', async () => {
    const stored: StoredFile = { ...fixtureFile('reads.bam'), locate: () => Promise.reject(new Error('asked')) };
    const handler = fixtureHandler({ limits: { inlineEdgeBytes: 0 } }, { 'reads.bam': [stored] });
    const ticket = await fetchTicket(handler, '/reads/reads.bam?tags=');
    const expected = await fetchFile(fixtureHandler(), '/reads/reads.bam?tags=');
    expect(Buffer.compare(await fetchBlocks(handler, ticket), expected)).toBe(0);
  });
});

describe('a long answer', () => {
  const handler = fixtureHandler({ limits: { blockBytes: 140_000 } });

  test.each([
    ['rewritten', '/reads/reads.bam?tags=', 'BAM'],
    ['as VCFTEXT', '/variants/variants.vcf.gz?format=VCFTEXT', 'VCFTEXT'],
    ['as VCFTEXT, rewritten', '/variants/variants.vcf.gz?format=VCFTEXT&tags=', 'VCFTEXT'],
  ] as const)('%s, is split, and each block can be fetched alone', async (_, path, format) => {
    const isText = format === 'VCFTEXT';
    const small = isText ? fixtureHandler({ limits: { blockBytes: 32_768 } }) : handler;
    const { htsget } = await fetchTicket(small, path);
    const blocks = htsget.urls.filter(({ url }) => url.startsWith(PUBLIC_URL));
    expect(blocks.length).toBeGreaterThan(2);
    const answers = await Promise.all(blocks.map(async ({ url }) => (await small(new Request(url))).arrayBuffer()));
    const bodies = answers.map((bytes) => new Uint8Array(bytes));
    const pieces = bodies.map((bytes) => Buffer.from(isText ? bytes : bgunzip(bytes)));
    const whole = decodeFile(format, await fetchFile(fixtureHandler(), path));
    const encoding = isText ? 'utf8' : 'latin1';
    const terminator = isText ? '\n' : '';
    expect(Buffer.concat(pieces).toString(encoding)).toBe(whole.records.map((record) => record + terminator).join(''));
    if (isText && !path.includes('tags')) return;
    const starts = new Set<number>();
    whole.records.reduce((at, record) => {
      starts.add(at);
      return at + Buffer.byteLength(record + terminator, encoding);
    }, 0);
    const cuts = pieces.slice(0, -1).map((_, i) => Buffer.concat(pieces.slice(0, i + 1)).length);
    expect(cuts.filter((at) => !starts.has(at))).toEqual([]);
  });

  test('rewritten, has blocks within the limit if the index knows where to split', async () => {
    const { htsget } = await fetchTicket(handler, '/reads/reads.bam?tags=');
    const claims = htsget.urls
      .filter(({ url }) => url.startsWith(PUBLIC_URL))
      .map(({ url }) => Buffer.from(url.split('/blocks/')[1]?.split('.')[0] ?? '', 'base64url').toString())
      .map(
        (text) =>
          (JSON.parse(text) as { segments: [part: number, start: number, uoffset: number, end: number][] }).segments,
      );
    const lengths = claims.map((segments) => segments.reduce((sum, [, start, , end]) => sum + end - start, 0));
    expect(Math.max(...lengths)).toBeLessThanOrEqual(140_000);
    expect(Math.min(...lengths)).toBeGreaterThan(10_000);
  });
});

describe('a malformed record breaks the block off, and the error names', () => {
  const { header, records } = decodeFile('BAM', readFixture('reads.bam'));
  const first = records.slice(0, 3).join('');
  /** The fourth record has a tag of an unknown type. */
  const bad = Buffer.from(records[3] ?? '', 'latin1');
  const tagsStart = 36 + bad.readUInt8(12) + 4 * bad.readUInt16LE(16) + Math.ceil(bad.readInt32LE(20) * 1.5);
  bad[tagsStart + 2] = 0x21;
  const file = Buffer.from(header + first + bad.toString('latin1') + records.slice(4, 9).join(''), 'latin1');
  const start = header.length + first.length;

  async function errorOf(blockBytes: number, query: string): Promise<string> {
    const blocks = Array.from({ length: Math.ceil(file.length / blockBytes) }, (_, i) =>
      deflateBlocks(file.subarray(i * blockBytes, (i + 1) * blockBytes)),
    );
    const data = memorySource(Buffer.concat([...blocks, EOF_MARKER]), { version: '1' });
    const errors: unknown[] = [];
    const options = { onError: (error: unknown) => errors.push(error), limits: { indexedBytes: 0 } };
    const handler = fixtureHandler(options, { bad: [{ format: 'BAM', data }] });
    const ticket = await fetchTicket(handler, `/reads/bad?tags=${query}`);
    await expect(fetchBlocks(handler, ticket)).rejects.toThrow(/tag/);
    return String(errors[0]);
  }

  test.each(['', '&referenceName=chr1'])('its virtual offset (%j)', async (query) => {
    const [, uoffset] = /at virtual offset 0:(\d+): /.exec(await errorOf(65_000, query)) ?? [];
    expect(Number(uoffset)).toBeGreaterThanOrEqual(start);
    expect(Number(uoffset)).toBeLessThan(start + bad.length);
  });

  test('the block that it ends in, if it was gathered from several and filtered', async () => {
    expect(await errorOf(50, '&referenceName=chr1')).toMatch(/in a record that ends in the block at byte \d+: /);
  });
});

test('a file that changes after its ticket was made is a 409', async () => {
  for (const bytes of [Buffer.from('garbage'), Buffer.alloc(0), readFixture('straddle.bam')]) {
    let data = memorySource(readFixture('reads.bam'), { key: 'reads', version: '1' });
    const handler = createHtsgetHandler({
      publicUrl: PUBLIC_URL,
      resolve: async () => [{ format: 'BAM', data }],
    });
    const { htsget } = await fetchTicket(handler, '/reads/a?tags=');
    data = memorySource(bytes, { key: 'reads', version: '2' });
    for (const method of ['GET', 'HEAD']) {
      const response = await handler(new Request(htsget.urls[1]?.url ?? '', { method }));
      expect(response.status, `${method} of ${bytes.length} bytes`).toBe(409);
    }
  }
});

test('rejects an invalid compression level', () => {
  expect(() => fixtureHandler({ compressionLevel: 12 })).toThrow(RangeError);
});

test.each(['by this service', 'inline'])('compressionLevel determines the size of an answer sent %s', async (how) => {
  const stored: StoredFile = { ...fixtureFile('reads.bam'), locate: () => Promise.reject(new Error('asked')) };
  const objects: Record<string, StoredFile[]> = how === 'by this service' ? {} : { 'reads.bam': [stored] };
  const sizes = await Promise.all(
    [0, 1, 9].map(
      async (compressionLevel) =>
        (await fetchFile(fixtureHandler({ compressionLevel }, objects), '/reads/reads.bam?tags=')).length,
    ),
  );
  expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
  expect(new Set(sizes).size).toBe(3);
});

test.each([
  ['rewritten', '/reads/reads.bam?tags='],
  ['inflated', '/variants/variants.vcf.gz?format=VCFTEXT'],
])('an answer that is %s has short blocks, because their length is unknown', async (_, path) => {
  const urlsOf = async (limits: { convertedBytes?: number; blocks?: number }): Promise<number> =>
    (await fetchTicket(fixtureHandler({ limits }), path)).htsget.urls.length;
  expect(await urlsOf({ convertedBytes: 65_536 })).toBeGreaterThan(await urlsOf({}));
  // There are never too many.
  expect(await urlsOf({ convertedBytes: 65_536, blocks: 6 })).toBeLessThanOrEqual(6);
});
