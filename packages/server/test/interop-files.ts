import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Datatype, HtsgetFormat } from '@htskit/protocol';
import { createRandom, fixturePath } from '@htskit/testing';
import { lines, runTool } from './interop-tools.js';

/** A file in one of the formats that it is answered in. */
export interface AnswerCase {
  readonly name: string;
  readonly folder: string;
  readonly path: string;
  readonly id: string;
  readonly datatype: Datatype;
  readonly format: HtsgetFormat;
  /** Whether it was written by others. */
  readonly isExternal: boolean;
}

/** Bases of one reference; `*` alone stands for unplaced reads. */
export interface TestRegion {
  readonly referenceName: string;
  readonly start?: number;
  readonly end?: number;
}

export interface TestReference {
  readonly name: string;
  readonly length: number;
}

const external = process.env['HTSKIT_EXTERNAL_DATA'];
export const folders: readonly string[] = [fixturePath('.'), ...(external === undefined ? [] : [external])];

/** With extra gzip subfields, which SAMv1 §4.1 allows: samtools reads the file in order, and can neither index it nor seek. */
const UNSEEKABLE_FOR_SAMTOOLS = ['extra-subfield.bam'];

const ANSWERS: Readonly<Record<string, readonly [Datatype, readonly HtsgetFormat[]]>> = {
  '.bam': ['reads', ['BAM']],
  '.cram': ['reads', ['CRAM']],
  '.vcf.gz': ['variants', ['VCF', 'VCFTEXT']],
  '.bcf': ['variants', ['BCF']],
};

export const cases: readonly AnswerCase[] = folders.flatMap((folder) =>
  readdirSync(folder).flatMap((file) => {
    const extension = Object.keys(ANSWERS).find((each) => file.endsWith(each)) ?? '';
    const [datatype, formats] = ANSWERS[extension] ?? ['reads', []];
    if (UNSEEKABLE_FOR_SAMTOOLS.includes(file)) return [];
    return formats.map((format) => ({
      name: `${file} as ${format}`,
      folder,
      path: join(folder, file),
      id: basename(file, extension),
      datatype,
      format,
      isExternal: folder === external,
    }));
  }),
);

/** Copies CRAM fixtures to a folder, where each is the only format of its object and is answered as BAM. */
export function copyCrams(folder: string, names: readonly `${string}.cram`[]): AnswerCase[] {
  return names.map((file) => {
    for (const name of [file, `${file}.crai`]) copyFileSync(fixturePath(name), join(folder, name));
    const id = basename(file, '.cram');
    return {
      name: `${file} as BAM`,
      folder,
      path: join(folder, file),
      id,
      datatype: 'reads',
      format: 'BAM',
      isExternal: false,
    };
  });
}

/** The references of a file, as its tool prints them. */
export async function referencesOf({ path, datatype }: AnswerCase): Promise<TestReference[]> {
  if (datatype === 'reads') {
    const header = lines(await runTool(['samtools', 'view', '-H', path])).filter((line) => line.startsWith('@SQ'));
    return header.map((line) => ({
      name: /\tSN:([^\t]+)/.exec(line)?.[1] ?? '',
      length: Number(/\tLN:(\d+)/.exec(line)?.[1]),
    }));
  }
  const header = lines(await runTool(['bcftools', 'view', '-h', path])).filter((line) => line.startsWith('##contig'));
  return header.map((line) => ({
    name: /[<,]ID=([^,>]+)/.exec(line)?.[1] ?? '',
    length: Number(/[<,]length=(\d+)/.exec(line)?.[1] ?? 250_000_000),
  }));
}

/**
 * How the tool prints the records of a file. CRAM that needs a reference is decoded with one of the right lengths and
 * wrong bases: the same on both sides.
 */
export function viewCommand({ datatype, format, isExternal }: AnswerCase, decoding: readonly string[]): string[] {
  if (datatype === 'variants') return ['bcftools', 'view', '-H'];
  return ['samtools', 'view', ...(format === 'CRAM' && isExternal ? decoding : [])];
}

/** No reference has more bases. */
export const WHOLE: number = 2 ** 31 - 1;

