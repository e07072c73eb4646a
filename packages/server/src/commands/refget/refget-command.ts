import type { CharacterPolicy } from '@htskit/sequences';
import type { Command } from 'commander';
import { addValue, charactersOption, parseNamingAuthority, withInterrupt } from '../command-line.js';
import { addCollectionCommands } from './collection-commands.js';
import { addCompareCommand } from './compare-command.js';
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
    .action(async (paths: string[], flags: ImportFlags) => {
      const { refgetImport } = await import('./refget-import.js');
      const log = (message: string): void => void process.stderr.write(`${message}\n`);
      await withInterrupt((signal) => refgetImport({ ...flags, paths, signal, log }));
    });
  command
    .command('verify')
    .description('digest every sequence of a store and check every alias; print the problems')
    .argument('<STORE>', 'folder of the store, or s3://BUCKET/PREFIX', parseStore)
    .option('--json', 'print JSON', false)
    .addHelpText('after', VERIFY_NOTES)
    .action(async (path: string, { json }: { readonly json: boolean }) => {
      const { refgetVerify } = await import('./refget-verify.js');
      await withInterrupt((signal) => refgetVerify(path, json, signal));
    });
  addCollectionCommands(command);
  addCompareCommand(command);
}
