import { basename } from 'node:path';
import type { CramReferenceSource } from '@htskit/formats';
import type { Region } from '@htskit/records';
import { type Command, Option } from 'commander';
import { ofFile, ofUrl, UsageError } from '../../errors.js';
import { STDOUT } from '../../files/standard-streams.js';
import { checkOutput, checkTerminal, isGarbledByProgress, writeOutput } from '../../files/write-output.js';
import { parseRegion } from '../../stored-file/parse-region.js';
import { escapeControls } from '../../terminal/escape-controls.js';
import { formatCount } from '../../terminal/format-count.js';
import { warn } from '../../terminal/messages.js';
import { startProgressLine } from '../../terminal/progress.js';
import {
  addQuiet,
  addRegions,
  addValue,
  isUrlTarget,
  readIntervals,
  type TargetOptions,
  threadsOption,
  withInterrupt,
  wordOption,
} from '../command-line.js';
import type { OpenRecords } from './open-records.js';
import {
  formatOfOutput,
  isAlignments,
  isText,
  OUTPUT_FORMATS,
  type OutputFormat,
  type OutputPart,
  resolveFormat,
  type ViewedFile,
} from './output-format.js';

interface ViewFlags {
  readonly regionsFile?: string;
  readonly count: boolean;
  readonly header: boolean;
  readonly withHeader: boolean;
  readonly withoutHeader: boolean;
  readonly binary: boolean;
  readonly outputFormat?: OutputFormat;
  readonly output: string;
  readonly threads?: number;
  readonly reference?: string;
  readonly index?: string;
  readonly service: boolean;
  readonly httpHeader: readonly string[];
  readonly tokenFile?: string;
}

const TARGET_OPTIONS: TargetOptions = {
  file: {},
  url: { httpHeader: '--http-header', tokenFile: '--token-file', service: '--service' },
};

const NOTES = `
Reads are printed as SAM without the header, as by samtools view; variants as VCF
with it, as by bcftools view. Of several regions, each record is printed once, in
the order of the file. Regions of a local file without an index are found by
reading all of it. A URL whose path ends with .bam, .cram, .bcf, .vcf.gz or
.vcf.bgz is a file on a server with range requests; other URLs are tickets of an
htsget service. A bearer token is read from --token-file or HTSKIT_TOKEN.

Examples:
  htskit view reads.bam chr1:1M-2M
  htskit view reads.cram chr1 -T genome.fa -b -o chr1.bam
  htskit view https://data.example.org/variants.vcf.gz -L genes.bed
  htskit view -c https://data.example.org/reads/NA12878 chr1:1,000-2,000

Exit codes: 0, 1 (failed), 2 (usage).`;

/** Adds `htskit view`. */
export function addViewCommand(program: Command): void {
  const viewing = program
    .command('view')
    .description('print or convert the records of a file, or of an htsget service')
    .argument('<FILE|URL>', 'a BAM, CRAM, bgzipped VCF or BCF file, its URL, or the ticket URL of an htsget service');
  const command = addQuiet(addRegions(viewing))
    .option('-c, --count', 'print only the number of records', false)
    .option('--header', 'print only the header', false)
    .addOption(new Option('--with-header', 'print the header, too: as samtools view -h').default(false))
    .addOption(
      new Option('--without-header', 'omit the header: as bcftools view -H').default(false).conflicts('withHeader'),
    )
    .addOption(new Option('-b, --binary', 'write BAM or BCF').default(false).conflicts('outputFormat'))
    .addOption(
      wordOption(
        '-O, --output-format <format>',
        'format of the output (default: by the name of the output, or text)',
        OUTPUT_FORMATS,
      ),
    )
    .option('-o, --output <file>', 'output file, or - for stdout', STDOUT)
    .option('-T, --reference <location>', 'bases of CRAM: FASTA, 2bit, sequence store, or URL of a refget server')
    .addOption(threadsOption('threads that compress the output (default: 0, only the main thread)'))
    .option('--index <location>', 'path or URL of the index (default: beside the file)')
    .option('--service', 'the URL is one of an htsget service, whatever its extension', false)
    .option('-H, --http-header <header>', "request header 'Name: value' for a URL; repeatable", addValue, [])
    .option('--token-file <file>', 'file with a bearer token for a URL')
    .addHelpText('after', NOTES);
  command.action(async (target: string, regions: string[], flags: ViewFlags) => {
    const isUrl = isUrlTarget(target, command, TARGET_OPTIONS);
    try {
      await withInterrupt((signal) => view({ target, isUrl, regions, flags, signal }));
    } catch (error) {
      if (error instanceof UsageError) command.error(`error: ${escapeControls(error.message)}`);
      throw error;
    }
  });
}

