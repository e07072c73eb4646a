import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { formatFault } from '../../config/config-error.js';
import { escapeControls } from '../../terminal/escape-controls.js';
import type { ConfigReport } from './check-config.js';

const DEFAULT_FILE = 'htskit.yaml';
/** The maximum number of files without an index, and of files that do not end as they should, that are listed. */
const SHOWN_FILES = 10;

/** An example configuration. */
export const EXAMPLE_CONFIG = `listen: { host: 0.0.0.0, port: 8080 }
publicUrl: https://data.example.org
htsget:
  locations:
    - { location: /data/cohort }
    - { location: s3://bucket/trio, prefix: trio }
    - { location: /data/NA12878.final.bam, id: NA12878 }
refget:
  sources:
    - { location: /data/GRCh38.fa.gz, namingAuthority: insdc, circular: [chrM] }
`;

const NOTES = `
An example htskit.yaml; every key is optional:

${EXAMPLE_CONFIG.replace(/^(?=.)/gm, '  ')}
Examples:
  htskit config check htskit.yaml
  htskit serve --config htskit.yaml

Exit codes: 0 (valid), 1 (invalid), 2 (usage).`;
const CHECK_NOTES = `
Each problem is reported with line and column, and an unknown key with the nearest
known one.

Examples:
  htskit config check
  htskit config check --json /etc/htskit.yaml

Exit codes: 0 (valid), 1 (invalid), 2 (usage).`;
const SCHEMA_NOTES = `
Example:
  htskit config schema > htskit.schema.json

Exit codes: 0, 2 (usage).`;

/** Adds `htskit config check` and `htskit config schema`. */
export function addConfigCommand(program: Command): void {
  const command = program
    .command('config')
    .description('check a configuration file, or print its schema')
    .addHelpText('after', NOTES);
  command
    .command('check')
    .description('check a configuration and that the locations it names exist, without serving')
    .argument('[FILE]', 'configuration file', DEFAULT_FILE)
    .option('--json', 'print JSON', false)
    .addHelpText('after', CHECK_NOTES)
    .action(async (file: string, { json }: { readonly json: boolean }) => {
      // Loaded on demand: the storage backends take longer to load than most commands take to run.
      const { checkConfig } = await import('./check-config.js');
      const report = await checkConfig({ file, text: await readFile(file, 'utf8'), environment: process.env });
      if (json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
      else for (const line of formatReport(report)) process.stderr.write(`${escapeControls(line)}\n`);
      if (report.faults.length > 0) process.exitCode = 1;
    });
  command
    .command('schema')
    .description('print the JSON Schema of the configuration, for editors')
    .addHelpText('after', SCHEMA_NOTES)
    .action(async () => {
      const { toConfigJsonSchema } = await import('../../config/schema.js');
      process.stdout.write(`${JSON.stringify(toConfigJsonSchema(), null, 2)}\n`);
    });
}

/** Formats a report for people: the faults, and what would be served. */
export function formatReport({ file, faults, objects, sequences }: ConfigReport): string[] {
  const lines = faults.map((fault) => formatFault(file, fault));
  for (const { location, files, isComplete, withoutIndex, withoutReference, suspect } of objects) {
    lines.push(`htsget ${location}: ${isComplete ? '' : 'at least '}${countFiles(files)}`);
    for (const id of withoutIndex.slice(0, SHOWN_FILES)) lines.push(`  without an index: ${id}`);
    const more = withoutIndex.length - SHOWN_FILES;
    if (more > 0) lines.push(`  and ${more} more without an index`);
    if (withoutReference.length > 0) {
      const shown = withoutReference.slice(0, SHOWN_FILES).join(', ');
      lines.push(
        `  without the reference of CRAM, so not as BAM: ${shown}${withoutReference.length > SHOWN_FILES ? ', …' : ''}`,
      );
    }
    for (const { name, reason } of suspect.slice(0, SHOWN_FILES)) lines.push(`  ${name}: ${reason}`);
    const moreSuspect = suspect.length - SHOWN_FILES;
    if (moreSuspect > 0) lines.push(`  and ${moreSuspect} more that do not end as they should`);
  }
  for (const { location, files, namingAuthorities = [] } of sequences) {
    const names = namingAuthorities.length > 0 ? `, with aliases by ${namingAuthorities.join(', ')}` : '';
    lines.push(`refget ${location}: ${files === undefined ? `a store${names}` : countFiles(files)}`);
  }
  if (objects.length === 0 && sequences.length === 0 && faults.length === 0)
    lines.push('nothing to serve: no locations');
  lines.push(
    faults.length === 0 ? `${file} is valid` : `${file} has ${faults.length} problem${faults.length === 1 ? '' : 's'}`,
  );
  return lines;
}

function countFiles(count: number): string {
  return `${count} file${count === 1 ? '' : 's'}`;
}
