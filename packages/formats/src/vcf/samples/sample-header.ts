import { invalidData } from '../../format-error.js';
import { entryValue, parseHeaderLine } from '../header-line.js';
import { AGGREGATE_KEYS, type AggregateKey } from './allele-counts.js';

const SITE_COLUMNS = 8;
const COLUMNS_START = '#CHROM\t';
/** A line whose key is not one of those that describe sites (VCFv4.5 §1.4). */
const OTHER_LINE =
  /(?<![^\n])##(?!(?:fileformat|fileDate|reference|assembly|seqcol|contig|FILTER|INFO|FORMAT|ALT)=)[^\n]*\n/g;
/** The types of the keys that are counted (VCFv4.3 §1.6.1). */
const AGGREGATE_TYPES: Readonly<Record<AggregateKey, string>> = {
  AC: 'Integer',
  AN: 'Integer',
  AF: 'Float',
  NS: 'Integer',
};

/** The facts about the header of a variant file that selecting samples needs. */
export interface SampleHeader {
  /** The names of the samples, in the order of their columns. */
  readonly samples: readonly string[];
  /** The INFO keys over all samples that the header declares with the type that the specification gives them. */
  readonly aggregates: readonly AggregateKey[];
}

/**
 * Parses the samples of the text of a VCF or BCF header. Throws `FormatError` `INVALID_DATA` for a header without a line `#CHROM`, and
 * for one that declares a sample twice.
 */
export function parseSampleHeader(text: string): SampleHeader {
  const { start, columns } = findColumns(text);
  const samples = columns.slice(SITE_COLUMNS + 1);
  if (new Set(samples).size < samples.length) throw invalidData('a sample is declared twice', start);
  return { samples, aggregates: AGGREGATE_KEYS.filter((key) => declaresAggregate(text, key)) };
}

function declaresAggregate(text: string, key: AggregateKey): boolean {
  // The first declaration of a key counts.
  for (const [line] of text.matchAll(/(?<![^\n])##INFO=<[^\r\n]*/g)) {
    const parsed = parseHeaderLine(line);
    if (parsed === undefined || entryValue(parsed, 'ID') !== key) continue;
    return entryValue(parsed, 'Type') === AGGREGATE_TYPES[key];
  }
  return false;
}

/** Which samples a header keeps. */
export interface HeaderSelection {
  /** The indexes of the samples to keep, each once, in the order in which they are written. */
  readonly samples: readonly number[];
  /**
   * Whether lines that may name other samples are left out: `##SAMPLE`, `##PEDIGREE`, the command lines of programs, and all that do
   * not describe sites. Default false.
   */
  readonly hidesOthers?: boolean;
}

/**
 * Returns the text of a VCF or BCF header with some of its samples, and without the column FORMAT if there are none. Throws what
 * `parseSampleHeader` throws.
 */
export function selectHeaderSamples(text: string, { samples, hidesOthers = false }: HeaderSelection): string {
  const { start, end, columns } = findColumns(text);
  const names = columns.slice(SITE_COLUMNS + 1);
  const kept = samples.map((index) => names[index] ?? '');
  const siteColumns = columns.slice(0, SITE_COLUMNS);
  const line = kept.length === 0 ? siteColumns : [...siteColumns, 'FORMAT', ...kept];
  const declarations = text.slice(0, start);
  return `${hidesOthers ? siteLines(declarations) : declarations}${line.join('\t')}${text.slice(end)}`;
}

function siteLines(lines: string): string {
  return lines.replaceAll(OTHER_LINE, '');
}

/** Returns the place and the columns of the line `#CHROM`. */
function findColumns(text: string): { readonly start: number; readonly end: number; readonly columns: string[] } {
  const start = text.startsWith(COLUMNS_START) ? 0 : text.indexOf(`\n${COLUMNS_START}`) + 1;
  if (!text.startsWith(COLUMNS_START, start)) throw invalidData('header has no line #CHROM', text.length);
  const lineFeed = text.indexOf('\n', start);
  const lineEnd = lineFeed === -1 ? text.length : lineFeed;
  const end = text[lineEnd - 1] === '\r' ? lineEnd - 1 : lineEnd;
  const columns = text.slice(start, end).split('\t');
  if (columns.length < SITE_COLUMNS) throw invalidData('columns of the line #CHROM are not those of VCF', start);
  return { start, end, columns };
}
