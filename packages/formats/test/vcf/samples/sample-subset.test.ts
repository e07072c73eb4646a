import { bgunzip, mutations, readFixture, volume } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createBcfRewriter,
  createBcfToVcf,
  createVcfRewriter,
  createVcfToBcf,
  parseBcfHeader,
  parseSampleHeader,
  parseVcfHeader,
  type SampleSubset,
  selectHeaderSamples,
  type VariantSelection,
} from '../../../src/index.js';
import { bcfRecordLength } from '../../../src/internal.js';
import { passPieces, piecesOutcome } from '../../record-pieces.js';

const HEADER = [
  '##fileformat=VCFv4.3',
  '##contig=<ID=c>',
  '##INFO=<ID=AC,Number=A,Type=Integer,Description="">',
  '##INFO=<ID=AN,Number=1,Type=Integer,Description="">',
  '##INFO=<ID=AF,Number=A,Type=Float,Description="">',
  '##INFO=<ID=NS,Number=1,Type=Integer,Description="">',
  '##INFO=<ID=DP,Number=1,Type=Integer,Description="">',
  '##INFO=<ID=END,Number=1,Type=Integer,Description="">',
  '##FORMAT=<ID=GT,Number=1,Type=String,Description="">',
  '##FORMAT=<ID=DP,Number=1,Type=Integer,Description="">',
  '#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ts0\ts1\ts2\ts3\n',
].join('\n');
const COUNTED = ['AC', 'AN', 'AF', 'NS'] as const;

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function selectVcf(columns: string, selection: VariantSelection, alt = 'C'): string {
  const site = `c\t1\t.\tA\t${alt}\t.\t.\t`;
  const line = passPieces(createVcfRewriter(selection), bytes(`${site}${columns}\n`));
  const text = Buffer.from(line).toString();
  expect(text.startsWith(site) && text.endsWith('\n')).toBe(true);
  return text.slice(site.length, -1);
}

/** Converts lines to BCF, selects samples there, and converts the result back. */
function selectBcf(lines: string, selection: VariantSelection, header = HEADER): string {
  const toBcf = createVcfToBcf({ text: header });
  const records = passPieces(toBcf, bytes(lines));
  const { strings, text } = parseBcfHeader(toBcf.header);
  const kept = passPieces(createBcfRewriter(selection, strings), records);
  const samples = selection.subset?.samples ?? [...parseSampleHeader(text).samples.keys()];
  return Buffer.from(passPieces(createBcfToVcf({ text: selectHeaderSamples(text, { samples }) }), kept)).toString();
}

function selectBoth(columns: string, selection: VariantSelection, alt = 'C'): string {
  const selected = selectVcf(columns, selection, alt);
  const site = `c\t1\t.\tA\t${alt}\t.\t.\t`;
  expect(selectBcf(`${site}${columns}\n`, selection)).toBe(`${site}${selected}\n`);
  return selected;
}

function subset(samples: readonly number[], more: Partial<SampleSubset> = {}): VariantSelection {
  return { subset: { samples, aggregates: COUNTED, ...more } };
}

