import type { Precision } from '@htskit/htsget';
import { FORMATS, type HtsgetFormat } from '@htskit/protocol';
import { type Command, Option } from 'commander';
import { ofFile, ofUrl, UsageError } from '../../errors.js';
import { Identity } from '../../stored-file/identity.js';
import { formatRegion } from '../../stored-file/parse-region.js';
import { escapeControls } from '../../terminal/escape-controls.js';
import { formatCount } from '../../terminal/format-count.js';
import { formatJson, formatTable } from '../../terminal/format-table.js';
import {
  addIdentity,
  addQuiet,
  addRegions,
  addValue,
  isUrlTarget,
  PRECISIONS,
  readIntervals,
  type TargetOptions,
  withInterrupt,
  wordOption,
} from '../command-line.js';
import { describeRestriction, nameFirst } from '../describe-restriction.js';
import type { ExplainedSegment, FileExplanation } from './explain-file.js';
import type { ExplainedBlock, UrlExplanation } from './explain-url.js';

interface TicketFlags {
  readonly regionsFile?: string;
  readonly header: boolean;
  readonly json: boolean;
  readonly precision?: Precision;
  readonly format?: HtsgetFormat;
  readonly reference?: string;
  readonly httpHeader: readonly string[];
  readonly tokenFile?: string;
  readonly identity: readonly string[];
}

const TARGET_OPTIONS: TargetOptions = {
  file: { precision: '--precision', reference: '--reference', identity: '--identity' },
  url: { httpHeader: '--http-header', tokenFile: '--token-file' },
};

const NOTES = `
For a file it prints the plan: the byte ranges to read for the regions, whether
their records are filtered, and the sizes. For a URL it prints the blocks of the
ticket, without their signatures and headers. A bearer token is read from
--token-file or HTSKIT_TOKEN.

Examples:
  htskit ticket reads.bam chr1:1,001-2,000
  htskit ticket --json https://data.example.org/reads/NA12878 chr1 chr2
  htskit ticket https://data.example.org/reads/NA12878 --token-file ~/.token

Exit codes: 0, 1 (failed), 2 (usage).`;

/** Adds `htskit ticket`. */
export function addTicketCommand(program: Command): void {
  const ticket = program
    .command('ticket')
    .description('explain the plan for regions of a file, or the ticket of an htsget service')
    .argument('<FILE|URL>', 'a BAM, CRAM, VCF or BCF file, or the ticket URL of an htsget service');
  const command = addIdentity(addQuiet(addRegions(ticket)))
    .option('--header', 'plan only the header', false)
    .addOption(wordOption('--format <format>', 'format of the result', [...FORMATS.reads, ...FORMATS.variants]))
    .addOption(
      new Option('--precision <precision>', 'how closely to cut regions of a file (default: auto)').choices(PRECISIONS),
    )
    .option('-T, --reference <location>', 'bases of CRAM, for --format BAM: FASTA, 2bit, sequence store, or refget URL')
    .option('-H, --http-header <header>', "request header 'Name: value' for a URL; repeatable", addValue, [])
    .option('--token-file <file>', 'file with a bearer token for a URL')
    .option('--json', 'print JSON', false)
    .addHelpText('after', NOTES);
  command.action(async (target: string, regions: string[], flags: TicketFlags) => {
    const isUrl = isUrlTarget(target, command, TARGET_OPTIONS);
    try {
      const explanation = await explain(target, { regions, flags, isUrl });
      process.stdout.write(flags.json ? formatJson(explanation) : formatExplanation(explanation));
    } catch (error) {
      if (error instanceof UsageError) command.error(`error: ${escapeControls(error.message)}`);
      throw error;
    }
  });
}

interface TicketTask {
  readonly regions: readonly string[];
  readonly flags: TicketFlags;
  readonly isUrl: boolean;
}

async function explain(
  target: string,
  { regions, flags, isUrl }: TicketTask,
): Promise<FileExplanation | UrlExplanation> {
  const { precision = 'auto', format, header: isHeaderOnly, httpHeader: headerLines, tokenFile } = flags;
  const intervals = await readIntervals(regions, flags.regionsFile);
  const fileQuery = { regions, intervals, format, isHeaderOnly };
  if (!isUrl) {
    const { openDecrypt: openIdentity } = new Identity(flags.identity);
    const { explainFile } = await import('./explain-file.js');
    return explainFile(target, { ...fileQuery, precision, reference: flags.reference, openIdentity }).catch(
      (error: unknown) => {
        throw ofFile(target, error);
      },
    );
  }
  const { explainUrl } = await import('./explain-url.js');
  const access = { headerLines, tokenFile, environment: process.env };
  return withInterrupt((signal) => explainUrl(target, { ...fileQuery, ...access, signal })).catch((error: unknown) => {
    throw ofUrl(target, error);
  });
}

