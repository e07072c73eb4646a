import type { Precision } from '@htskit/htsget';
import { FORMATS, type HtsgetFormat } from '@htskit/protocol';
import { type Command, Option } from 'commander';
import { ofFile, UsageError } from '../../errors.js';
import { REGION_FORMS } from '../../stored-file/parse-region.js';
import { PRECISIONS } from '../../stored-file/plan-stored-file.js';
import { escapeControls } from '../../terminal/escape-controls.js';
import { explainFile, type FileExplanation } from '../../ticket/explain-file.js';
import { addValue, withInterrupt } from '../command-line.js';
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

/** Options of one of the two forms, by their names among the flags. */
const FILE_OPTIONS = { precision: '--precision' };
const URL_OPTIONS = { httpHeader: '--http-header', tokenFile: '--token-file' };

const NOTES = `
Of a file it tells which parts are read for some regions, whether their records
are filtered, and how many bytes that comes to; of a URL, the blocks of the
ticket, without what lets others fetch them. A bearer token is read from
--token-file, or else from HTSKIT_TOKEN.

Examples:
  htskit ticket reads.bam chr1:1,001-2,000
  htskit ticket --json https://data.example.org/reads/NA12878 chr1 chr2
  htskit ticket https://data.example.org/reads/NA12878 --token-file ~/.token

Exit codes: 0, 1 (failed), 2 (usage).`;

/** Adds `htskit ticket`. */
export function addTicketCommand(program: Command): void {
  const command = program
    .command('ticket')
    .description('explain how a region of a file is answered, or the ticket of an htsget service')
    .argument('<FILE|URL>', 'a BAM, CRAM, VCF or BCF file, or an http URL that a ticket is at')
    .argument('[REGION...]', `from 1, both ends included: ${REGION_FORMS}`)
    .option('--header', 'the header alone, whatever the regions', false)
    .addOption(new Option('--format <format>', 'of the answer').choices([...FORMATS.reads, ...FORMATS.variants]))
    .addOption(new Option('--precision <precision>', 'how closely a file is cut (default: auto)').choices(PRECISIONS))
    .option('-H, --http-header <header>', "'Name: value' for the service of a URL; several times", addValue, [])
    .option('--token-file <file>', 'holds a bearer token for the service of a URL')
    .option('--json', 'print JSON', false)
    .addHelpText('after', NOTES);
  command.action(async (target: string, regions: string[], flags: TicketFlags) => {
    const isUrl = /^https?:\/\//i.test(target);
    // Not shown, since it may hold a secret.
    if (!isUrl && /^[a-z][a-z\d+.-]*:\/\//i.test(target)) command.error('error: a URL begins with http:// or https://');
    for (const [flag, name] of Object.entries(isUrl ? FILE_OPTIONS : URL_OPTIONS)) {
      if (command.getOptionValueSource(flag) !== 'cli') continue;
      command.error(`error: ${name} goes with a ${isUrl ? 'file' : 'URL'}`);
    }
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
  const question = { regions, format, isHeaderOnly };
  if (!isUrl) {
    return explainFile(target, { ...question, precision }).catch((error: unknown) => {
      throw ofFile(target, error);
    });
  }
  const access = { headerLines, tokenFile, environment: process.env };
  return withInterrupt((signal) => explainUrl(target, { ...question, ...access, signal }));
}

/** JSON escapes some of the characters that are commands to a terminal itself, and may escape all. */
function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2).split('\n').map(escapeControls).join('\n')}\n`;
}
