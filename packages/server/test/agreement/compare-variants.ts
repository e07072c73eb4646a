import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agreement, type Answer, createFiles, type Decision, orNull } from './agreement.js';
import { createBcf } from './bcf-files.js';
import { type Call, judge } from './judge.js';
import {
  bgzip,
  declarations,
  type ReadRecord,
  readBcf,
  readVcf,
  recordLines,
  toBcf,
  toVcf,
} from './variant-answers.js';
import { createVcf } from './vcf-files.js';

const encoder = new TextEncoder();

const VCF_DECISIONS: readonly Decision[] = [
  {
    what: 'quotes around ID, Number, Type, length and IDX are not a part of the value',
    explains: (source) => /^##(contig|INFO|FORMAT|FILTER)=<.*(ID|Number|Type|length|IDX)= *"/m.test(source),
  },
  {
    what: 'GT has alleles, whatever type its declaration has',
    explains: (source) => /^##FORMAT=<ID=GT.*Type=(?!String|Character)/m.test(source),
  },
  {
    what: 'an empty number is missing, not 0',
    explains: (source) => /[:,\t](?=[:,\t\r\n])/.test(source),
  },
  {
    what: 'a contig is declared even if its length is not a number, which is left out',
    explains: (source) => /^##contig=.*length=( *(?!\d)|\d+[^,>\d])/im.test(source),
  },
];

/** A file, its text for messages, and what htskit makes of it: null for what it refuses. */
interface VariantCase {
  readonly seed: number;
  readonly source: string;
  readonly path: string;
  readonly oursPath: string;
  readonly bcf: Uint8Array | null;
  readonly vcf: string | null;
}

/** Compares conversions of VCF to BCF and back, the ends of records, and what views of lines and of records answer. */
export async function compareVcf(python: string, folder: string): Promise<void> {
  const agreement = new Agreement(VCF_DECISIONS);
  const files: VariantCase[] = [];
  for (const { text, seed } of createFiles(createVcf)) {
    const [path, oursPath] = [join(folder, `${seed}.vcf.gz`), join(folder, `${seed}-vcf.bcf`)];
    writeFileSync(path, bgzip(encoder.encode(text)));
    const bcf = await orNull(() => toBcf(text));
    const vcf = bcf === null ? null : await orNull(() => toVcf(bcf));
    files.push({ seed, source: text, path, oursPath, bcf, vcf });
  }
  for (const [file, { made, printed, ofOurs, ends }] of await judgeVariants(python, folder, files)) {
    const { seed, source, bcf, vcf } = file;
    const compare = (what: string, ours: Answer, theirs: Answer): void =>
      agreement.compare(`${what} (seed ${seed})`, source, { ours, theirs });
    const theirs = made === null ? null : printed;
    compare('records', linesOf(vcf), linesOf(theirs));
    if (bcf === null || vcf === null) continue;
    // bcftools leaves out lines that repeat a declaration.
    const missing = declarations(theirs ?? '').filter((line) => !vcf.includes(`${line}\n`));
    compare('missing declarations', missing, []);
    compare('records of our BCF', linesOf(vcf), linesOf(ofOurs));
    const records = readBcf(bcf);
    compare('views of records and of lines', records, readVcf(vcf));
    if (theirs !== null && ends !== null) compare('ends', records.map(endOf), endsOf(ends));
  }
  agreement.check(0.6);
}

