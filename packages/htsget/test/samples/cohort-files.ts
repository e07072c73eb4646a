import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { createSamToBam, createVcfToBcf, parseSamHeader } from '@htskit/formats';
import { indexBam, indexBcf, indexVcf } from '@htskit/indexes';
import { encodeText, toOwned } from '@htskit/io';
import { memorySource } from '@htskit/storage/memory';
import type { StoredFile, StoredFormat } from '../../src/index.js';

/** The samples of the files. Each has numbers of its own, so that they can be searched for. */
export const SAMPLES = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'] as const;
export const RECORD_COUNT = 300;
const SPACING = 100;

/** The value of FORMAT/X, and the position in the name of a read: no other number of the files has it. */
export function codeOf(sample: number, record: number): number {
  return 7_000_000 + sample * 10_000 + record;
}

/** The alleles of a sample in a record. */
export function genotypeOf(sample: number, record: number): string {
  return `${(sample + record) % 2}/${(sample * record) % 3}`;
}

const VCF_HEADER = [
  '##fileformat=VCFv4.3',
  '##contig=<ID=c,length=100000>',
  '##INFO=<ID=AC,Number=A,Type=Integer,Description="">',
  '##INFO=<ID=AN,Number=1,Type=Integer,Description="">',
  '##INFO=<ID=DP,Number=1,Type=Integer,Description="">',
  '##INFO=<ID=END,Number=1,Type=Integer,Description="">',
  '##FORMAT=<ID=GT,Number=1,Type=String,Description="">',
  '##FORMAT=<ID=X,Number=1,Type=Integer,Description="">',
  ...SAMPLES.map((name) => `##SAMPLE=<ID=${name}>`),
  `#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t${SAMPLES.join('\t')}\n`,
].join('\n');

/** The line of a record with its INFO and some of its samples. */
export function vcfLine(record: number, info: string, samples: readonly number[]): string {
  const columns = samples.map((sample) => `${genotypeOf(sample, record)}:${codeOf(sample, record)}`);
  return [
    'c',
    1 + record * SPACING,
    '.',
    'A',
    'C,G',
    '.',
    '.',
    info,
    ...(samples.length > 0 ? ['GT:X'] : []),
    ...columns,
  ].join('\t');
}

/** INFO of the stored records: an aggregate of all samples that cannot be counted again, and one that can. */
export function storedInfo(record: number): string {
  return `AC=1,1;AN=10;DP=${9_000_000 + record}`;
}

const ALL = [...SAMPLES.keys()];
const vcf =
  VCF_HEADER +
  Array.from({ length: RECORD_COUNT }, (_, record) => `${vcfLine(record, storedInfo(record), ALL)}\n`).join('');

const SAM_HEADER = [
  '@HD\tVN:1.6\tSO:coordinate',
  '@SQ\tSN:c\tLN:100000',
  // Each sample has two read groups.
  ...SAMPLES.flatMap((name, sample) => [0, 1].map((lane) => `@RG\tID:g${sample}.${lane}\tSM:${name}`)),
  ...SAMPLES.map((name, index) => `@PG\tID:p${index}\tPN:map\tCL:map -s ${name}`),
  '@CO\tof alpha, beta, gamma, delta, epsilon\n',
].join('\n');

export interface Read {
  readonly name: string;
  readonly sample: number | undefined;
  readonly record: number;
  readonly flags: number;
  readonly mappingQuality: number;
}

/** Reads of the samples in turn, and one in six without a read group. */
export const READS: readonly Read[] = Array.from({ length: 10 * RECORD_COUNT }, (_, index) => {
  const sample = index % 6 === 5 ? undefined : index % 6;
  const record = Math.floor(index / 10);
  return {
    name: `r${codeOf(sample ?? 9, record)}`,
    sample,
    record,
    flags: [0, 16, 1024, 2048, 256][index % 5] ?? 0,
    mappingQuality: (7 * index) % 61,
  };
});

const sam = READS.map(({ name, sample, record, flags, mappingQuality }, index) => {
  const group = sample === undefined ? [] : [`RG:Z:g${sample}.${index % 2}`];
  const fields = [
    name,
    flags,
    'c',
    1 + record * SPACING,
    mappingQuality,
    '20M',
    '*',
    0,
    0,
    'ACGTACGTACGTACGTACGT',
    'I'.repeat(20),
  ];
  return `${[...fields, ...group].join('\t')}\n`;
}).join('');

function toBam(): Uint8Array {
  const converter = createSamToBam(parseSamHeader(encodeText(SAM_HEADER)));
  return Buffer.concat([
    converter.header,
    ...converter.push(encodeText(sam)).map(toOwned),
    ...converter.finish().map(toOwned),
  ]);
}

function toBcf(): Uint8Array {
  const converter = createVcfToBcf({ text: VCF_HEADER });
  const records = converter.push(encodeText(vcf.slice(VCF_HEADER.length))).map(toOwned);
  return Buffer.concat([converter.header, ...records, ...converter.finish().map(toOwned)]);
}

const INDEXERS = { BAM: indexBam, VCF: indexVcf, BCF: indexBcf };

async function store(format: Exclude<StoredFormat, 'CRAM'>, data: Uint8Array): Promise<StoredFile> {
  // Blocks of 7,000 bytes: records cross them, and the header ends within one.
  const blocks: Uint8Array[] = [];
  for (let at = 0; at < data.length; at += 7000) blocks.push(deflateBlocks(data.subarray(at, at + 7000)));
  const bytes = Buffer.concat([...blocks, EOF_MARKER]);
  const index = await INDEXERS[format](once(bytes));
  return {
    format,
    data: memorySource(new Uint8Array(bytes), { key: format, version: '1' }),
    index: memorySource(index, { key: `${format} index`, version: '1' }),
  };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}

/** The files of the same samples. */
export const COHORT: Readonly<Record<string, readonly StoredFile[]>> = {
  bam: [await store('BAM', toBam())],
  vcf: [await store('VCF', encodeText(vcf))],
  bcf: [await store('BCF', toBcf())],
};