describe('samples of variants', () => {
  test.each<[what: string, columns: string, selection: VariantSelection, expected: string]>([
    ['the first sample', 'DP=3\tDP\t0\t1\t2\t3', subset([0]), 'DP=3\tDP\t0'],
    ['the last sample', 'DP=3\tDP\t0\t1\t2\t3', subset([3]), 'DP=3\tDP\t3'],
    ['two samples', 'DP=3\tDP\t0\t1\t2\t3', subset([1, 2]), 'DP=3\tDP\t1\t2'],
    ['samples in another order', 'DP=3\tDP\t0\t1\t2\t3', subset([3, 0, 2]), 'DP=3\tDP\t3\t0\t2'],
    ['no sample', 'DP=3;AC=1\tDP\t0\t1\t2\t3', subset([]), 'DP=3;AC=1'],
    ['all samples', '.\tDP\t0\t1\t2\t3', subset([0, 1, 2, 3]), '.\tDP\t0\t1\t2\t3'],
    [
      'keys of FORMAT',
      'DP=3\tGT:DP\t0/0:1\t0/1:2\t./.:3\t1/1:4',
      { ...subset([0, 3], { aggregates: [] }), tags: ['GT'] },
      '.\tGT\t0/0\t1/1',
    ],
  ])('keeps %s', (_, columns, selection, expected) => {
    expect(selectBoth(columns, selection)).toBe(expected);
  });

  test.each<[what: string, columns: string, selection: VariantSelection, expected: string, alt?: string]>([
    [
      'in the place of the stored values',
      'AF=0.5;AC=4;DP=3;NS=4;AN=8\tGT\t0/0\t0/1\t1/1\t0/1',
      subset([1, 2]),
      'AF=0.75;AC=3;DP=3;NS=2;AN=4',
    ],
    ['after the other keys if they lack AC and AN', 'DP=3\tGT\t0/0\t0/1\t1/1\t0/1', subset([1]), 'DP=3;AC=1;AN=2'],
    ['without other keys', '.\tGT\t0/0\t0/1\t1/1\t0/1', subset([1]), 'AC=1;AN=2'],
    ['for each allele', 'AC=1,2;AF=0,0\tGT\t0/0\t1/2\t2/2\t0/1', subset([1, 2]), 'AC=1,3;AF=0.25,0.75;AN=4', 'C,G'],
    ['for missing genotypes', 'AC=1;AF=0;AN=2;NS=1\tGT\t./.\t0/1\t.\t0/1', subset([0, 2]), 'AC=0;AF=.;AN=0;NS=0'],
    ['for half-called and haploid genotypes', 'NS=4\tGT\t./1\t1\t0\t0/1', subset([0, 1]), 'NS=2;AC=2;AN=2'],
    ['for phased genotypes', '.\tGT\t0|1\t1|1\t0|0\t0/1', subset([0, 1]), 'AC=3;AN=4'],
    ['without AC and AF if there is no ALT', 'AC=1;AF=1;DP=3\tGT\t0/0\t0/0\t0\t.', subset([0, 2]), 'DP=3;AN=3', '.'],
    [
      'of what the header declares only',
      'AC=4;NS=4\tGT\t0/0\t0/1\t1/1\t0/1',
      subset([1], { aggregates: ['NS'] }),
      'AC=4;NS=1',
    ],
    [
      'of the keys that are kept only',
      'AC=4;NS=4\tGT\t0/0\t0/1\t1/1\t0/1',
      { ...subset([1]), notags: ['AC', 'AN'] },
      'NS=1',
    ],
    [
      'also if GT is dropped',
      'AC=4\tGT:DP\t0/0:1\t0/1:2\t1/1:3\t0/1:4',
      { ...subset([1]), tags: ['AC', 'DP'] },
      'AC=1',
    ],
    ['if GT follows other keys', '.\tDP:GT\t1:0/0\t2:0/1\t3:1/1\t4:.', subset([1, 3]), 'AC=1;AN=2'],
    ['never without GT', 'AC=4;AN=8\tDP\t1\t2\t3\t4', subset([1]), 'AC=4;AN=8'],
  ])('counts AC, AN, AF and NS again %s', (_, columns, selection, expected, alt) => {
    const [info] = selectBoth(columns, selection, alt).split('\t');
    expect(info).toBe(expected);
  });

  test('hides what INFO says about other samples', () => {
    const hidden = (samples: readonly number[]): VariantSelection => subset(samples, { hidesOthers: true });
    const columns = 'AC=4;DP=99;END=9;NS=4\tGT\t0/0\t0/1\t1/1\t0/1';
    expect(selectBoth(columns, hidden([1]))).toBe('AC=1;END=9;NS=1;AN=2\tGT\t0/1');
    expect(selectBoth(columns, hidden([]))).toBe('END=9');
    expect(selectBoth('AC=4;AN=8\tDP\t0\t1\t2\t3', hidden([1]))).toBe('.\tDP\t1');
    expect(selectBoth(columns, { ...hidden([1]), notags: ['END'] })).toBe('AC=1;NS=1;AN=2\tGT\t0/1');
  });

  test('rejects a record that lacks a kept sample, and a genotype with an allele that it lacks', () => {
    const rejects = (columns: string, selection: VariantSelection): void => {
      expect(() => selectVcf(columns, selection)).toThrow(expect.objectContaining({ code: 'INVALID_DATA' }));
    };
    rejects('.\tGT\t0/0', subset([1]));
    rejects('.\tGT', subset([0]));
    rejects('.', subset([0]));
    rejects('.\tGT\t0/2', subset([0]));
    rejects(`.\tGT\t${'9'.repeat(400)}`, subset([0]));
    rejects('.\tGT\t0/\v1', subset([0]));
    rejects('A\v=1\tGT\t0/1', subset([0]));
  });

  test('keeps the same samples of variants.vcf.gz and variants.bcf, in pieces of any length', () => {
    const vcf = bgunzip(readFixture('variants.vcf.gz'));
    const bcf = bgunzip(readFixture('variants.bcf'));
    const vcfHeader = parseVcfHeader(vcf);
    const bcfHeader = parseBcfHeader(bcf);
    const { samples, aggregates } = parseSampleHeader(vcfHeader.text);
    expect(samples.length).toBeGreaterThan(1);
    const lines = vcf.subarray(vcfHeader.byteLength);
    const records = bcf.subarray(bcfHeader.byteLength);
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...samples.keys()]),
        fc.boolean(),
        fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 5 }),
        (kept, hidesOthers, lengths) => {
          const selection = { subset: { samples: kept, aggregates, hidesOthers } };
          const text = passPieces(createVcfRewriter(selection), lines, lengths);
          const binary = passPieces(createBcfRewriter(selection, bcfHeader.strings), records, lengths);
          const header = selectHeaderSamples(bcfHeader.text, { samples: kept });
          const converted = passPieces(createBcfToVcf({ text: header }), binary);
          const normal = passPieces(
            createBcfToVcf({ text: header }),
            passPieces(createVcfToBcf({ text: header }), text),
          );
          expect(Buffer.from(converted).toString()).toBe(Buffer.from(normal).toString());
          expect(sampleColumns(text)).toEqual(sampleColumns(lines).map((row) => kept.map((index) => row[index])));
        },
      ),
      { numRuns: volume(200) },
    );
  });

  test('damaged records are rewritten or refused with a FormatError', () => {
    const vcf = bgunzip(readFixture('variants.vcf.gz'));
    const bcf = bgunzip(readFixture('variants.bcf'));
    const lines = vcf.subarray(parseVcfHeader(vcf).byteLength).subarray(0, 4000);
    const { byteLength, strings } = parseBcfHeader(bcf);
    let end = byteLength;
    while (end < byteLength + 4000) end += bcfRecordLength(bcf, end) ?? bcf.length;
    const records = bcf.subarray(byteLength, end);
    const outcomes = [
      ...Array.from(mutations(lines, { count: volume(5000), seed: 5 }), ({ bytes: damaged }) =>
        piecesOutcome(createVcfRewriter(subset([0, 2])), damaged),
      ),
      ...Array.from(mutations(records, { count: volume(5000), seed: 6 }), ({ bytes: damaged }) =>
        piecesOutcome(createBcfRewriter(subset([0, 2]), strings), damaged),
      ),
    ];
    const refused = outcomes.filter((outcome) => outcome.includes(' ')).length;
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThan(outcomes.length);
  });
});

