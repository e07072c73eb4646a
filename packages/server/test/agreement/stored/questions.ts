import { openAlignments, openTabix, openVariants } from '@htskit/records';
import { localQuery, regionsOf, type TestRegion } from '../../interop-files.js';
import { lines } from '../../interop-tools.js';
import { runCommand } from '../../run-command.js';
import { type Answer, orNull } from '../agreement.js';
import type { Call } from '../judge.js';
import type { StoredFile } from './stored-files.js';

/** An answer of htskit about a file, and the calls for the same answer of htslib, which the last one prints. */
export interface Question {
  readonly what: string;
  readonly ours: Answer;
  readonly calls: readonly Call[];
}

/** Random regions of each file, besides those at the edges of references. */
const RANDOM_REGIONS = 6;

/** Asks for the text of BAM or CRAM with its header, the records of regions, and the text of the BAM that it is converted to. */
export async function askAlignments(file: StoredFile): Promise<Question[]> {
  const { path, fasta } = file;
  const reference = fasta === undefined ? [] : ['-T', fasta];
  const printAll: Call = ['samtools', 'view', '-h', '--no-PG', ...reference, path];
  const text = await view('-h', path, ...reference);
  const converted = `${path}-htskit.bam`;
  const isConverted = (await view('-b', '-o', converted, path, ...reference)) !== null;
  const questions: Question[] = [
    { what: 'text', ours: text, calls: [printAll] },
    {
      what: 'number of records',
      ours: await view('-c', path, ...reference),
      calls: [['samtools', 'view', '-c', ...reference, path]],
    },
    { what: 'our BAM', ours: isConverted ? text : null, calls: [['samtools', 'view', '-h', '--no-PG', converted]] },
  ];
  const opened = await openAlignments(path);
  const records = (text ?? []).filter((line) => !line.startsWith('@'));
  for (const region of regionsIn(file, 'reads', opened.references, records)) {
    const calls: Call[] = [['samtools', 'view', ...reference, ...localQuery({ path, datatype: 'reads' }, region, '')]];
    questions.push({ what: textOf(region), ours: await view(path, textOf(region), ...reference), calls });
  }
  await opened.close();
  return questions;
}

/**
 * Asks for the records of VCF or BCF, of regions, and of the BCF that it is converted to. Records of VCF are compared as they are
 * after a conversion to BCF and back: `view` prints lines as they are stored, but bcftools formats their numbers anew.
 */
export async function askVariants(file: StoredFile): Promise<Question[]> {
  const { path } = file;
  const converted = `${path}-htskit.bcf`;
  const part = `${path}-part.bcf`;
  const print = (...args: string[]): Call[] => [['bcftools', 'view', '--no-version', ...args]];
  const convert = async (target: string, ...regions: string[]): Promise<Answer> => {
    const isConverted = (await view('-b', '-o', target, path, ...regions)) !== null;
    return isConverted ? view('--without-header', target) : null;
  };
  const questions: Question[] = [
    { what: 'records as BCF', ours: await convert(converted), calls: print('-H', path) },
    { what: 'our BCF', ours: await view('--with-header', converted), calls: print(converted) },
  ];
  if (path.endsWith('.bcf'))
    questions.push({ what: 'text', ours: await view('--with-header', path), calls: print(path) });
  const opened = await openVariants(path, { onWarning: () => undefined });
  const records = (await view('--without-header', path)) ?? [];
  for (const [index, region] of regionsIn(file, 'variants', opened.references, records).entries()) {
    const query = localQuery({ path, datatype: 'variants' }, region, `${path}-${index}.bed`);
    questions.push({ what: textOf(region), ours: await convert(part, textOf(region)), calls: print('-H', ...query) });
  }
  await opened.close();
  return questions;
}

/** Asks for the lines of regions of a file with an index of tabix. */
export async function askLines(file: StoredFile): Promise<Question[]> {
  const opened = await openTabix(file.path);
  const all = await linesOf(opened.records());
  const questions: Question[] = [{ what: 'lines', ours: all, calls: [['tabix', 'fetch', file.path]] }];
  for (const region of regionsIn(file, 'variants', opened.references, all)) {
    const { referenceName, start = 0, end = 2 ** 31 - 1 } = region;
    const calls: Call[] = [['tabix', 'fetch', file.path, referenceName, String(start), String(end)]];
    questions.push({
      what: `lines of ${textOf(region)}`,
      ours: await orNull(() => linesOf(opened.records(region))),
      calls,
    });
  }
  await opened.close();
  return questions;
}

async function linesOf(records: AsyncIterable<{ readonly line: string }>): Promise<string[]> {
  const found: string[] = [];
  for await (const { line } of records) found.push(line);
  return found;
}

/** Returns the lines that `htskit view` prints, or null if it fails. */
async function view(...args: readonly string[]): Promise<string[] | null> {
  const { code, stdout } = await runCommand(['view', '--quiet', ...args]);
  return code === 0 ? lines(stdout) : null;
}

function regionsIn(
  { path, isIndexed }: StoredFile,
  datatype: 'reads' | 'variants',
  references: readonly { readonly name: string; readonly length: number | undefined }[],
  records: readonly string[],
): TestRegion[] {
  if (!isIndexed) return [];
  const withLengths = references.map(({ name, length = 250_000_000 }) => ({ name, length }));
  const regions = regionsOf({ path, datatype }, { references: withLengths, records, count: RANDOM_REGIONS });
  // Texts of regions have at least one base.
  return regions.filter(({ start, end }) => end === undefined || end > (start ?? 0));
}

function textOf({ referenceName, start, end }: TestRegion): string {
  if (start === undefined) return referenceName === '*' ? '*' : `{${referenceName}}`;
  return `{${referenceName}}:${start + 1}-${end ?? ''}`;
}
