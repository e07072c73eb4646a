import type { Precision } from '@htskit/htsget';
import { plainPathOf } from '@htskit/io/internal';
import { FORMATS, type HtsgetFormat } from '@htskit/protocol';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { ofFile, ofUrl, UsageError } from '../../errors.js';
import { type NamedFormat, namedFormat } from '../../files/named-format.js';
import { STDOUT } from '../../files/standard-streams.js';
import { Identity } from '../../stored-file/identity.js';
import { escapeControls } from '../../terminal/escape-controls.js';
import { formatCount } from '../../terminal/format-count.js';
import { note, warn } from '../../terminal/messages.js';
import {
  addIdentity,
  addQuiet,
  addRegions,
  addValue,
  isUrlTarget,
  PRECISIONS,
  readIntervals,
  type TargetOptions,
  threadsOption,
  withInterrupt,
  wordOption,
} from '../command-line.js';
import { parseSelection, type RecordSelection } from '../record-selection.js';
import { parseFlags, parseMapq } from '../view/read-selection.js';
import type { GetOutcome } from './local-file.js';

interface GetFlags {
  readonly regionsFile?: string;
  readonly output: string;
  readonly format?: HtsgetFormat;
  readonly reference?: string;
  readonly header: boolean;
  readonly fields?: string;
  readonly tags?: string;
  readonly notags?: string;
  readonly samples?: string;
  readonly samplesUpdate: boolean;
  readonly requireFlags?: number;
  readonly excludeFlags?: number;
  readonly minMapq?: number;
  readonly precision: Precision;
  readonly level?: number;
  readonly threads?: number;
  readonly httpHeader: readonly string[];
  readonly tokenFile?: string;
  readonly identity: readonly string[];
  readonly resume: boolean;
  readonly progress: boolean;
}

const TARGET_OPTIONS: TargetOptions = {
  file: { precision: '--precision', level: '--level', reference: '--reference' },
  url: { httpHeader: '--http-header', tokenFile: '--token-file', resume: '--no-resume' },
};

const NOTES = `
The output is a complete file: the header, each record that overlaps a region
once and in file order, and the end marker. Without a REGION it has all records.
Fields and tags that are left out get the missing value of the format. CRAM is
cut in whole containers, so the output may contain records outside the regions,
and --fields, --tags and --notags do not apply; with --format BAM it is decoded
and cut exactly.

Without --format, the name of the output decides: .bam, .cram, .vcf, .vcf.gz,
.vcf.bgz and .bcf. Other names get the format of the file, and .sam is refused.

With --identity, a service is asked to encrypt the answer for this key; it is
decrypted on the way, or kept as it is if the name of the output ends in .c4gh.
A file whose name ends in .c4gh is decrypted, and such an output is encrypted.

A URL is the ticket URL of an htsget service, which may also return records
outside the regions. Failed requests are retried. Until the download is complete
and verified, its bytes are in OUT.part, and the same command resumes it after a
failure or Ctrl-C. A bearer token is read from --token-file or HTSKIT_TOKEN.

Examples:
  htskit get reads.bam chr1:1,001-2,000 chr2 -o part.bam
  htskit get reads.bam --fields QNAME,FLAG,RNAME,POS --tags '' -o positions.bam
  htskit get variants.vcf.gz chr1 --tags GT,DP --format VCFTEXT | less
  htskit get cohort.bcf chr1 --samples NA12878,NA12891 -o two.bcf
  htskit get reads.bam chr1 --exclude-flags UNMAP,DUP --min-mapq 20 -o good.bam
  htskit get reads.cram -L genes.bed --format bam --reference genome.fa -o genes.bam
  htskit get https://data.example.org/reads/NA12878 chr1 -o chr1.bam
  htskit get https://data.example.org/reads/NA12878 --identity alice.sec -o a.bam

Exit codes: 0, 1 (failed), 2 (usage).`;

/** Adds `htskit get`. */
export function addGetCommand(program: Command): void {
  const get = program
    .command('get')
    .description('extract regions from a BAM, CRAM, VCF or BCF file, or download them from an htsget service')
    .argument('<FILE|URL>', 'a local file, or the ticket URL of an htsget service');
  const command = addIdentity(addQuiet(addRegions(get)))
    .option('-o, --output <file>', 'output file; - is stdout', parseOutput, STDOUT)
    .addOption(
      wordOption(
        '--format <format>',
        'format of the output, whatever its name: that of the file, BAM for CRAM, VCF or BCF for each other, VCFTEXT (plain text)',
        [...FORMATS.reads, ...FORMATS.variants],
      ),
    )
    .option('-T, --reference <location>', 'bases of CRAM, for --format BAM: FASTA, 2bit, sequence store, or refget URL')
    .option('--header', 'output only the header', false)
    .addOption(
      new Option('--precision <precision>', 'how closely to cut regions of a file')
        .choices(PRECISIONS)
        .default('exact'),
    )
    .option('--fields <names>', 'BAM fields to keep, such as QNAME,FLAG; QUAL also keeps SEQ', parseOnce)
    .option('--tags <names>', "tags, or INFO and FORMAT keys, to keep, such as NM,RG; '' keeps none", parseOnce)
    .option('--notags <names>', 'tags, or INFO and FORMAT keys, to drop', parseOnce)
    .option('--samples <names>', "samples to keep: columns of variants, or SM of read groups; '' keeps none", parseOnce)
    .option('--no-samples-update', 'variants: keep AC, AN, AF and NS of all samples')
    .option('--require-flags <flags>', 'only reads with all of these flags: a number, or names', parseFlags)
    .option('--exclude-flags <flags>', 'only reads with none of these flags', parseFlags)
    .option('--min-mapq <n>', 'only reads of at least this mapping quality', parseMapq)
    .option('--level <level>', 'compression level of rewritten blocks, 0 (none) to 9 (default: 6)', parseLevel)
    .addOption(threadsOption('threads that cut, convert and compress a file (default: 0, only the main thread)'))
    .option('-H, --http-header <header>', "request header 'Name: value' for a URL; repeatable", addValue, [])
    .option('--token-file <file>', 'file with a bearer token for a URL')
    .option('--no-resume', 'download from the start, and keep nothing on failure')
    .option('--no-progress', 'show no progress bar')
    .addHelpText('after', NOTES);
  command.action(async (target: string, regions: string[], flags: GetFlags) => {
    const isUrl = isUrlTarget(target, command, TARGET_OPTIONS);
    try {
      const run = isUrl ? runGetUrl : runGetFile;
      const outcome = await withInterrupt((signal) => run(target, { regions, flags, signal }));
      if (outcome.byteLength !== undefined) note(describe(outcome, { isUrl, regions, flags }));
    } catch (error) {
      if (error instanceof UsageError) command.error(`error: ${escapeControls(error.message)}`);
      throw error;
    }
  });
}