function sampleColumns(lines: Uint8Array): string[][] {
  const records = Buffer.from(lines).toString().trimEnd().split('\n');
  return records.map((line) => line.split('\t').slice(9));
}

describe('parseSampleHeader', () => {
  test('finds samples, and the keys over all samples that are declared as the specification says', () => {
    expect(parseSampleHeader(HEADER)).toEqual({ samples: ['s0', 's1', 's2', 's3'], aggregates: [...COUNTED] });
    expect(parseSampleHeader(HEADER.replace('##INFO=<ID=AN', '##OTHER=<ID=AN')).aggregates).toEqual(['AC', 'AF', 'NS']);
    expect(parseSampleHeader(HEADER.replace('Type=Float', 'Type=String')).aggregates).toEqual(['AC', 'AN', 'NS']);
    expect(parseSampleHeader(HEADER.replace('\tFORMAT\ts0\ts1\ts2\ts3', '')).samples).toEqual([]);
    expect(() => parseSampleHeader('##fileformat=VCFv4.3\n')).toThrow('no line #CHROM');
    expect(() => parseSampleHeader(HEADER.replace('s3', 's0'))).toThrow('a sample is declared twice');
  });
});

describe('selectHeaderSamples', () => {
  test('keeps the columns of samples, and no column FORMAT without samples', () => {
    const [, line] = /\n(#CHROM.*\n)/.exec(selectHeaderSamples(HEADER, { samples: [1, 3] })) ?? [];
    expect(line).toBe('#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ts1\ts3\n');
    expect(selectHeaderSamples(HEADER, { samples: [] }).endsWith('\tFILTER\tINFO\n')).toBe(true);
    expect(selectHeaderSamples(HEADER.replaceAll('\n', '\r\n'), { samples: [0] }).endsWith('\tFORMAT\ts0\r\n')).toBe(
      true,
    );
  });

  test('leaves out the lines that name other samples on request', () => {
    const lines =
      '##SAMPLE=<ID=s1>\n##PEDIGREE=<ID=s1,Father=s2>\n##bcftools_viewCommand=view -s s1,s2 s1.vcf\n##note=s2\n';
    const text = HEADER.replace('##contig', `${lines}##contig`);
    expect(selectHeaderSamples(text, { samples: [0, 1, 2, 3] })).toBe(text);
    expect(selectHeaderSamples(text, { samples: [0, 1, 2, 3], hidesOthers: true })).toBe(HEADER);
  });
});
