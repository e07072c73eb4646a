import { createHash } from 'node:crypto';
import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { createBcfToVcf, createVcfToBcf, parseBcfHeader, parseVcfHeader } from '@htskit/formats';
import { peek } from '@htskit/io';
import { memorySource } from '@htskit/storage/memory';
import { bgunzip, collectSlowly, expectations, readFixture, sample, toOrdinals, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { DeliveryWorkers, type HtsgetOptions, planFile, type StoredFile, streamPlan } from '../../src/index.js';
import { decodeFile } from '../decode-file.js';
import { bcfNames, fixtureFile, fixtureHandler, vcfNames } from '../fixture-files.js';
import { fetchBlocks, fetchError, fetchFile, fetchTicket, type Handler, PUBLIC_URL } from '../read-ticket.js';

const encoder = new TextEncoder();

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function toText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** Returns BCF data as VCF lines. */
function toLines(file: Uint8Array): string[] {
  const data = bgunzip(file);
  const header = parseBcfHeader(data);
  const converter = createBcfToVcf(header);
  const text = Buffer.concat(converter.push(data.subarray(header.byteLength)).map(peek));
  return text.toString('utf8').split('\n').slice(0, -1);
}

/** Returns the claim of a block URL as text. */
function decodeToken(url: string): string {
  return Buffer.from(url.replace(/.*\/blocks\/|\..*/g, ''), 'base64url').toString();
}

const OPTIONS: readonly (readonly [name: string, options: Partial<HtsgetOptions>])[] = [
  ['by default', {}],
  ['by chunks', { precision: 'chunks' }],
  ['in many blocks, its header by URL', { limits: { convertedBytes: 20_000, inlineBytes: 0, gapBytes: -1 } }],
];

describe.each(OPTIONS)('%s', (_, options) => {
  const handler = fixtureHandler({ ...options, precision: options.precision ?? 'exact' });

  test.each(bcfNames)('%s is the VCF that bcftools makes of it', async (name) => {
    const { textSha256, header, recordCount } = expectations(name);
    const file = decodeFile('VCF', await fetchFile(handler, `/variants/${name}?format=VCF`));
    expect(file.records).toHaveLength(recordCount);
    expect(sha256(toText(file.records))).toBe(textSha256);
    expect(file.header.replace(/,IDX=\d+/g, '')).toBe(header.replace(/,IDX=\d+/g, ''));
    const text = await fetchFile(handler, `/variants/${name}?format=VCFTEXT`);
    expect(decodeFile('VCFTEXT', text)).toEqual(file);
    expect((await fetchTicket(handler, `/variants/${name}`)).htsget.format).toBe('VCF');
  });

  test.each(vcfNames)('%s is the BCF that holds its records', async (name) => {
    const { textSha256, recordCount } = expectations(name);
    const file = await fetchFile(handler, `/variants/${name}?format=BCF`);
    const { records } = decodeFile('BCF', file);
    expect(records).toHaveLength(recordCount);
    expect(sha256(toText(toLines(file)))).toBe(textSha256);
  });

  test.each(['variants.vcf.gz', 'variants-csi.vcf.gz', 'variants.bcf'] as const)(
    'regions of %s are cut',
    async (name) => {
      const target = name === 'variants.bcf' ? 'VCF' : 'BCF';
      const whole = decodeFile(target, await fetchFile(handler, `/variants/${name}?format=${target}`)).records;
      let compared = 0;
      for (const { referenceName, start, end, records } of sample(expectations(name).regions)) {
        const path = `/variants/${name}?format=${target}&referenceName=${referenceName}&start=${start}&end=${end}`;
        const answer = decodeFile(target, await fetchFile(handler, path)).records;
        const expected = toOrdinals(records).map((ordinal) => whole[ordinal]);
        const isSuperset = options.precision === 'chunks';
        expect(isSuperset ? answer.filter((record) => expected.includes(record)) : answer).toEqual(expected);
        compared += expected.length;
      }
      expect(compared).toBeGreaterThan(volume(100));
    },
  );
});

describe('a converted answer', () => {
  const handler = fixtureHandler();

  test('keeps the selected tags', async () => {
    const { records } = decodeFile('VCF', await fetchFile(handler, '/variants/variants.bcf?tags=DP'));
    expect(records.length).toBeGreaterThan(100);
    for (const record of records) expect(record.split('\t')[7]).toMatch(/^(\.|DP=\d+)$/);
    const file = await fetchFile(handler, '/variants/variants.vcf.gz?format=BCF&notags=DP');
    expect(toLines(file).some((line) => /\tDP=|;DP=/.test(line))).toBe(false);
  });

  test('has several regions of a POST once, and those that the client may see', async () => {
    const [first, second] = expectations('variants.bcf').regions.filter(({ records }) => records.length > 0);
    if (first === undefined || second === undefined) throw new Error('the fixture has too few regions');
    const toRegion = ({ referenceName, start, end }: typeof first): object => ({ referenceName, start, end });
    const body = JSON.stringify({ format: 'VCF', regions: [first, second].map(toRegion) });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    const all = decodeFile('VCF', await fetchFile(handler, '/variants/variants.bcf')).records;
    const ordinals = new Set([...toOrdinals(first.records), ...toOrdinals(second.records)]);
    const answer = decodeFile('VCF', await fetchFile(handler, '/variants/variants.bcf', init)).records;
    expect(answer).toEqual(all.filter((_, ordinal) => ordinals.has(ordinal)));
    const { referenceName, start, end } = first;
    const restricted = fixtureHandler({ authorize: () => ({ regions: [{ referenceName, start, end }] }) });
    const part = decodeFile('VCF', await fetchFile(restricted, '/variants/variants.bcf', init)).records;
    expect(part).toEqual(toOrdinals(first.records).map((ordinal) => all[ordinal]));
  });

  test('has only the converted header for class=header', async () => {
    const whole = decodeFile('VCF', await fetchFile(handler, '/variants/variants.bcf'));
    const header = decodeFile('VCF', await fetchFile(handler, '/variants/variants.bcf?class=header'));
    expect(header).toEqual({ header: whole.header, records: [] });
  });

  test('is the same from worker threads and from a plan', async () => {
    const workers = new DeliveryWorkers({ threads: 1 });
    try {
      const expected = await fetchFile(handler, '/variants/variants.bcf');
      const answer = await fetchFile(fixtureHandler({ workers }), '/variants/variants.bcf');
      expect(Buffer.compare(answer, expected)).toBe(0);
      const file = fixtureFile('variants.bcf');
      const bytes = await collectSlowly(streamPlan(await planFile(file, { format: 'VCF' }), file.data));
      expect(Buffer.compare(bytes, expected)).toBe(0);
    } finally {
      await workers.close();
    }
  });

  test('has blocks of bounded work, whose URLs and entity tags depend on the file alone', async () => {
    const options = { limits: { convertedBytes: 20_000 }, now: () => 0, signingKeys: [new Uint8Array(32)] as const };
    const replicas = [fixtureHandler(options), fixtureHandler(options)] as const;
    const [ticket, other] = await Promise.all(
      replicas.map((replica) => fetchTicket(replica, '/variants/variants.bcf')),
    );
    expect(other).toEqual(ticket);
    const urls = (ticket?.htsget.urls ?? []).map(({ url }) => url).filter((url) => url.startsWith(PUBLIC_URL));
    expect(urls.length).toBeGreaterThan(2);
    for (const url of urls) {
      const [first, second] = await Promise.all(replicas.map((replica) => replica(new Request(url))));
      expect(first?.headers.get('etag')).toMatch(/^"/);
      expect(second?.headers.get('etag')).toBe(first?.headers.get('etag'));
      expect(await second?.arrayBuffer()).toEqual(await first?.arrayBuffer());
    }
  });

  test('adds the contigs that only the index names', async () => {
    const text = '##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n';
    const records = '1\t10\t.\tA\tC\t.\t.\t.\n2\t20\t.\tG\tT\t.\t.\t.\n';
    const bytes = Buffer.concat([deflateBlocks(encoder.encode(text + records)), EOF_MARKER]);
    const stored: StoredFile = { format: 'VCF', data: memorySource(bytes, { key: 'bare', version: '1' }) };
    const file = await fetchFile(fixtureHandler({}, { bare: [stored] }), '/variants/bare?format=BCF');
    expect(toText(toLines(file))).toBe(records);
    expect(parseBcfHeader(bgunzip(file)).text).toContain('##contig=<ID=2,IDX=1>');
  });
});

describe('objects that are stored in both formats', () => {
  const vcf = fixtureFile('variants.vcf.gz');
  const bcf = fixtureFile('variants.bcf');
  const objects = { both: [bcf, vcf], bcf: [bcf] };

  test('are not converted', async () => {
    const plannedFrom = async (format: string): Promise<boolean> => {
      const ticket = await fetchTicket(fixtureHandler({}, objects), `/variants/both?format=${format}`);
      return ticket.htsget.urls.some(({ url }) => decodeToken(url).includes('"from"'));
    };
    expect(
      decodeToken((await fetchTicket(fixtureHandler({}, objects), '/variants/bcf')).htsget.urls[1]?.url ?? ''),
    ).toContain('"from":"BCF"');
    expect(await plannedFrom('VCF')).toBe(false);
    expect(await plannedFrom('BCF')).toBe(false);
  });

  test('keep serving the blocks of a ticket when another format is added', async () => {
    const files: StoredFile[] = [bcf];
    const handler = fixtureHandler({}, { growing: files });
    const ticket = await fetchTicket(handler, '/variants/growing');
    files.push(vcf);
    const lines = decodeFile('VCF', await fetchBlocks(handler, ticket)).records;
    expect(sha256(toText(lines))).toBe(expectations('variants.bcf').textSha256);
  });

  test('have only the stored formats if conversions are off', async () => {
    const handler: Handler = fixtureHandler({ conversions: false }, objects);
    expect(await fetchError(handler, '/variants/bcf')).toEqual([400, 'UnsupportedFormat']);
    const response = await handler(new Request(`${PUBLIC_URL}/variants/bcf?format=SAM`));
    expect(await response.text()).toContain('available: BCF');
    const converting = await fixtureHandler({}, objects)(new Request(`${PUBLIC_URL}/variants/bcf?format=SAM`));
    expect(await converting.text()).toContain('available: VCF, BCF, VCFTEXT');
  });
});

test('records that VCF cannot declare break off the answer instead of being dropped', async () => {
  const data = readFixture('variants.vcf.gz');
  const text = Buffer.from(bgunzip(data))
    .toString('utf8')
    .replace(/^##INFO=<ID=DP,.*\n/m, '');
  const header = parseVcfHeader(encoder.encode(text));
  expect(() => createVcfToBcf(header).push(encoder.encode(text).subarray(header.byteLength))).toThrow('declare');
  const bytes = Buffer.concat([deflateBlocks(encoder.encode(text)), EOF_MARKER]);
  const stored: StoredFile = { format: 'VCF', data: memorySource(bytes, { key: 'undeclared', version: '1' }) };
  const errors: unknown[] = [];
  const handler = fixtureHandler({ onError: (error) => errors.push(error) }, { undeclared: [stored] });
  await expect(fetchFile(handler, '/variants/undeclared?format=BCF')).rejects.toThrow(
    /500|terminated|does not declare/,
  );
  expect(String(errors[0])).toContain('does not declare');
});
