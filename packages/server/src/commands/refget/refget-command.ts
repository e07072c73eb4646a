import { toObjectStore } from '@htskit/catalogue/internal';
import { type CharacterPolicy, type StoreFinding, verifyStore } from '@htskit/sequences';
import type { Command } from 'commander';
import { ofFile } from '../../errors.js';
import { addValue, charactersOption, parseNamingAuthority, withInterrupt } from '../command-line.js';
import { addCollectionCommands } from './collection-commands.js';
import { addCompareCommand } from './compare-command.js';
import { refgetImport } from './refget-import.js';
import { parseStore } from './store-argument.js';

interface ImportFlags {
  readonly store: string;
  readonly namingAuthority?: string;
  readonly circular: readonly string[];
  readonly aliases: readonly string[];
  readonly characters?: CharacterPolicy;
}

const NOTES = `
A store holds packed sequences by their digests, each once, whichever files they
came from, and the sequence collection of each file. htskit serve serves it like
the FASTA files. It may be in a bucket.

Examples:
  htskit refget import genome.fa.gz --store refget-store --naming-authority insdc
  htskit refget list refget-store
  htskit refget verify refget-store
  htskit serve refget-store

Exit codes: 0, 1 (failed, or problems found), 2 (usage).`;
const IMPORT_NOTES = `
Examples:
  htskit refget import genome.fa.gz --store refget-store --naming-authority insdc
  htskit refget import *.fa --store refget-store --circular chrM --aliases names.tsv
  htskit refget import genome.fa.gz --store s3://bucket/refget-store

Exit codes: 0, 1 (failed), 2 (usage).`;
const VERIFY_NOTES = `
Examples:
  htskit refget verify refget-store
  htskit refget verify --json refget-store > findings.json

Exit codes: 0, 1 (failed, or problems found), 2 (usage).`;

/** Adds `htskit refget` and its commands. */
export function addRefgetCommand(program: Command): void {
  const command = program
    .command('refget')
    .description('build, list, verify and export sequence stores, and compare genomes')
    .addHelpText('after', NOTES);
  command
    .command('import')
    .description('import the sequences of FASTA files into a store; existing ones are kept')
    .argument('<FASTA...>', 'files to import, plain or compressed by bgzip or gzip')
    .requiredOption('--store <dir>', 'folder of the store, created if missing, or s3://BUCKET/PREFIX', parseStore)
    .option(
      '--naming-authority <name>',
      'naming authority of the sequences: makes NAME:chr1 an id',
      parseNamingAuthority,
    )
    .option('--circular <name>', 'name of a circular sequence; repeatable', addValue, [])
    .option('--aliases <file>', 'table of name or digest, alias, naming authority; repeatable', addValue, [])
    .addOption(charactersOption())
    .addHelpText('after', IMPORT_NOTES)
    .action((paths: string[], flags: ImportFlags) =>
      withInterrupt((signal) => refgetImport({ ...flags, paths, signal, log })),
    );
  command
    .command('verify')
    .description('digest every sequence of a store and check every alias; print the problems')
    .argument('<STORE>', 'folder of the store, or s3://BUCKET/PREFIX', parseStore)
    .option('--json', 'print JSON', false)
    .addHelpText('after', VERIFY_NOTES)
    .action((path: string, { json }: { readonly json: boolean }) =>
      withInterrupt((signal) => verify(path, json, signal)),
    );
  addCollectionCommands(command);
  addCompareCommand(command);
}

function log(message: string): void {
  process.stderr.write(`${message}\n`);
}

async function verify(path: string, isJson: boolean, signal: AbortSignal): Promise<void> {
  const findings: StoreFinding[] = [];
  const onFinding = (finding: StoreFinding): void => {
    if (isJson) findings.push(finding);
    else process.stdout.write(`${finding.key}\t${finding.problem}\n`);
  };
  const summary = await verifyStore(toObjectStore(path), { signal, onFinding }).catch((error: unknown) => {
    throw ofFile(path, error);
  });
  if (isJson) process.stdout.write(`${JSON.stringify({ ...summary, findings }, null, 2)}\n`);
  const { sequences, bases, aliases, collections, incomplete, abandoned } = summary;
  log(`valid: ${sequences} sequences with ${bases} bases, ${aliases} aliases, ${collections} collections`);
  for (const file of abandoned) log(`abandoned: ${file}; the next import removes it`);
  if (incomplete > 0) log(`missing: ${incomplete} index entries; import the sequences again to add them`);
  if (summary.findings === 0) return;
  const objects = summary.findings === 1 ? '1 object; delete it' : `${summary.findings} objects; delete them`;
  log(`invalid: ${objects}, and import the lost sequences again`);
  process.exitCode = 1;
}
