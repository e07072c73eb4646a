import { type Command, Option } from 'commander';
import { STDOUT } from '../../files/standard-streams.js';
import { escapeControls } from '../../terminal/escape-controls.js';
import { UsageError } from '../../usage-error.js';
import { withInterrupt } from '../command-line.js';
import { parseStore } from './store-argument.js';
import type { ExportFlags } from './stored-collections.js';

const LIST_NOTES = `
The columns are the digest of the collection, the number of sequences, and the
digests of their names and of their sequences.

Examples:
  htskit refget list refget-store
  htskit refget list --json s3://bucket/refget-store

Exit codes: 0, 1 (failed), 2 (usage).`;
const EXPORT_NOTES = `
The formats:
  fasta     one collection, with its names in its order
  table     name, length, MD5, sha512t24u and TRUNC512 of each sequence
  rgstore   a RefgetStore of gtars in the folder OUTPUT, of some or all collections;
            with --raw, sequences are stored as text

COLLECTION may be omitted if the store has only one.

Examples:
  htskit refget export refget-store > genome.fa
  htskit refget export refget-store COLLECTION --format table -o names.tsv
  htskit refget export refget-store --format rgstore -o rgstore

Exit codes: 0, 1 (failed), 2 (usage).`;
const REMOVE_NOTES = `
Sequences that another collection has are kept. Run no import at the same time.

Examples:
  htskit refget remove refget-store XZlrcEGi6mlopZ2uD8ObHkQB1d0oDwKk

Exit codes: 0, 1 (failed), 2 (usage).`;

/** Adds `htskit refget list`, `export` and `remove`. */
export function addCollectionCommands(refget: Command): void {
  refget
    .command('list')
    .description('list the sequence collections of a store')
    .argument('<STORE>', 'folder of the store, or s3://BUCKET/PREFIX', parseStore)
    .option('--json', 'print JSON, with the digests of all attributes', false)
    .addHelpText('after', LIST_NOTES)
    .action(async (path: string, { json }: { readonly json: boolean }) => {
      const { printCollections } = await import('./stored-collections.js');
      await printCollections(path, json);
    });
  refget
    .command('export')
    .description('export collections of a store as FASTA, as a table, or as a RefgetStore of gtars')
    .argument('<STORE>', 'folder of the store, or s3://BUCKET/PREFIX', parseStore)
    .argument('[COLLECTION...]', 'digests of the collections')
    .addOption(new Option('--format <format>', 'format').choices(['fasta', 'table', 'rgstore']).default('fasta'))
    .option('-o, --output <path>', 'output file, or - for stdout; for rgstore, a folder', STDOUT)
    .option('--raw', 'store the sequences of a RefgetStore as text', false)
    .addHelpText('after', EXPORT_NOTES)
    .action(async (path: string, digests: string[], flags: ExportFlags, command: Command) => {
      try {
        const { exportCollections } = await import('./stored-collections.js');
        await withInterrupt((signal) => exportCollections(path, digests, { ...flags, signal }));
      } catch (error) {
        if (error instanceof UsageError) command.error(`error: ${escapeControls(error.message)}`);
        throw error;
      }
    });
  refget
    .command('remove')
    .description('remove collections from a store, with the sequences that only they have')
    .argument('<STORE>', 'folder of the store, or s3://BUCKET/PREFIX', parseStore)
    .argument('<COLLECTION...>', 'digests of the collections')
    .addHelpText('after', REMOVE_NOTES)
    .action(async (path: string, digests: string[]) => {
      const { removeCollections } = await import('./stored-collections.js');
      await withInterrupt((signal) => removeCollections(path, digests, signal));
    });
}
