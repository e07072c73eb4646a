import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { memorySource } from '@htskit/storage/memory';
import { createRandom } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { MAX_INTERVALS } from '../../src/block-url/packed-intervals.js';
import type { StoredFile } from '../../src/index.js';
import { decodeFile } from '../decode-file.js';
import { fixtureHandler } from '../fixture-files.js';
import { fetchBlocks, fetchTicket } from '../read-ticket.js';

const random = createRandom(1);
const filler = (): string => Array.from({ length: 120 }, () => String.fromCharCode(97 + random() * 26)).join('');
/** One record every 100 bases, of bytes that do not compress well. */
const lines = Array.from({ length: 20_000 }, (_, rank) => `c\t${rank * 100 + 1}\t.\tA\tC\t.\t.\tX=${filler()}`);
const header = '##fileformat=VCFv4.3\n##contig=<ID=c>\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n';
const text = new TextEncoder().encode(`${header}${lines.join('\n')}\n`);
const file: StoredFile = {
  format: 'VCF',
  data: memorySource(Buffer.concat([deflateBlocks(text), EOF_MARKER]), { version: '1' }),
};
const regions = Array.from({ length: 900 }, (_, rank) => ({
  referenceName: 'c',
  start: rank * 2200,
  end: rank * 2200 + 150 + (rank % 9) * 100,
}));
const wanted = lines.filter((_, rank) => regions.some(({ start, end }) => rank * 100 >= start && rank * 100 < end));

describe('with many more regions than a block URL can tell', () => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ regions }) };

  test.each([
    ['a request for them', fixtureHandler({ precision: 'exact' }, { a: [file] }), init],
    ['a permission of them', fixtureHandler({ authorize: () => ({ regions }) }, { a: [file] }), {}],
  ])('%s is answered by parts, with precisely the records in them', async (_, handler, request) => {
    expect(regions.length).toBeGreaterThan(10 * MAX_INTERVALS);
    const ticket = await fetchTicket(handler, '/variants/a', request);
    const { records } = decodeFile('VCF', await fetchBlocks(handler, ticket));
    expect(records).toEqual(wanted);
    const urls = ticket.htsget.urls.filter(({ url }) => url.startsWith('http'));
    expect(urls.length).toBeGreaterThan(1);
    expect(Math.max(...urls.map(({ url }) => url.length))).toBeLessThan(8192);
  });

  test('precision chunks is not parted', async () => {
    const handler = fixtureHandler({ precision: 'chunks' }, { a: [file] });
    const ticket = await fetchTicket(handler, '/variants/a', init);
    expect(ticket.htsget.urls.length).toBeLessThan(6);
    const { records } = decodeFile('VCF', await fetchBlocks(handler, ticket));
    expect(records.length).toBeGreaterThan(2 * wanted.length);
    expect(records).toEqual(lines.slice(0, records.length));
  });
});

test.each([
  ['as in the header', ['c', 'd', 'e']],
  ['another one than in the header', ['e', 'd', 'c']],
])(
  'groups that go on behind a reference lose nothing of the next one, with their order in the file %s',
  async (_, declared) => {
    const rows = ['c', 'd', 'e'].flatMap((name) => lines.slice(0, 4000).map((line) => line.replace('c', name)));
    const contigs = declared.map((name) => `##contig=<ID=${name}>\n`).join('');
    const vcf = `##fileformat=VCFv4.3\n${contigs}#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n${rows.join('\n')}\n`;
    const bytes = Buffer.concat([deflateBlocks(new TextEncoder().encode(vcf)), EOF_MARKER]);
    const stored: StoredFile = { format: 'VCF', data: memorySource(bytes, { version: '1' }) };
    // More of each reference than one group has, and so few of them in one place that nothing is read as one.
    const many = ['c', 'd', 'e'].flatMap((referenceName) =>
      Array.from({ length: 70 }, (_each, rank) => ({ referenceName, start: rank * 5000, end: rank * 5000 + 150 })),
    );
    const handler = fixtureHandler({ authorize: () => ({ regions: many }), limits: { gapBytes: 0 } }, { a: [stored] });
    const { records } = decodeFile('VCF', await fetchBlocks(handler, await fetchTicket(handler, '/variants/a')));
    expect(records).toEqual(
      rows.filter((_row, rank) => [0, 1].includes((rank % 4000) % 50) && (rank % 4000) / 50 < 70),
    );
  },
);

test('tens of thousands of permitted regions take no time that grows faster than they do', async () => {
  const permitted = Object.freeze(
    Array.from({ length: 50_000 }, (_, rank) => ({ referenceName: 'c', start: rank * 40 + 1, end: rank * 40 + 21 })),
  );
  const handler = fixtureHandler({ authorize: () => ({ regions: permitted }) }, { a: [file] });
  const { records } = decodeFile('VCF', await fetchBlocks(handler, await fetchTicket(handler, '/variants/a')));
  // Records begin at multiples of 100, and a region holds the bases 1 to 20 behind a multiple of 40.
  expect(records).toEqual(lines.filter((_, rank) => (rank * 100) % 40 === 20));
});

test('with contigs in another order than in the header, and names too long for one URL, file order is kept', async () => {
  const names = Array.from({ length: 40 }, (_, rank) => `${rank}-${'x'.repeat(120)}`);
  const rows = [...names]
    .reverse()
    .flatMap((name) => [1, 2, 3, 4].map((at) => `${name}\t${at * 100}\t.\tA\tC\t.\t.\tEND=${at * 100 + 9}`));
  const declared = names.map((name) => `##contig=<ID=${name}>\n`).join('');
  const vcf = `##fileformat=VCFv4.3\n${declared}#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n${rows.join('\n')}\n`;
  const bytes = Buffer.concat([deflateBlocks(new TextEncoder().encode(vcf)), EOF_MARKER]);
  const stored: StoredFile = { format: 'VCF', data: memorySource(bytes, { version: '1' }) };
  const many = names.flatMap((referenceName) => [
    { referenceName, start: 0, end: 150 },
    { referenceName, start: 205, end: 320 },
  ]);
  const handler = fixtureHandler({ authorize: () => ({ regions: many }) }, { a: [stored] });
  const ticket = await fetchTicket(handler, '/variants/a');
  const { records } = decodeFile('VCF', await fetchBlocks(handler, ticket));
  expect(records).toEqual(rows.filter((row) => !row.includes('\t400\t')));
  expect(ticket.htsget.urls.length).toBeGreaterThan(3);
});