/** Compares the text of BCF, its conversion to VCF and back, the ends of records, and what views of both answer. */
export async function compareBcf(python: string, folder: string): Promise<void> {
  const agreement = new Agreement([]);
  const bytesOf = new Map<number, Uint8Array>();
  const files: VariantCase[] = [];
  for (const { bytes, text, seed } of createFiles(createBcf)) {
    const [path, oursPath] = [join(folder, `${seed}.bcf`), join(folder, `${seed}-bcf.bcf`)];
    writeFileSync(path, bgzip(bytes));
    bytesOf.set(seed, bytes);
    const vcf = await orNull(() => toVcf(bytes));
    const bcf = vcf === null ? null : await orNull(() => toBcf(vcf));
    files.push({ seed, source: text, path, oursPath, bcf, vcf });
  }
  for (const [file, { made, printed, ofOurs, ends }] of await judgeVariants(python, folder, files)) {
    const { seed, source, bcf, vcf } = file;
    const compare = (what: string, ours: Answer, theirs: Answer): void =>
      agreement.compare(`${what} (seed ${seed})`, source, { ours, theirs });
    const theirs = made === null ? null : linesOf(printed)?.map(asDecided);
    compare('records', linesOf(vcf), theirs ?? null);
    if (vcf === null || theirs === null) continue;
    const records = await orNull(() => readBcf(bytesOf.get(seed) ?? new Uint8Array(0)));
    compare('ends', records?.map(endOf) ?? null, endsOf(ends ?? ''));
    if (bcf === null) continue;
    compare('records of our BCF', linesOf(toVcf(bcf)), linesOf(ofOurs)?.map(asDecided) ?? null);
    compare('views of records and of lines', readBcf(bcf), readVcf(vcf));
  }
  agreement.check(0.6);
}

/** What bcftools answers: what it prints of the BCF that it makes of a file, and of ours, and the ends of the records. */
interface VariantAnswers {
  readonly made: string | null;
  readonly printed: string | null;
  readonly ofOurs: string | null;
  readonly ends: string | null;
}

async function judgeVariants(
  python: string,
  folder: string,
  files: readonly VariantCase[],
): Promise<[VariantCase, VariantAnswers][]> {
  const calls = files.map(({ path, oursPath, bcf }): readonly Call[] => {
    if (bcf !== null) writeFileSync(oursPath, bgzip(bcf));
    const theirsPath = `${path}.bcf`;
    return [
      ['bcftools', 'view', '--no-version', '-Ob', '-o', theirsPath, path],
      ['bcftools', 'view', '--no-version', theirsPath],
      ['bcftools', 'view', '--no-version', oursPath],
      ['bcftools', 'query', '-f', '%POS0\t%END\n', theirsPath],
    ];
  });
  const answers = await judge(python, folder, calls);
  return files.map((file, index) => {
    const [made = null, printed = null, ofOurs = null, ends = null] = answers[index] ?? [];
    return [file, { made, printed, ofOurs, ends }];
  });
}

function linesOf(text: string | null): string[] | null {
  return text === null ? null : recordLines(text);
}

function endOf({ start, end }: ReadRecord): string {
  return `${start}\t${end}`;
}

/** Returns the ends as bcftools prints them. A telomere ends on the first base, as regions of bcftools have it. */
function endsOf(printed: string): string[] {
  const lines = printed.split('\n').slice(0, -1);
  return lines.map((line) => line.replace(/^-1\t0$/, '-1\t1'));
}

/** Numbers of GT that bcftools 1.24 prints for the missing values of 8, 16 and 32 bits. */
const MISSING_ALLELES = '-(?:65|16385|1073741825)';
const MISSING_ALLELE = new RegExp(`(?<=[\\t/|])${MISSING_ALLELES}(?=[/|:\\t]|$)`, 'g');
const MISSING_GENOTYPE = new RegExp(`(?<=\\t)/${MISSING_ALLELES}(?=[:\\t]|$)`, 'g');

/**
 * Returns a line of bcftools with what was decided on: a value without elements is `.`, not empty, which readers take for 0; a
 * missing allele is `.`, not a negative number; NUL ends a text, and a missing character is `.`.
 */
function asDecided(line: string): string {
  const columns = line.split('\t').map((column, index) => {
    if (index < 7) return column;
    const values = column
      .replaceAll('\0', '')
      .replaceAll('\x07', '.')
      .replaceAll(/=(?=;|$)/g, '=.');
    if (index < 9) return values;
    return values
      .split(':')
      .map((value) => (value === '' ? '.' : value))
      .join(':');
  });
  return columns.join('\t').replaceAll(MISSING_GENOTYPE, '.').replaceAll(MISSING_ALLELE, '.');
}
