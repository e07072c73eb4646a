import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { memorySource } from '@htskit/storage/memory';
import { createRandom, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import type { StoredFile } from '../../src/index.js';
import { MAX_INTERVALS } from '../../src/plan/packed-intervals.js';
import { decodeFile } from '../decode-file.js';
import { fixtureHandler } from '../fixture-files.js';
import { fetchBlocks, fetchTicket } from '../read-ticket.js';

const random = createRandom(1);
const filler = (): string => Array.from({ length: 120 }, () => String.fromCharCode(97 + random() * 26)).join('');
/** One record every 100 bases, with text that compresses badly. */
const lines = Array.from({ length: 20_000 }, (_, i) => `c\t${i * 100 + 1}\t.\tA\tC\t.\t.\tX=${filler()}`);
const header = '##fileformat=VCFv4.3\n##contig=<ID=c>\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n';
const text = new TextEncoder().encode(`${header}${lines.join('\n')}\n`);
const file: StoredFile = {
  format: 'VCF',
  data: memorySource(Buffer.concat([deflateBlocks(text), EOF_MARKER]), { version: '1' }),
};
const regions = Array.from({ length: 900 }, (_, i) => ({
  referenceName: 'c',
  start: i * 2200,
  end: i * 2200 + 150 + (i % 9) * 100,
}));
const wanted = lines.filter((_, i) => regions.some(({ start, end }) => i * 100 >= start && i * 100 < end));

describe('with many more regions than a block URL can carry', () => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ regions }) };

  test.each([
    ['a request for them', fixtureHandler({ precision: 'exact' }, { a: [file] }), init],
    ['a permission of them', fixtureHandler({ authorize: () => ({ regions }) }, { a: [file] }), {}],
  ])('%s is answered in parts, with exactly the records of the regions', async (_, handler, request) => {
    expect(regions.length).toBeGreaterThan(10 * MAX_INTERVALS);
    const ticket = await fetchTicket(handler, '/variants/a', request);
    const { records } = decodeFile('VCF', await fetchBlocks(handler, ticket));
    expect(records).toEqual(wanted);
    const urls = ticket.htsget.urls.filter(({ url }) => url.startsWith('http'));
    expect(urls.length).toBeGreaterThan(1);
    expect(Math.max(...urls.map(({ url }) => url.length))).toBeLessThan(8192);
  });

  test('precision chunks is not split into parts', async () => {
    const handler = fixtureHandler({ precision: 'chunks' }, { a: [file] });
    const ticket = await fetchTicket(handler, '/variants/a', init);
    expect(ticket.htsget.urls.length).toBeLessThan(6);
    const { records } = decodeFile('VCF', await fetchBlocks(handler, ticket));
    expect(records.length).toBeGreaterThan(2 * wanted.length);
    expect(records).toEqual(lines.slice(0, records.length));
  });
});

describe('with precision auto', () => {
  test('a panel of small regions is exact, however many they are, in a few URLs', async () => {
    const handler = fixtureHandler({ limits: { exactBytes: 200_000, gapBytes: 0 } }, { a: [file] });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ regions }) };
    const ticket = await fetchTicket(handler, '/variants/a', init);
    const { records } = decodeFile('VCF', await fetchBlocks(handler, ticket));
    expect(records).toEqual(wanted);
    expect(ticket.htsget.urls.length).toBeLessThan(30);
  });

  test('exact and chunked parts of any regions select each record once, in file order', async () => {
    const next = createRandom(2);
    let chunkedCount = 0;
    for (let run = 0; run < volume(30); run++) {
      const asked = Array.from({ length: 1 + Math.floor(next() * 200) }, () => {
        const start = Math.floor(next() * 2_000_000);
        return { referenceName: 'c', start, end: start + 1 + Math.floor(next() ** 4 * 200_000) };
      });
      const limits = { exactBytes: Math.floor(next() * 60_000), gapBytes: Math.floor(next() ** 3 * 65_536) };
      const handler = fixtureHandler({ limits }, { a: [file] });
      const init = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ regions: asked }),
      };
      const ticket = await fetchTicket(handler, '/variants/a', init);
      const { records } = decodeFile('VCF', await fetchBlocks(handler, ticket));
      const ordinals = records.map((record) => (Number(record.split('\t')[1]) - 1) / 100);
      expect(ordinals).toEqual([...new Set(ordinals)].sort((a, b) => a - b));
      const needed = lines.flatMap((_, i) =>
        asked.some(({ start, end }) => i * 100 >= start && i * 100 < end) ? [i] : [],
      );
      const received = new Set(ordinals);
      expect(needed.filter((ordinal) => !received.has(ordinal))).toEqual([]);
      if (received.size > needed.length) chunkedCount++;
    }
    expect(chunkedCount).toBeGreaterThanOrEqual(volume(6));
  });
});

test.each([
  ['in the order of the header', ['c', 'd', 'e']],
  ['in another order', ['e', 'd', 'c']],
])(
  'groups that end within a reference lose no record of the next one, with references in the file %s',
  async (_, declared) => {
    const rows = ['c', 'd', 'e'].flatMap((name) => lines.slice(0, 4000).map((line) => line.replace('c', name)));
    const contigs = declared.map((name) => `##contig=<ID=${name}>\n`).join('');
    const vcf = `##fileformat=VCFv4.3\n${contigs}#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n${rows.join('\n')}\n`;
    const bytes = Buffer.concat([deflateBlocks(new TextEncoder().encode(vcf)), EOF_MARKER]);
    const stored: StoredFile = { format: 'VCF', data: memorySource(bytes, { version: '1' }) };
    // More regions per reference than one group holds, too far apart to be joined.
    const many = ['c', 'd', 'e'].flatMap((referenceName) =>
      Array.from({ length: 70 }, (_each, i) => ({ referenceName, start: i * 5000, end: i * 5000 + 150 })),
    );
    const handler = fixtureHandler({ authorize: () => ({ regions: many }), limits: { gapBytes: 0 } }, { a: [stored] });
    const { records } = decodeFile('VCF', await fetchBlocks(handler, await fetchTicket(handler, '/variants/a')));
    expect(records).toEqual(rows.filter((_row, i) => [0, 1].includes((i % 4000) % 50) && (i % 4000) / 50 < 70));
  },
);

test('answers tens of thousands of permitted regions exactly', async () => {
  const permitted = Object.freeze(
    Array.from({ length: 50_000 }, (_, i) => ({ referenceName: 'c', start: i * 40 + 1, end: i * 40 + 21 })),
  );
  const handler = fixtureHandler({ authorize: () => ({ regions: permitted }) }, { a: [file] });
  const { records } = decodeFile('VCF', await fetchBlocks(handler, await fetchTicket(handler, '/variants/a')));
  // Records begin at multiples of 100, and a region holds the bases 1 to 20 after a multiple of 40.
  expect(records).toEqual(lines.filter((_, i) => (i * 100) % 40 === 20));
});

test('keeps file order if contigs are in another order than in the header and their names fill a URL', async () => {
  const names = Array.from({ length: 40 }, (_, i) => `${i}-${'x'.repeat(120)}`);
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
