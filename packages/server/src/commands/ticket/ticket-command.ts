import type { Precision } from '@htskit/htsget';
import { FORMATS, type HtsgetFormat } from '@htskit/protocol';
import { type Command, Option } from 'commander';
import { ofFile, UsageError } from '../../errors.js';
import { PRECISIONS } from '../../stored-file/file-query.js';
import { REGION_FORMS } from '../../stored-file/parse-region.js';
import { escapeControls } from '../../terminal/escape-controls.js';
import { addValue, isUrlTarget, type TargetOptions, withInterrupt } from '../command-line.js';
import { explainFile, type FileExplanation } from './explain-file.js';
import { explainUrl, type UrlExplanation } from './explain-url.js';
import { formatExplanation } from './format-explanation.js';

interface TicketFlags {
  readonly header: boolean;
  readonly json: boolean;
  readonly precision?: Precision;
  readonly format?: HtsgetFormat;
  readonly httpHeader: readonly string[];
  readonly tokenFile?: string;
}

const TARGET_OPTIONS: TargetOptions = {
  file: { precision: '--precision' },
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
  const command = program
    .command('ticket')
    .description('explain the plan for regions of a file, or the ticket of an htsget service')
    .argument('<FILE|URL>', 'a BAM, CRAM, VCF or BCF file, or the ticket URL of an htsget service')
    .argument('[REGION...]', `1-based, both ends included: ${REGION_FORMS}`)
    .option('--header', 'plan only the header', false)
    .addOption(new Option('--format <format>', 'format of the result').choices([...FORMATS.reads, ...FORMATS.variants]))
    .addOption(
      new Option('--precision <precision>', 'how closely to cut regions of a file (default: auto)').choices(PRECISIONS),
    )
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
  const fileQuery = { regions, format, isHeaderOnly };
  if (!isUrl) {
    return explainFile(target, { ...fileQuery, precision }).catch((error: unknown) => {
      throw ofFile(target, error);
    });
  }
  const access = { headerLines, tokenFile, environment: process.env };
  return withInterrupt((signal) => explainUrl(target, { ...fileQuery, ...access, signal }));
}

/** Escapes every control character, not only those that JSON requires: a terminal would interpret them. */
function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2).split('\n').map(escapeControls).join('\n')}\n`;
}
