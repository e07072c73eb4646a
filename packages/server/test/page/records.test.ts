import { gunzipSync } from 'node:zlib';
import { BgzfError } from '@htskit/bgzf';
import { parseBlockHeader } from '@htskit/bgzf/internal';
import { decodeBam, readFixture } from '@htskit/testing';
import { expect, test } from 'vitest';
import { decodeRecords } from '../../page/records/decode-records.js';
import { inflateBgzf } from '../../page/records/fetch-blocks.js';
import { recordCells, recordTitles } from '../../page/records/record-cells.js';

const REGION = { referenceName: 'chr1', start: 1000, end: 20_000 };

test('decodes alignments as an independent decoder does', () => {
  const data = new Uint8Array(gunzipSync(readFixture('reads.bam')));
  const file = decodeRecords(data, { datatype: 'reads', region: REGION });
  const { records } = decodeBam(readFixture('reads.bam'));
  expect(file.delivered).toBe(records.length);
  // As samtools view -c chr1:1001-20000 counts.
  expect(file.overlapping).toBe(142);
  expect(file.records).toHaveLength(142);
  expect(file.references[0]).toEqual({ name: 'chr1', length: 150_000 });
  const { length } = recordTitles(file);
  expect(file.records.every((record) => recordCells(file, record).length === length)).toBe(true);
  expect(file.overlappingBytes).toBeLessThan(file.deliveredBytes);
});

test('decodes variants of all samples', () => {
  const data = gunzipSync(readFixture('variants.vcf.gz'));
  const file = decodeRecords(data, { datatype: 'variants', region: undefined });
  const lines = data
    .toString()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(file.overlapping).toBe(lines.length);
  expect(file.records.map((record) => recordCells(file, record)[0])).toEqual(
    lines.map((line) => Number(line.split('\t')[1])),
  );
  expect(file.samples.length).toBeGreaterThan(0);
  expect(file.references[0]?.name).toBe('chr1');
});

test('reads the contigs of a header as the server does', () => {
  const lines = [
    '##fileformat=VCFv4.3',
    '##contig=<Description="a, ID=b",ID=chr1,length=5>',
    '##contig=<ID=chr1,length=6>',
  ];
  const header = `${lines.join('\n')}\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n`;
  const file = decodeRecords(new TextEncoder().encode(header), { datatype: 'variants', region: undefined });
  expect(file.references).toMatchObject([{ name: 'chr1', length: 5 }]);
});

test.each([
  ['*', 40, 40],
  ['chr1', 0, 40],
])('counts unplaced reads in the region %s', (referenceName, overlapping, delivered) => {
  const data = new Uint8Array(gunzipSync(readFixture('unmapped-only.bam')));
  const file = decodeRecords(data, { datatype: 'reads', region: { referenceName } });
  expect([file.overlapping, file.records.length, file.delivered]).toEqual([overlapping, overlapping, delivered]);
});

test.each(['extra-subfield.bam', 'empty.vcf.gz'])('inflates the blocks of %s', (name) => {
  const bytes = new Uint8Array(readFixture(name));
  expect(Buffer.from(inflateBgzf(bytes)).equals(gunzipSync(bytes))).toBe(true);
});

test('refuses blocks that inflate to more data than the limit, or to other data than their checksum', () => {
  const bytes = new Uint8Array(readFixture('reads.bam'));
  const { length } = gunzipSync(bytes);
  expect(inflateBgzf(bytes, length)).toHaveLength(length);
  expect(() => inflateBgzf(bytes, length - 1)).toThrow(/^the region has more data than this page decodes/);
  const damaged = bytes.slice();
  const { blockSize } = parseBlockHeader(bytes, { offset: 0 });
  damaged[blockSize - 8] = (damaged[blockSize - 8] ?? 0) ^ 1;
  expect(() => inflateBgzf(damaged)).toThrow(BgzfError);
});