/**
 * The arguments with which the tool reads a region of the local file. bcftools reads names with colons from nothing but a
 * BED file, which is written.
 */
export function localQuery(
  { path, datatype }: Pick<AnswerCase, 'path' | 'datatype'>,
  { referenceName, start = 0, end }: TestRegion,
  bedPath: string,
): string[] {
  if (referenceName === '*') return [path, '*'];
  if (datatype === 'reads') return [path, `{${referenceName}}:${start + 1}-${end ?? ''}`];
  writeFileSync(bedPath, `${referenceName}\t${start}\t${end ?? WHOLE}\n`);
  return ['-R', bedPath, path];
}

/** More bases than this are not made up; without their bases, the records of such a file need no reference. */
const MOST_BASES = 10_000_000;

/** Options of samtools with which records of a CRAM file are printed without its reference. */
export function decodingWithoutReference(references: readonly TestReference[], fastaPath: string): string[] {
  if (references.reduce((sum, { length }) => sum + length, 0) > MOST_BASES) {
    return ['--input-fmt-option', 'required_fields=0x1ff'];
  }
  let fasta = '';
  let index = '';
  for (const { name, length } of references) {
    fasta += `>${name}\n`;
    index += `${[name, length, fasta.length, length, length + 1].join('\t')}\n`;
    fasta += `${'A'.repeat(length)}\n`;
  }
  writeFileSync(fastaPath, fasta);
  // Here already, since two commands at the same time would each write it.
  writeFileSync(`${fastaPath}.fai`, index);
  return ['-T', fastaPath, '--input-fmt-option', 'ignore_md5=1'];
}

/** Regions of a file: whole references, at their edges and beyond, empty ones, and random ones, most of them near records. */
export function regionsOf(
  { path, datatype }: Pick<AnswerCase, 'path' | 'datatype'>,
  {
    references,
    records,
    count,
  }: {
    readonly references: readonly TestReference[];
    readonly records: readonly string[];
    readonly count: number;
  },
): TestRegion[] {
  const unplaced = datatype === 'reads' ? [{ referenceName: '*' }] : [];
  if (references.length === 0) return unplaced;
  const random = createRandom(basename(path).length * 7 + count);
  const pick = <T>(values: readonly T[], fallback: T): T => values[Math.floor(random() * values.length)] ?? fallback;
  const positions = positionsOf(records, datatype, references);
  const edges = references
    .slice(0, 4)
    .flatMap(({ name: referenceName, length }) => [
      { referenceName },
      { referenceName, start: 0, end: 1 },
      { referenceName, start: length - 1, end: length },
      { referenceName, start: Math.floor(length / 2) },
      { referenceName, start: 0, end: length + 1000 },
      { referenceName, start: length, end: length + 1000 },
      { referenceName, start: Math.floor(length / 3), end: Math.floor(length / 3) },
    ]);
  const some = Array.from({ length: count }, () => {
    const near = random() < 0.85 && positions.length > 0;
    const { name: referenceName, length } = pick(references, { name: '', length: 1 });
    const place = near
      ? pick(positions, { referenceName, position: 0 })
      : { referenceName, position: Math.floor(random() * length) };
    const width = random() < 0.3 ? 1 : 1 + Math.floor(2 ** (random() * 16));
    const shift = random() < 0.5 ? Math.floor(random() * 3) - 1 : Math.floor((random() - 0.5) * 2 * width);
    const start = Math.max(0, place.position + shift);
    return { referenceName: place.referenceName, start, end: start + width };
  });
  return [...unplaced, ...edges, ...some];
}

/** Returns the 0-based starts of the records. */
function positionsOf(records: readonly string[], datatype: Datatype, references: readonly TestReference[]) {
  const [nameColumn, positionColumn] = datatype === 'reads' ? [2, 3] : [0, 1];
  const names = new Set(references.map(({ name }) => name));
  return records.flatMap((record) => {
    const columns = record.split('\t', 5);
    const [referenceName = '', position] = [columns[nameColumn], Number(columns[positionColumn]) - 1];
    return names.has(referenceName) && position >= 0 ? [{ referenceName, position }] : [];
  });
}
