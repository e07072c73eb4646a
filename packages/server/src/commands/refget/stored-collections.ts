import { exportFasta, exportRgstore, exportTable, openSequenceStore, removeCollection } from '@htskit/sequences';
import type { CollectionSummary } from '@htskit/sequences/internal';
import { folderStore } from '@htskit/storage/folder';
import { ofFile, UsageError } from '../../errors.js';
import { STDOUT } from '../../files/standard-streams.js';
import { checkOutput, writeOutput } from '../../files/write-output.js';
import { toObjectStore } from '../../stored-file/object-store.js';

/** The options of `htskit refget export`. */
export interface ExportFlags {
  readonly format: 'fasta' | 'table' | 'rgstore';
  readonly output: string;
  readonly raw: boolean;
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

/** Prints the collections of a store. */
export async function printCollections(path: string, isJson: boolean): Promise<void> {
  const collections = await listCollections(path);
  if (isJson) {
    process.stdout.write(`${JSON.stringify(collections, null, 2)}\n`);
    return;
  }
  for (const { digest, length, attributes } of collections) {
    process.stdout.write(`${[digest, length, attributes.names, attributes.sequences].join('\t')}\n`);
  }
}

/** Exports collections of a store, by default all. Throws UsageError for options that do not fit. */
export async function exportCollections(
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

/** Removes collections from a store. */
export async function removeCollections(path: string, digests: readonly string[], signal: AbortSignal): Promise<void> {
  const store = toObjectStore(path);
  for (const digest of digests) {
    const { sequences } = await removeCollection(store, digest, { signal }).catch((error: unknown) => {
      throw ofFile(path, error);
    });
    process.stderr.write(`removed: collection ${digest} and ${sequences} sequences\n`);
  }
}
