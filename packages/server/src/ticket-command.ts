import type { Precision } from '@htskit/htsget';
import { FORMATS, type HtsgetFormat } from '@htskit/protocol';
import { type Command, Option } from 'commander';
import { escapeControls } from './escape-controls.js';
import { REGION_FORMS, RegionError } from './stored-file/parse-region.js';
import { PRECISIONS } from './stored-file/plan-stored-file.js';
import { explainFile } from './ticket/explain-file.js';
import { explainUrl } from './ticket/explain-url.js';
import { formatExplanation } from './ticket/format-explanation.js';

interface TicketFlags {
  readonly header: boolean;
  readonly json: boolean;
  readonly precision?: Precision;
  readonly format?: HtsgetFormat;
}

const NOTES = `
Of a file it tells which parts are read for some regions, whether their records
are filtered, and how many bytes that comes to; of a URL, the blocks of the
ticket, without what lets others fetch them.

Examples:
  htskit ticket reads.bam chr1:1,001-2,000
  htskit ticket --json https://data.example.org/reads/NA12878 chr1 chr2

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
    .option('--json', 'print JSON', false)
    .addHelpText('after', NOTES);
  command.action(async (target: string, regions: string[], flags: TicketFlags) => {
    const isUrl = /^https?:\/\//i.test(target);
    if (isUrl && !URL.canParse(target)) command.error('error: the URL is none');
    // Not shown, since it may hold a secret.
    if (!isUrl && /^[a-z][a-z\d+.-]*:\/\//i.test(target)) command.error('error: a URL begins with http:// or https://');
    if (isUrl && flags.precision !== undefined)
      command.error('error: --precision goes with a file: a service has its own');
    try {
      const { precision = 'auto', format, header: isHeaderOnly } = flags;
      const options = { regions, format, isHeaderOnly };
      const explanation = isUrl
        ? await explainUrl(target, options)
        : await explainFile(target, { ...options, precision });
      process.stdout.write(flags.json ? formatJson(explanation) : formatExplanation(explanation));
    } catch (error) {
      if (error instanceof RegionError) command.error(`error: ${escapeControls(error.message)}`);
      throw error;
    }
  });
}

/** JSON escapes some of the characters that are commands to a terminal itself, and may escape all. */
function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2).split('\n').map(escapeControls).join('\n')}\n`;
}
