import { type Command, Option } from 'commander';
import { STDOUT } from '../../files/standard-streams.js';
import { UsageError } from '../../usage-error.js';
import { addQuiet, addRegions, addValue, threadsOption, wordOption } from '../command-line.js';
import type { SampleFlags } from './kept-samples.js';
import {
  isAlignments,
  OUTPUT_WORDS,
  type OutputPart,
  parseOutputFormat,
  type RequestedFormat,
  type ViewedFile,
} from './output-format.js';
import { parseFlags, parseMapq, type ReadSelection } from './read-selection.js';
import { addRecordTarget, type RecordTargetFlags } from './record-target.js';

/** The options of `htskit view`. */
export interface ViewFlags extends ReadSelection, SampleFlags, RecordTargetFlags {
  readonly regionsFile?: string;
  readonly count: boolean;
  readonly header: boolean;
  readonly withHeader: boolean;
  readonly withoutHeader: boolean;
  readonly h: boolean;
  readonly H: boolean;
  readonly binary: boolean;
  readonly outputFormat?: RequestedFormat;
  readonly output: string;
  /** Lists, separated by commas. */
  readonly tags: readonly string[];
  readonly threads?: number;
  /** `-r`: read groups of reads, and lists of regions of variants. */
  readonly r: readonly string[];
}

/** Adds the options. Those of one letter mean what they mean to samtools view for reads, and to bcftools view for variants. */
export function addViewOptions(command: Command): Command {
  const withRegions = addQuiet(addRegions(command.helpOption('--help', 'display help for command')), '--quiet');
  const withHeaders = withRegions
    .option('-c, --count', 'print only the number of records', false)
    .option('--header', 'print only the header', false)
    .option('--with-header', 'print the header, too', false)
    .addOption(new Option('--without-header', 'omit the header').default(false).conflicts('withHeader'))
    .option('-h', 'reads: --with-header, as samtools view; variants: --header, as bcftools view', false)
    .option('-H', 'reads: --header, as samtools view; variants: --without-header, as bcftools view', false);
  const withSelection = addOutputOptions(withHeaders)
    .option('-q, --min-mapq <n>', 'only reads of at least this mapping quality', parseMapq)
    .option('-f, --require-flags <flags>', 'only reads with all of these flags: a number, or names', parseFlags)
    .option('-F, --exclude-flags <flags>', 'only reads with none of these flags', parseFlags)
    .option(
      '-r <text>',
      'reads: only this read group, and reads without one; variants: regions, separated by commas; repeatable',
      addValue,
      [],
    )
    .addOption(
      new Option(
        '-s, --samples <names>',
        'variants: only these samples, separated by commas, in this order; ^ before them leaves them out',
      ).conflicts('samplesFile'),
    )
    .option('-S, --samples-file <file>', 'variants: only the samples of a file, one in each line; ^ leaves them out')
    .option('-I, --no-update', 'variants: keep AC, AN, AF and NS of all samples');
  return addRecordTarget(withSelection);
}

function addOutputOptions(command: Command): Command {
  return command
    .addOption(new Option('-b, --binary', 'write BAM or BCF').default(false).conflicts('outputFormat'))
    .addOption(
      wordOption(
        '-O, --output-format <format>',
        'format of the output, whatever its name (default: by the name of the output, or text)',
        OUTPUT_WORDS,
      ).argParser(parseOutputFormat),
    )
    .option('-o, --output <file>', 'output file, or - for stdout', STDOUT)
    .option(
      '--tags <list>',
      'Arrow and Parquet: columns of these tags of reads, with types (NM:i,MD:Z), or of these keys of INFO (DP,AF)',
      addValue,
      [],
    )
    .addOption(
      threadsOption('threads that decode CRAM, and that compress the output (default: 0, only the main thread)'),
    );
}

/** Returns which parts of a file to print. */
export function partOf(file: ViewedFile, { header, withHeader, withoutHeader, h, H }: ViewFlags): OutputPart {
  const isReads = isAlignments(file);
  if (header || (isReads ? H : h)) return 'header';
  if (isReads) return withHeader || h ? 'all' : 'records';
  return withoutHeader || H ? 'records' : 'all';
}

/** The reads of a file to keep; undefined for all records. */
export function selectionOf(file: ViewedFile, flags: ViewFlags): ReadSelection | undefined {
  const { minMapq, requireFlags, excludeFlags, r } = flags;
  if (!isAlignments(file)) return undefined;
  const readGroups = r.length > 0 ? r : undefined;
  const isAll = (minMapq ?? requireFlags ?? excludeFlags ?? readGroups) === undefined;
  return isAll ? undefined : { minMapq, requireFlags, excludeFlags, readGroups };
}

/** Throws UsageError for options that do not apply to the records of a file, or that mean something else to bcftools. */
export function checkViewOptions(file: ViewedFile, flags: ViewFlags): void {
  const { minMapq, requireFlags, excludeFlags, reference, regionsFile, r, samples, samplesFile } = flags;
  const isReads = isAlignments(file);
  if (isReads) {
    if ((samples ?? samplesFile) === undefined) return;
    throw new UsageError(
      '-s and -S select samples of variants, while samtools view -s subsamples reads; use -r for read groups',
    );
  }
  const selectors = { '-q': minMapq, '-f': requireFlags, '-F': excludeFlags };
  for (const [option, value] of Object.entries(selectors)) {
    if (value === undefined) continue;
    throw new UsageError(`${option} selects reads, and ${file.format} has variants; pipe the output to bcftools view`);
  }
  if (r.length > 0 && regionsFile !== undefined) throw new UsageError('--regions-file cannot be combined with -r');
  if (reference === undefined) return;
  throw new UsageError(`-T names the bases of CRAM, and ${file.format} needs none; use -L for the regions of a file`);
}
