import { toObjectStore } from '@htskit/catalogue/internal';
import {
  type CollectionSummary,
  exportFasta,
  exportRgstore,
  exportTable,
  openSequenceStore,
  removeCollection,
} from '@htskit/sequences';
import { folderStore } from '@htskit/storage/folder';
import { type Command, Option } from 'commander';
import { ofFile, UsageError } from '../../errors.js';
import { checkOutput, STDOUT, writeOutput } from '../../files/write-output.js';
import { escapeControls } from '../../terminal/escape-controls.js';
import { withInterrupt } from '../command-line.js';
import { parseStore } from './store-argument.js';

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

interface ExportFlags {
  readonly format: 'fasta' | 'table' | 'rgstore';
  readonly output: string;
  readonly raw: boolean;
}

/** Adds `htskit refget list`, `export` and `remove`. */
export function addCollectionCommands(refget: Command): void {
  refget
    .command('list')
    .description('list the sequence collections of a store')
    .argument('<STORE>', 'folder of the store, or s3://BUCKET/PREFIX', parseStore)
    .option('--json', 'print JSON, with the digests of all attributes', false)
    .addHelpText('after', LIST_NOTES)
    .action((path: string, { json }: { readonly json: boolean }) => list(path, json));
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
    .action((path: string, digests: string[]) => withInterrupt((signal) => remove(path, digests, signal)));
}

/** Returns the collections, sorted by digest. Throws Error with the path. */
async function listCollections(path: string): Promise<CollectionSummary[]> {
  try {
    const store = await openSequenceStore(toObjectStore(path));
    return [...(await store.collections.list())].sort((a, b) => (a.digest < b.digest ? -1 : 1));
  } catch (error) {
    throw ofFile(path, error);
  }
}

async function list(path: string, isJson: boolean): Promise<void> {
  const collections = await listCollections(path);
  if (isJson) {
    process.stdout.write(`${JSON.stringify(collections, null, 2)}\n`);
    return;
  }
  for (const { digest, length, attributes } of collections) {
    process.stdout.write(`${[digest, length, attributes.names, attributes.sequences].join('\t')}\n`);
  }
}

async function exportCollections(
  path: string,
  digests: readonly string[],
  { format, output, raw, signal }: ExportFlags & { readonly signal: AbortSignal },
): Promise<void> {
  const isRgstore = format === 'rgstore';
  if (isRgstore && output === STDOUT) throw new UsageError('a RefgetStore is a folder; name it with -o');
  if (raw && !isRgstore) throw new UsageError('--raw applies only to --format rgstore');
  if (!isRgstore && digests.length > 1) throw new UsageError(`--format ${format} exports one collection`);
  const store = toObjectStore(path);
  const collections = digests.length > 0 ? digests : (await listCollections(path)).map(({ digest }) => digest);
  try {
    if (isRgstore) {
      await exportRgstore(store, { target: folderStore(output), collections, isEncoded: !raw, signal });
      return;
    }
    const [digest] = collections;
    if (digest === undefined || collections.length > 1) {
      throw new UsageError(`the store has ${collections.length} collections; name one, see htskit refget list`);
    }
    await checkOutput(output, []);
    const toChunks = format === 'fasta' ? exportFasta : exportTable;
    await writeOutput(output, toChunks(store, digest, { signal }), { signal });
  } catch (error) {
    throw ofFile(path, error);
  }
}

async function remove(path: string, digests: readonly string[], signal: AbortSignal): Promise<void> {
  const store = toObjectStore(path);
  for (const digest of digests) {
    const { sequences } = await removeCollection(store, digest, { signal }).catch((error: unknown) => {
      throw ofFile(path, error);
    });
    process.stderr.write(`removed: collection ${digest} and ${sequences} sequences\n`);
  }
}
