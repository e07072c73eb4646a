import type { Command } from 'commander';
import { STDIN } from '../../files/standard-streams.js';
import { escapeControls } from '../../terminal/escape-controls.js';
import { UsageError } from '../../usage-error.js';
import { addValue, charactersOption, withInterrupt } from '../command-line.js';
import type { CompareFlags } from './compare-genomes.js';

const NOTES = `
A and B are each one of:
  a FASTA file, plain or compressed by bgzip or gzip, - for stdin, or a 2bit file
  a store with one collection: a folder, a RefgetStore, or s3://BUCKET/PREFIX
  the URL of a collection: https://HOST/collection/DIGEST
  the digest of a collection that is found with --in

Prints a line such as "same sequences, other names; 3 extra in B", and counts. With
--json it prints the comparison of the specification of sequence collections.

Examples:
  htskit refget compare hg38.fa.gz GRCh38.fa.gz
  htskit refget compare genome.fa https://data.example.org/collection/DIGEST
  htskit refget compare --json DIGEST refget-store --in https://data.example.org

Exit codes: 0 (compared, whatever the result), 1 (failed), 2 (usage).`;

/** Adds `htskit refget compare`. */
export function addCompareCommand(refget: Command): void {
  const command = refget
    .command('compare')
    .description('say what two genomes have in common')
    .argument('<A>', 'FASTA or 2bit file, store, URL or digest of a collection')
    .argument('<B>', 'the same')
    .option(
      '--in <source>',
      'where to find digests: the URL of a service, a store, a path that serve takes, or a configuration ' +
        '(*.yaml); repeatable',
      addValue,
      [],
    )
    .option('--json', 'print the comparison of the specification', false)
    .addOption(charactersOption())
    .option('-H, --http-header <header>', "request header 'Name: value' for URLs; repeatable", addValue, [])
    .option('--token-file <file>', 'file with a bearer token for URLs')
    .addHelpText('after', NOTES);
  command.action(async (a: string, b: string, flags: CompareFlags) => {
    if (a === STDIN && b === STDIN) command.error('error: - may be given only once');
    try {
      const { compareGenomes } = await import('./compare-genomes.js');
      await withInterrupt((signal) => compareGenomes({ a, b, flags, signal }));
    } catch (error) {
      if (error instanceof UsageError) command.error(`error: ${escapeControls(error.message)}`);
      throw error;
    }
  });
}
