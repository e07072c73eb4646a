import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ByteSource } from '@htskit/io';
import { type CharacterPolicy, type OpenFastaOptions, SequenceSourceError } from '@htskit/sequences';
import { RecordWarnings, readFastaTable, readImportedTable, type VersionedTable } from '@htskit/sequences/internal';
import { folderStore } from '@htskit/storage/folder';
import { digestFile, shortHash } from '../digest-file.node.js';

/** The table of a file. */
export interface FileTable extends VersionedTable {
  /** The folder of the store that holds the sequences; undefined if they are read in place. */
  readonly store?: string;
}

/** How the FASTA files are read. */
export interface FastaSettings {
  /** The characters that the sequences and their digests consist of. Default `letters`. */
  readonly characters?: CharacterPolicy;
  /** A folder for the digests of all files, and for the sequences that cannot be read in place. Default: beside each file. */
  readonly cache?: string;
}

export interface ReadFastaOptions
  extends FastaSettings,
    Pick<OpenFastaOptions, 'digestCache' | 'signal' | 'onProgress'> {
  readonly data: ByteSource;
  readonly fai: ByteSource | undefined;
  readonly gzi: ByteSource | undefined;
  /** Whether the file is encrypted. It is not imported then, since the store would have its plaintext. */
  readonly isEncrypted: boolean;
  /** The version of the file. What was imported of another version is not used. */
  readonly dataVersion: string;
  /** Receives messages about records that are not served as they are. */
  readonly warn: (message: string) => void;
}

/** The maximum number of records of a file that a message names. */
const NAMED_RECORDS = 10;

/**
 * Reads the table of a FASTA. If some of its records cannot be read in place, or none because it is compressed by gzip, the
 * file is imported into a store in the cache folder. Without such a folder, those records are left out.
 */
export async function readFastaFile(file: string, options: ReadFastaOptions): Promise<FileTable> {
  const { isEncrypted, characters, warn } = options;
  const cache = isEncrypted ? undefined : options.cache;
  const advice = isEncrypted ? ENCRYPTED_ADVICE : ADVICE;
  const warnings = new RecordWarnings({
    characters: characters === 'sam' ? 'sam' : 'letters',
    warn,
    limit: NAMED_RECORDS,
  });
  const onRecord: OpenFastaOptions['onRecord'] = (digests) => warnings.add(digests);
  const leftOut: string[] = [];
  const onUnaddressable: OpenFastaOptions['onUnaddressable'] = ({ name }) => {
    if (leftOut.length < NAMED_RECORDS) leftOut.push(JSON.stringify(name));
  };
  try {
    const found = await readFastaTable({ ...options, onRecord, onUnaddressable });
    warnings.finish();
    const count = found.table.places['leftOut']?.[0] ?? 0;
    if (count === 0) return found;
    // The records have been reported.
    if (cache !== undefined) return await importFile(file, options, cache);
    const names = leftOut.length === 0 ? '' : `: ${leftOut.join(', ')}${count > leftOut.length ? ', …' : ''}`;
    warn(`${count} records are not served, since their bases cannot be read in place; ${advice}${names}`);
    return found;
  } catch (error) {
    if (!(error instanceof SequenceSourceError) || error.code !== 'UNSUPPORTED_COMPRESSION') throw error;
    if (cache === undefined) throw new Error(`gzip cannot be read in place; ${advice}, or recompress it with bgzip`);
    const imported = await importFile(file, { ...options, onRecord }, cache);
    warnings.finish();
    return imported;
  }
}

const ENCRYPTED_ADVICE = 'an encrypted file is not imported into refget.cache, which is plain';
const ADVICE = 'set refget.cache (--cache DIR), or serve a store made by htskit refget import';

/** Imports a FASTA into a store of its own in the cache folder, and removes the stores of its other versions. */
async function importFile(
  file: string,
  {
    data,
    characters,
    dataVersion,
    signal,
    onProgress,
    onRecord,
    warn,
  }: ReadFastaOptions & Pick<OpenFastaOptions, 'onRecord'>,
  cache: string,
): Promise<FileTable> {
  const prefix = `${basename(file)}.${shortHash(file)}.`;
  const name = `${prefix}${shortHash(dataVersion)}.store`;
  const store = join(cache, name);
  const onError = (error: Error): void => warn(error.message);
  const digestCache = digestFile(store, { cache: undefined, dataVersion, onError });
  const imported = await readImportedTable({
    data,
    characters,
    store: folderStore(store),
    digestCache,
    signal,
    onProgress,
    onRecord,
  });
  for (const other of await readdir(cache)) {
    // The digests of the file itself have the same prefix.
    if (other.startsWith(prefix) && /\.store(\.digests)?$/.test(other) && !other.startsWith(name)) {
      await rm(join(cache, other), { recursive: true, force: true });
    }
  }
  return { ...imported, store };
}
