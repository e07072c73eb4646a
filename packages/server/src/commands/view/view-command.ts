import type { CramReferenceSource } from '@htskit/formats';
import type { Region } from '@htskit/records';
import { type Command, Option } from 'commander';
import { ofFile, UsageError } from '../../errors.js';
import { checkOutput, STDOUT, writeOutput } from '../../files/write-output.js';
import { parseRegion, REGION_FORMS } from '../../stored-file/parse-region.js';
import { openReferenceBases } from '../../stored-file/reference-bases.js';
import { escapeControls } from '../../terminal/escape-controls.js';
import { addValue, isUrlTarget, type TargetOptions, withInterrupt } from '../command-line.js';
import { checkTerminal } from '../get/local-file.js';
import { readBedRegions } from './bed-regions.js';
import { type OpenRecords, openLocalRecords, openUrlRecords } from './open-records.js';
import {
  isAlignments,
  isText,
  OUTPUT_FORMATS,
  type OutputFormat,
  type OutputPart,
  resolveFormat,
  type ViewedFile,
  writeRecords,
} from './record-output.js';

interface ViewFlags {
  readonly regionsFile?: string;
  readonly count: boolean;
  readonly header: boolean;
  readonly withHeader: boolean;
  readonly withoutHeader: boolean;
  readonly binary: boolean;
  readonly outputFormat?: OutputFormat;
  readonly output: string;
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
  const command = program
    .command('view')
    .description('print or convert the records of a file, or of an htsget service')
    .argument('<FILE|URL>', 'a BAM, CRAM, bgzipped VCF or BCF file, its URL, or the ticket URL of an htsget service')
    .argument('[REGION...]', `1-based, both ends included: ${REGION_FORMS}`)
    .option('-L, --regions-file <bed>', 'only records that overlap the intervals of a BED file')
    .option('-c, --count', 'print only the number of records', false)
    .option('--header', 'print only the header', false)
    .addOption(new Option('--with-header', 'print the header, too: as samtools view -h').default(false))
    .addOption(
      new Option('--without-header', 'omit the header: as bcftools view -H').default(false).conflicts('withHeader'),
    )
    .addOption(new Option('-b, --binary', 'write BAM or BCF').default(false).conflicts('outputFormat'))
    .addOption(
      new Option(
        '-O, --output-format <format>',
        'format of the output (default: by the name of the output, or text)',
      ).choices(OUTPUT_FORMATS),
    )
    .option('-o, --output <file>', 'output file, or - for stdout', STDOUT)
    .option('-T, --reference <location>', 'bases of CRAM: FASTA, 2bit, sequence store, or URL of a refget server')
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
  if (task.regions.length > 0 && regionsFile !== undefined) {
    throw new UsageError('--regions-file cannot be combined with regions');
  }
  const intervals = regionsFile === undefined ? undefined : await withPath(regionsFile, readBedRegions(regionsFile));
  const bases = reference === undefined ? undefined : await withPath(reference, openReferenceBases(reference));
  await withPath(task.target, viewTarget(task, intervals, bases));
}

/** Adds the path of a file to an error. URLs are left out, since they may hold a secret. */
async function withPath<T>(location: string, result: Promise<T>): Promise<T> {
  return result.catch((error: unknown) => {
    throw /^https?:/i.test(location) ? error : ofFile(location, error);
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
  await checkOutput(output, isUrl ? [] : [target]);
  const opened = await open(task, reference);
  const { file } = opened;
  try {
    const regions = intervals ?? selectRegions(opened, task.regions);
    const reading = { signal, scan: !isUrl, skipUnknown: intervals !== undefined };
    if (flags.count) {
      const line = `${await file.count(regions, reading)}\n`;
      await writeOutput(output, once(new TextEncoder().encode(line)), { signal });
      return;
    }
    const format = resolveFormat(file, flags.binary ? 'binary' : (flags.outputFormat ?? formatOfName(output)));
    if (!isText(format)) checkTerminal(BINARY_FORMATS[format] ?? 'VCF', output);
    const records = file.recordBytes(regions, reading);
    await writeOutput(output, writeRecords(records, { file, format, part: partOf(file, flags) }), { signal });
  } finally {
    await file.close();
  }
}

/** The names of binary formats, for messages. */
const BINARY_FORMATS: Readonly<Record<string, 'BAM' | 'BCF'>> = { bam: 'BAM', bcf: 'BCF' };

function open(
  { target, isUrl, flags, signal }: ViewTask,
  reference: CramReferenceSource | undefined,
): Promise<OpenRecords> {
  const { index, service: isService, httpHeader: headerLines, tokenFile } = flags;
  return (isUrl ? openUrlRecords : openLocalRecords)(target, {
    isService,
    index,
    reference,
    headerLines,
    tokenFile,
    environment: process.env,
    onWarning: ({ message }) => void process.stderr.write(`warning: ${escapeControls(message)}\n`),
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

/** Returns the format that the extension of an output names. */
function formatOfName(output: string): OutputFormat | undefined {
  return OUTPUT_FORMATS.find((format) => output.endsWith(`.${format}`));
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}