/** The titles of columns of numbers. */
const NUMERIC = ['', 'byte range', 'range', 'bytes'];

/** Formats an explanation as a table followed by totals. Control characters in names are escaped. */
export function formatExplanation(explanation: FileExplanation | UrlExplanation): string {
  const { source, regions, format } = explanation;
  const lines = 'segments' in explanation ? describeFile(explanation) : describeTicket(explanation);
  const regionLine = regions === undefined ? [] : [`regions: ${regions.map(formatRegion).join(' ')}`];
  return `${[`${source}: ${format}`, ...regionLine, '', ...lines].map(escapeControls).join('\n')}\n`;
}

function describeFile(explanation: FileExplanation): string[] {
  const { segments, precision, index, warning, fileBytes, plannedBytes, inlineBytes, format } = explanation;
  const { convertedFrom, convertedBytes = 0 } = explanation;
  const share = fileBytes === 0 ? 0 : (100 * plannedBytes) / fileBytes;
  return [
    ...formatTable([['', 'kind', 'class', 'byte range', 'bytes', 'records'], ...segments.map(toRow)], NUMERIC),
    '',
    `precision: ${precision}${index === undefined ? '' : `, index: ${index}`}`,
    `planned: ${formatCount(plannedBytes)} of ${formatCount(fileBytes)} bytes (${share.toPrecision(3)} %), plus ${formatCount(inlineBytes)} inline`,
    ...(convertedFrom === undefined
      ? []
      : [`converted: ${formatCount(convertedBytes)} bytes of ${convertedFrom} are decoded to ${format}`]),
    ...measuredLines(explanation),
    ...(warning === undefined ? [] : [`warning: ${warning}`]),
  ];
}

function measuredLines({ answerBytes, minimalBytes }: FileExplanation): string[] {
  if (answerBytes === undefined) return [];
  const result = `result: ${formatCount(answerBytes)} bytes`;
  if (minimalBytes === undefined) return [result];
  const ratio = (answerBytes / minimalBytes).toFixed(2);
  return [`${result}, ${ratio} times the smallest file with the same records (${formatCount(minimalBytes)})`];
}

function toRow(segment: ExplainedSegment, index: number): string[] {
  const { kind, class: part, bytes, filteredTo } = segment;
  return [String(index + 1), kind, part, formatRange(segment), formatCount(bytes), formatFilter(kind, filteredTo)];
}

function formatFilter(kind: ExplainedSegment['kind'], filteredTo: ExplainedSegment['filteredTo']): string {
  if (filteredTo === undefined) return kind === 'inline' ? '' : 'all';
  return nameFirst(filteredTo.map(formatRegion), ' ');
}

function formatRange({ byteStart, byteEnd }: { readonly byteStart?: number; readonly byteEnd?: number }): string {
  return byteStart === undefined || byteEnd === undefined ? '' : `${formatCount(byteStart)}-${formatCount(byteEnd)}`;
}

function describeTicket({ blocks, inlineBytes, answerBytes, md5, restricted }: UrlExplanation): string[] {
  const total = answerBytes === undefined ? '' : `, total: ${formatCount(answerBytes)} bytes`;
  return [
    ...formatTable([['', 'kind', 'class', 'range', 'bytes', 'from'], ...blocks.map(toBlockRow)], NUMERIC),
    '',
    `blocks: ${blocks.length}, inline: ${formatCount(inlineBytes)} bytes${total}`,
    ...(md5 === undefined ? [] : [`md5: ${md5}`]),
    ...(restricted === undefined ? [] : [`restricted to ${describeRestriction(restricted)}`]),
  ];
}

function toBlockRow(block: ExplainedBlock, index: number): string[] {
  const { kind, class: part = '', bytes, origin = '' } = block;
  return [String(index + 1), kind, part, formatRange(block), bytes === undefined ? '' : formatCount(bytes), origin];
}
