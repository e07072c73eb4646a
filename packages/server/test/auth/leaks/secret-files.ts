import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { createSamToBam, parseSamHeader } from '@htskit/formats';
import { coveragePathOf } from '@htskit/htsget/internal';
import { indexBam, indexVcf } from '@htskit/indexes';
import { encodeText, toOwned } from '@htskit/io';
import type { Datatype } from '@htskit/protocol';
import { writeCoverageFile } from '../../../src/coverage/coverage-file.js';

export const SAMPLES = ['alphasample', 'betasample', 'gammasample'] as const;
/** The references are divided into cells of equal length, by number: the first ones are on c1. */
export const CELLS = [0, 1, 2, 3, 4, 5] as const;
export const CELL_BASES = 1000;
const CELLS_OF_REFERENCE = 3;
/** Distance of records, their offset in it, and the length of reads. */
export const SPACING = 200;
export const OFFSET = 10;
export const READ_BASES = 20;

export interface SecretObject {
  readonly datatype: Datatype;
  readonly id: string;
  /** The name of the file of its data. */
  readonly file: string;
  readonly indexType: 'bai' | 'tbi';
}

export const OBJECTS: readonly SecretObject[] = [
  { datatype: 'reads', id: 'd1/amber', file: 'd1/amber.bam', indexType: 'bai' },
  { datatype: 'variants', id: 'd1/basil', file: 'd1/basil.vcf.gz', indexType: 'tbi' },
  { datatype: 'reads', id: 'd2/cedar', file: 'd2/cedar.bam', indexType: 'bai' },
  { datatype: 'variants', id: 'd2/dills', file: 'd2/dills.vcf.gz', indexType: 'tbi' },
];

/** The name of an annotation file beside the objects of each folder, and its content. */
export const ANNOTATION = 'hidden-genes.gff3';

/** Returns the reference of a cell and where it begins. */
export function placeOf(cell: number): { readonly referenceName: string; readonly start: number } {
  const reference = Math.floor(cell / CELLS_OF_REFERENCE);
  return { referenceName: `c${reference + 1}`, start: (cell % CELLS_OF_REFERENCE) * CELL_BASES };
}

/** Returns whether a sample has reads in a cell: the first one has none on the first reference. All samples have variants. */
export function hasReads(sample: number, cell: number): boolean {
  return sample > 0 || cell >= CELLS_OF_REFERENCE;
}

/** A text that no other record has, whose object, sample and cell can be read from it. A site belongs to no sample. */
function markOf(object: number, { cell, sample }: { readonly cell: number; readonly sample?: number }): string {
  return `Qx${object}Sx${sample ?? '_'}Cx${cell}`;
}

interface Mark {
  readonly object: number;
  readonly sample: number | undefined;
  readonly cell: number;
}

/** Returns the different marks in a text. */
export function marksIn(text: string): Mark[] {
  const marks = new Set(text.match(/Qx\dSx[\d_]Cx\d/g));
  return [...marks].map((mark) => ({
    object: Number(mark[2]),
    sample: mark[5] === '_' ? undefined : Number(mark[5]),
    cell: Number(mark[8]),
  }));
}

const CONTIGS = [1, 2].map((name) => ({ name: `c${name}`, length: CELLS_OF_REFERENCE * CELL_BASES }));

/** Returns the records of all cells, in order. `start` is 0-based. */
function records(): { cell: number; referenceName: string; start: number }[] {
  return CELLS.flatMap((cell) => {
    const { referenceName, start } = placeOf(cell);
    const count = CELL_BASES / SPACING;
    return Array.from({ length: count }, (_, k) => ({ cell, referenceName, start: start + k * SPACING + OFFSET }));
  });
}

function toBam(object: number): Uint8Array {
  const header = [
    '@HD\tVN:1.6\tSO:coordinate',
    ...CONTIGS.map(({ name, length }) => `@SQ\tSN:${name}\tLN:${length}`),
    ...SAMPLES.map((name, sample) => `@RG\tID:g${sample}\tSM:${name}`),
    `@CO\tof ${SAMPLES.join()}\n`,
  ].join('\n');
  const reads = records().flatMap(({ cell, referenceName, start }) =>
    [...SAMPLES.keys()].flatMap((sample) => {
      const name = `${markOf(object, { cell, sample })}n${start}`;
      const fields = [name, 0, referenceName, start + 1, 60, `${READ_BASES}M`, '*', 0, 0];
      const line = [...fields, 'A'.repeat(READ_BASES), 'I'.repeat(READ_BASES), `RG:Z:g${sample}`].join('\t');
      return hasReads(sample, cell) ? [`${line}\n`] : [];
    }),
  );
  const converter = createSamToBam(parseSamHeader(encodeText(header)));
  const data = converter.push(encodeText(reads.join(''))).map(toOwned);
  return Buffer.concat([converter.header, ...data, ...converter.finish().map(toOwned)]);
}

function toVcf(object: number): Uint8Array {
  const header = [
    '##fileformat=VCFv4.3',
    ...CONTIGS.map(({ name, length }) => `##contig=<ID=${name},length=${length}>`),
    '##FORMAT=<ID=X,Number=1,Type=String,Description="">',
    `#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t${SAMPLES.join('\t')}\n`,
  ].join('\n');
  const lines = records().map(({ cell, referenceName, start }) => {
    const values = [...SAMPLES.keys()].map((sample) => markOf(object, { cell, sample }));
    return `${[referenceName, start + 1, markOf(object, { cell }), 'A', 'C', '.', '.', '.', 'X', ...values].join('\t')}\n`;
  });
  return encodeText(header + lines.join(''));
}

/** Compresses to blocks of few records, so that places within a file can be told apart by blocks. */
function compress(data: Uint8Array): Uint8Array {
  const blocks: Uint8Array[] = [];
  for (let at = 0; at < data.length; at += 500) blocks.push(deflateBlocks(data.subarray(at, at + 500)));
  return Buffer.concat([...blocks, EOF_MARKER]);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}

/** Writes the objects with their indexes, the depth of the reads, and annotations to a folder. */
export async function writeSecretFiles(folder: string): Promise<void> {
  for (const [object, { datatype, file, indexType }] of OBJECTS.entries()) {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    const bytes = compress(datatype === 'reads' ? toBam(object) : toVcf(object));
    writeFileSync(path, bytes);
    writeFileSync(`${path}.${indexType}`, await (datatype === 'reads' ? indexBam : indexVcf)(once(bytes)));
    if (datatype === 'reads') {
      const options = { workers: 0, signal: new AbortController().signal, onWarning: () => undefined };
      await writeCoverageFile(path, coveragePathOf(path), options);
    }
    writeFileSync(join(dirname(path), ANNOTATION), `##gff-version 3\n# ${ANNOTATION}\n`);
  }
}
