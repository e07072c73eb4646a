import { isEncryptedPath } from '@htskit/io/internal';
import type { AlignmentFile, VariantFile } from '@htskit/records';
import { InvalidArgumentError } from 'commander';
import { type NamedFormat, namedFormat } from '../../files/named-format.js';
import { UsageError } from '../../usage-error.js';

/** An open file of reads or variants. */
export type ViewedFile = AlignmentFile | VariantFile;

/** The formats that records are written in. */
const OUTPUT_FORMATS = [
  'sam',
  'sam.gz',
  'bam',
  'vcf',
  'vcf.gz',
  'bcf',
  'arrow',
  'parquet',
] as const satisfies NamedFormat[];

export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** Formats of tables, which hold records of any kind, and no header. */
const TABLE_FORMATS = ['arrow', 'parquet'] as const satisfies OutputFormat[];

export type TableFormat = (typeof TABLE_FORMATS)[number];

const READ_FORMATS: readonly OutputFormat[] = ['sam', 'sam.gz', 'bam'];
/** Formats that a terminal can show. */
const TEXT_FORMATS: readonly OutputFormat[] = ['sam', 'vcf'];

/** The letters of bcftools for formats; `u` is BCF without compression. */
const FORMAT_LETTERS: Readonly<Record<string, RequestedFormat>> = {
  b: { format: 'bcf' },
  u: { format: 'bcf', level: 0 },
  z: { format: 'vcf.gz' },
  v: { format: 'vcf' },
};

/** The values of `--output-format`. */
export const OUTPUT_WORDS: readonly string[] = [...OUTPUT_FORMATS, ...Object.keys(FORMAT_LETTERS)];

/** A format to write, and the compression level if it is not the default. */
export interface RequestedFormat {
  readonly format: OutputFormat | 'binary';
  readonly level?: number;
}

/** Parses a value of `--output-format`: a word in any letter case, or a letter of bcftools, which a compression level may follow. */
export function parseOutputFormat(text: string): RequestedFormat {
  const format = OUTPUT_FORMATS.find((each) => each === text.toLowerCase());
  if (format !== undefined) return { format };
  const [, letter = '', level] = /^([a-z])(\d)?$/.exec(text) ?? [];
  const requested = FORMAT_LETTERS[letter];
  if (requested === undefined) throw new InvalidArgumentError(`Allowed choices are ${OUTPUT_WORDS.join(', ')}.`);
  return level === undefined ? requested : { ...requested, level: Number(level) };
}

/** The parts of the output. */
export type OutputPart = 'header' | 'records' | 'all';

export function isAlignments(file: ViewedFile): file is AlignmentFile {
  return file.format === 'BAM' || file.format === 'CRAM';
}

export function isText(format: OutputFormat): boolean {
  return TEXT_FORMATS.includes(format);
}

export function isTable(format: OutputFormat): format is TableFormat {
  return TABLE_FORMATS.some((each) => each === format);
}

/** Returns the format that the name of an output states; undefined for other names. Throws UsageError for one that is not written. */
export function formatOfOutput(output: string): OutputFormat | undefined {
  if (isEncryptedPath(output)) {
    throw new UsageError('htskit view does not encrypt; write a plain file, or pipe the output to htskit encrypt');
  }
  const named = namedFormat(output);
  const format = OUTPUT_FORMATS.find((each) => each === named);
  if (named === format) return format;
  throw new UsageError(
    `htskit view does not write ${named?.toUpperCase()}; choose one of ${OUTPUT_FORMATS.join(', ')}`,
  );
}

/** Returns the format to write: the requested one, or text. Throws UsageError for one that cannot hold the records. */
export function resolveFormat(file: ViewedFile, requested: OutputFormat | 'binary' | undefined): OutputFormat {
  const isReads = isAlignments(file);
  if (requested === undefined) return isReads ? 'sam' : 'vcf';
  if (requested === 'binary') return isReads ? 'bam' : 'bcf';
  const canHold = (format: OutputFormat): boolean => isTable(format) || READ_FORMATS.includes(format) === isReads;
  if (canHold(requested)) return requested;
  const choices = OUTPUT_FORMATS.filter(canHold).join(', ');
  throw new UsageError(`${file.format} cannot be written as ${requested}; choose one of ${choices}`);
}