interface ViewTask {
  readonly target: string;
  readonly isUrl: boolean;
  readonly regions: readonly string[];
  readonly flags: ViewFlags;
  readonly signal: AbortSignal;
}

async function view(task: ViewTask): Promise<void> {
  const { regionsFile, reference } = task.flags;
  const intervals = await readIntervals(task.regions, regionsFile);
  const bases = reference === undefined ? undefined : await withPath(reference, openBases(reference));
  await withPath(task.target, viewTarget(task, intervals, bases));
}

async function openBases(location: string): Promise<CramReferenceSource> {
  const { openReferenceBases } = await import('../../stored-file/reference-bases.js');
  return openReferenceBases(location);
}

/** Adds the path of a file to an error. URLs are left out, since they may hold a secret. */
async function withPath<T>(location: string, result: Promise<T>): Promise<T> {
  return result.catch((error: unknown) => {
    throw /^[a-z]+:\/\//i.test(location) ? ofUrl(location, error) : ofFile(location, error);
  });
}

/** Prints records, a header or a count. `intervals` are those of a BED file. */
async function viewTarget(
  task: ViewTask,
  intervals: readonly Region[] | undefined,
  reference: CramReferenceSource | undefined,
): Promise<void> {
  const { target, isUrl, flags, signal } = task;
  const { output } = flags;
  // Before anything is read.
  const requested = flags.binary ? 'binary' : (flags.outputFormat ?? formatOfOutput(output));
  await checkOutput(output, isUrl ? [] : [target]);
  const opened = await open(task, reference);
  const { file } = opened;
  try {
    const regions = intervals ?? selectRegions(opened, task.regions);
    const reading = { signal, scan: !isUrl, skipUnknown: intervals !== undefined };
    if (flags.count) {
      const line = `${await counting(target, file.count(regions, reading))}\n`;
      await writeOutput(output, once(new TextEncoder().encode(line)), { signal });
      return;
    }
    const format = resolveFormat(file, requested);
    if (!isText(format)) checkTerminal(format.toUpperCase(), output);
    const records = file.recordBytes(regions, reading);
    const part = partOf(file, flags);
    const { writeRecords } = await import('./record-output.js');
    const chunks = writeRecords(records, { file, format, part, threads: flags.threads });
    await writeOutput(output, withProgress(chunks, { target, isVisible: !isGarbledByProgress(output) }), { signal });
  } finally {
    await file.close();
  }
}

async function open(
  { target, isUrl, flags, signal }: ViewTask,
  reference: CramReferenceSource | undefined,
): Promise<OpenRecords> {
  const { index, service: isService, httpHeader: headerLines, tokenFile } = flags;
  const { openLocalRecords, openUrlRecords } = await import('./open-records.js');
  return (isUrl ? openUrlRecords : openLocalRecords)(target, {
    isService,
    index,
    reference,
    headerLines,
    tokenFile,
    environment: process.env,
    onWarning: ({ message }) => warn(message),
    signal,
  });
}

/** Returns the regions of the command line, or else those of the URL; undefined for all records. */
function selectRegions({ file, regions: ofUrl }: OpenRecords, texts: readonly string[]): readonly Region[] | undefined {
  if (texts.length === 0) return ofUrl;
  const names = new Set(file.references.map(({ name }) => name));
  // A VCF file need not declare its contigs.
  const isReference = names.size === 0 && !isAlignments(file) ? undefined : (name: string) => names.has(name);
  return texts.map((text) => parseRegion(text, isReference));
}

function partOf(file: ViewedFile, { header, withHeader, withoutHeader }: ViewFlags): OutputPart {
  if (header) return 'header';
  return withHeader || !(withoutHeader || isAlignments(file)) ? 'all' : 'records';
}

/** Shows how long a count takes. */
async function counting(target: string, count: Promise<number>): Promise<number> {
  const name = nameOf(target);
  const progress = startProgressLine((seconds) => `counting the records of ${name}, ${Math.floor(seconds)} s`);
  return count.finally(progress.stop);
}

/** Shows how much has been written. */
async function* withProgress(
  chunks: AsyncIterable<Uint8Array>,
  { target, isVisible }: { readonly target: string; readonly isVisible: boolean },
): AsyncGenerator<Uint8Array, void> {
  const name = nameOf(target);
  let bytes = 0;
  const describe = (seconds: number): string =>
    `${name}: ${formatCount(Math.round(bytes / 1e6))} MB written, ${Math.floor(seconds)} s`;
  const progress = startProgressLine(describe, isVisible);
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      yield chunk;
    }
  } finally {
    progress.stop();
  }
}

/** Returns the last part of a path or URL, without the query, which may hold a secret. */
function nameOf(target: string): string {
  return escapeControls(basename(target.replace(/[?#].*$/s, '')));
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}
