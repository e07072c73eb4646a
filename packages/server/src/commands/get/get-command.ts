import type { Precision } from '@htskit/htsget';
import { FORMATS, type HtsgetFormat } from '@htskit/protocol';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { ofFile, UsageError } from '../../errors.js';
import { STDOUT } from '../../files/write-output.js';
import { type GetOutcome, getFile, parseSelection, type WrittenSelection } from '../../get-file.js';
import { formatCount, REGION_FORMS } from '../../stored-file/parse-region.js';
import { PRECISIONS } from '../../stored-file/plan-stored-file.js';
import { escapeControls } from '../../terminal/escape-controls.js';
import { addValue, withInterrupt } from '../command-line.js';
import { getUrl } from './download.js';

interface GetFlags extends WrittenSelection {
  readonly output: string;
  readonly format?: HtsgetFormat;
  readonly header: boolean;
  readonly precision: Precision;
  readonly level?: number;
  readonly httpHeader: readonly string[];
  readonly tokenFile?: string;
  readonly resume: boolean;
  readonly progress: boolean;
}

/** Options of one of the two forms, by their names among the flags. */
const FILE_OPTIONS = { precision: '--precision', level: '--level' };
const URL_OPTIONS = { httpHeader: '--http-header', tokenFile: '--token-file', resume: '--no-resume' };

const NOTES = `
The answer is a whole file: the header, the records that overlap the regions, in
file order and each once, and the end marker. Without a REGION all records are
written. What --fields and --tags leave out is written as the format's "not
available". CRAM is cut in whole containers, so that other records may come with
those asked for, and its records stay as they are.

A URL is one of an htsget service, which cuts the file as closely as it does.
What fails is tried again. Until OUT is whole and verified, its bytes are in
OUT.part, and the same command goes on from there after a failure or Ctrl-C.
A bearer token is read from --token-file, or else from HTSKIT_TOKEN.

Examples:
  htskit get reads.bam chr1:1,001-2,000 chr2 -o part.bam
  htskit get reads.bam --fields QNAME,FLAG,RNAME,POS --tags '' -o positions.bam
  htskit get variants.vcf.gz chr1 --tags GT,DP --format VCFTEXT | less
  htskit get https://data.example.org/reads/NA12878 chr1 -o chr1.bam

Exit codes: 0, 1 (failed), 2 (usage).`;

/** Adds `htskit get`. */
export function addGetCommand(program: Command): void {
  const command = program
    .command('get')
    .description('cut regions out of a BAM, CRAM, VCF or BCF file, or download them from an htsget service')
    .argument('<FILE|URL>', 'a local file, or the http URL that a ticket is at')
    .argument('[REGION...]', `from 1, both ends included: ${REGION_FORMS}`)
    .option('-o, --output <file>', 'where the answer goes; - is stdout', parseOutput, STDOUT)
    .addOption(
      new Option('--format <format>', 'that of the file, or VCFTEXT, which is plain text, of VCF').choices([
        ...FORMATS.reads,
        ...FORMATS.variants,
      ]),
    )
    .option('--header', 'the header alone, whatever the regions', false)
    .addOption(
      new Option('--precision <precision>', 'how closely regions of a file are cut')
        .choices(PRECISIONS)
        .default('exact'),
    )
    .option('--fields <names>', 'fields of BAM to keep, as QNAME,FLAG; QUAL keeps SEQ, too', parseOnce)
    .option('--tags <names>', "tags, or INFO and FORMAT keys, to keep, as NM,RG; '' keeps none", parseOnce)
    .option('--notags <names>', 'tags, or INFO and FORMAT keys, to leave out', parseOnce)
    .option('--level <level>', 'of what is compressed anew: 0, not at all, to 9 (default: 6)', parseLevel)
    .option('-H, --http-header <header>', "'Name: value' for the service of a URL; several times", addValue, [])
    .option('--token-file <file>', 'holds a bearer token for the service of a URL')
    .option('--no-resume', 'download from the begin, and keep nothing of what fails')
    .option('--no-progress', 'show no progress bar')
    .addHelpText('after', NOTES);
  command.action(async (target: string, regions: string[], flags: GetFlags) => {
    const isUrl = /^https?:\/\//i.test(target);
    // Not shown, since it may hold a secret.
    if (!isUrl && /^[a-z][a-z\d+.-]*:\/\//i.test(target)) command.error('error: a URL begins with http:// or https://');
    for (const [flag, name] of Object.entries(isUrl ? FILE_OPTIONS : URL_OPTIONS)) {
      if (command.getOptionValueSource(flag) !== 'cli') continue;
      command.error(`error: ${name} goes with a ${isUrl ? 'file' : 'URL'}`);
    }
    try {
      const run = isUrl ? runGetUrl : runGetFile;
      const outcome = await withInterrupt((signal) => run(target, { regions, flags, signal }));
      if (outcome.byteLength !== undefined) process.stderr.write(`${describe(outcome, { isUrl, regions, flags })}\n`);
    } catch (error) {
      if (error instanceof UsageError) command.error(`error: ${escapeControls(error.message)}`);
      throw error;
    }
  });
}

function parseOutput(path: string): string {
  if (path !== '') return path;
  throw new InvalidArgumentError('it is the name of a file, or -.');
}

function parseOnce(value: string, previous: string | undefined): string {
  if (previous === undefined) return value;
  throw new InvalidArgumentError('it is given more than once.');
}

function parseLevel(text: string): number {
  if (/^\d$/.test(text)) return Number(text);
  throw new InvalidArgumentError('it is a number from 0 to 9.');
}

interface GetTask {
  readonly regions: readonly string[];
  readonly flags: GetFlags;
  readonly signal: AbortSignal;
}

async function runGetFile(path: string, { regions, flags, signal }: GetTask): Promise<GetOutcome> {
  const { output, format, header: isHeaderOnly, precision, fields, tags, notags, level, progress } = flags;
  const selection = parseSelection({ fields, tags, notags });
  const question = { regions, format, isHeaderOnly, precision, selection };
  try {
    return await getFile(path, { ...question, output, compressionLevel: level, showsProgress: progress, signal });
  } catch (error) {
    throw ofFile(path, error);
  }
}

/** Errors do not name the URL, which may hold a secret. */
async function runGetUrl(url: string, { regions, flags, signal }: GetTask): Promise<GetOutcome> {
  const { output, format, header: isHeaderOnly, fields, tags, notags, progress: showsProgress } = flags;
  const { httpHeader: headerLines, tokenFile, resume: resumes } = flags;
  const question = { regions, format, isHeaderOnly, selection: parseSelection({ fields, tags, notags }) };
  const access = { headerLines, tokenFile, environment: process.env };
  return getUrl(url, { ...question, ...access, output, resumes, showsProgress, signal });
}

function describe(
  { format, byteLength = 0 }: GetOutcome,
  { isUrl, regions, flags }: Omit<GetTask, 'signal'> & { readonly isUrl: boolean },
): string {
  const place = flags.output === STDOUT ? '' : ` to ${escapeControls(flags.output)}`;
  const isSuperset = !isUrl && format === 'CRAM' && regions.length > 0 && !flags.header;
  const note = isSuperset ? ', in whole containers: they may hold other records, too' : '';
  return `wrote ${formatCount(byteLength)} bytes of ${format}${place}${note}`;
}