function parseOutput(path: string): string {
  if (path !== '') return path;
  throw new InvalidArgumentError('expected a file name, or - for stdout.');
}

/** The formats of the protocol by the name of the output. */
const FORMAT_BY_NAME: Partial<Record<NamedFormat, HtsgetFormat>> = {
  bam: 'BAM',
  cram: 'CRAM',
  vcf: 'VCFTEXT',
  'vcf.gz': 'VCF',
  bcf: 'BCF',
};

/** Returns the requested format, or else that of the name of the output. Throws UsageError for one that is not written. */
function outputFormat({ output, format }: GetFlags): HtsgetFormat | undefined {
  const named = namedFormat(plainPathOf(output));
  if (format !== undefined || named === undefined) return format;
  const ofName = FORMAT_BY_NAME[named];
  if (ofName !== undefined) return ofName;
  throw new UsageError('htskit get does not write SAM; use htskit view');
}

function parseOnce(value: string, previous: string | undefined): string {
  if (previous === undefined) return value;
  throw new InvalidArgumentError('the option must not be repeated.');
}

function parseLevel(text: string): number {
  if (/^\d$/.test(text)) return Number(text);
  throw new InvalidArgumentError('expected a whole number from 0 to 9.');
}

function selectionOf(flags: GetFlags): RecordSelection {
  const { fields, tags, notags, samples, samplesUpdate, requireFlags, excludeFlags, minMapq } = flags;
  return parseSelection({
    fields,
    tags,
    notags,
    samples,
    samplesUpdate: samplesUpdate ? undefined : 'off',
    requireFlags: requireFlags?.toString(),
    excludeFlags: excludeFlags?.toString(),
    minMappingQuality: minMapq?.toString(),
  });
}

interface GetTask {
  readonly regions: readonly string[];
  readonly flags: GetFlags;
  readonly signal: AbortSignal;
}

async function runGetFile(path: string, { regions, flags, signal }: GetTask): Promise<GetOutcome> {
  const { output, header: isHeaderOnly, precision, level, progress, reference } = flags;
  const format = outputFormat(flags);
  const intervals = await readIntervals(regions, flags.regionsFile);
  const selection = selectionOf(flags);
  const identity = new Identity(flags.identity);
  const fileQuery = { regions, intervals, format, isHeaderOnly, precision, selection, reference, identity };
  const writing = { output, compressionLevel: level, threads: flags.threads, showsProgress: progress };
  const onWarning = ({ message }: Error): void => warn(`${path}: ${message}`);
  try {
    const { getFile } = await import('./local-file.js');
    return await getFile(path, { ...fileQuery, ...writing, onWarning, signal });
  } catch (error) {
    throw ofFile(path, error);
  }
}

/** Errors are reported without the URL, which may hold a secret. */
async function runGetUrl(url: string, { regions, flags, signal }: GetTask): Promise<GetOutcome> {
  const { output, header: isHeaderOnly, progress: showsProgress } = flags;
  const format = outputFormat(flags);
  const { httpHeader: headerLines, tokenFile, resume: resumes } = flags;
  const intervals = await readIntervals(regions, flags.regionsFile);
  const selection = selectionOf(flags);
  const fileQuery = { regions, intervals, format, isHeaderOnly, selection };
  // The key of the environment decrypts files: a service is asked to encrypt only on request.
  const [identity] = flags.identity.length === 0 ? [] : await new Identity(flags.identity).read();
  const access = { headerLines, tokenFile, environment: process.env, identity };
  try {
    const { getUrl } = await import('./download.js');
    return await getUrl(url, { ...fileQuery, ...access, output, resumes, showsProgress, signal });
  } catch (error) {
    throw ofUrl(url, error);
  }
}

function describe(
  { format, byteLength = 0 }: GetOutcome,
  { isUrl, regions, flags }: Omit<GetTask, 'signal'> & { readonly isUrl: boolean },
): string {
  const place = flags.output === STDOUT ? '' : ` to ${flags.output}`;
  const hasRegions = regions.length > 0 || flags.regionsFile !== undefined;
  const isSuperset = !isUrl && format === 'CRAM' && hasRegions && !flags.header;
  const note = isSuperset ? ' (whole containers, which may hold records outside the regions)' : '';
  return `wrote ${formatCount(byteLength)} bytes of ${format}${place}${note}`;
}
