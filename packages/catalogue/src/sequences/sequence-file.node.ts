import type { BigIntStats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ByteSource, ObjectStore } from '@htskit/io';
import { companionPathOf, isEncryptedPath, plainPathOf } from '@htskit/io/internal';
import {
  type CollectionSource,
  type DigestCache,
  type NamingOptions,
  parseDictionaryDigests,
  type SequenceStore,
} from '@htskit/sequences';
import {
  type OpenProgress,
  readRgstore,
  readTwoBitTable,
  type SequenceTable,
  toFastaTable,
  toImportedTable,
  toTwoBitTable,
} from '@htskit/sequences/internal';
import { type Blocking, FileAccess, fileSource } from '@htskit/storage/file';
import { folderStore } from '@htskit/storage/folder';
import { toUndefinedIfHidden } from '../files/file-errors.node.js';
import { listFiles } from '../files/list-files.node.js';
import { readRegularFile } from '../files/whole-file.node.js';
import type { Decrypt } from '../objects/object-catalogue.js';
import { openStoreFolder, RGSTORE, STORE_FILES, STORE_MARKER } from './store-folder.node.js';
import { type FastaSettings, type FileTable, type ReadFastaOptions, readFastaFile } from './table/fasta-table.node.js';

const TWO_BIT = /\.2bit(\.c4gh)?$/;
const FASTA = /\.(fa|fasta|fna)(\.gz)?(\.c4gh)?$/;
/** Enough for about 5,000,000 sequences. */
const MAX_DICTIONARY_BYTES = 2 ** 29;

export interface ReadTableOptions extends FastaSettings, Pick<ReadFastaOptions, 'dataVersion' | 'warn'> {
  /** Caches the digests of the file. */
  readonly digestCache?: DigestCache;
  /** Whether short reads block the thread. Default `auto`. */
  readonly blocking?: Blocking;
  /** Decrypts an encrypted file, and its index. Default: it cannot be opened. */
  readonly decrypt?: Decrypt | undefined;
  readonly signal?: AbortSignal;
  readonly onProgress: (progress: OpenProgress) => void;
}

export interface OpenSequenceFileOptions extends ReadTableOptions {
  readonly naming: NamingOptions;
  /** Reads the table of a FASTA or 2bit file in another way. Default `readSequenceTable`. */
  readonly readTable?: () => Promise<FileTable>;
}

export interface SequenceFile {
  /** Undefined for a store, which finds its sequences itself. */
  readonly sequences?: SequenceTable;
  readonly store?: SequenceStore;
  /** The collections of a RefgetStore. */
  readonly collections?: CollectionSource;
  close(): Promise<void>;
}

/** Lists the sequence files at or below a path; none if it does not exist. Throws what `listFiles` throws. */
export async function listSequenceFiles(path: string): Promise<string[]> {
  const stats = await stat(path).catch(toUndefinedIfHidden);
  const files = stats?.isDirectory() === true ? await listFiles(path) : stats === undefined ? [] : [path];
  return files.filter(isSequenceFile);
}

/** Returns whether a file holds sequences, by its name. */
export function isSequenceFile(path: string): boolean {
  return isDigested(path) || STORE_FILES.includes(basename(path));
}

/** Returns whether the digests of a sequence file are computed, by its name. Stores have theirs. */
export function isDigested(path: string): boolean {
  return FASTA.test(path) || TWO_BIT.test(path);
}

export interface SequenceFileState {
  /** Changes whenever the file changes. */
  readonly dataVersion: string;
  /** Changes whenever the file or an index beside it changes, so that an incomplete copy is retried when it is complete. */
  readonly version: string;
  /** Size in bytes. */
  readonly size: number;
}

/** Returns undefined if the file was deleted or is not a regular file. */
export async function statSequenceFile(file: string): Promise<SequenceFileState | undefined> {
  const stats = await statFile(file);
  if (stats === undefined) return undefined;
  const dataVersion = toVersion(stats);
  const versions = await Promise.all((await listCompanions(file)).map(versionOf));
  return { dataVersion, version: [dataVersion, ...versions].join(' '), size: Number(stats.size) };
}

/** Lists the files that are read together with a file, whether or not they exist. */
async function listCompanions(file: string): Promise<string[]> {
  if (basename(file) === STORE_MARKER) return [];
  if (basename(file) !== RGSTORE) {
    return TWO_BIT.test(file) ? dictionaryPaths(file) : [...besidesOf(file, '.fai'), ...besidesOf(file, '.gzi')];
  }
  const folder = dirname(file);
  const lists = [listNamed(folder, '.rgsi'), listNamed(join(folder, 'aliases', 'sequences'), '.tsv')];
  return (await Promise.all(lists)).flat();
}

/** Returns the possible paths of an index of a FASTA. That of an encrypted one may be encrypted, too. */
function besidesOf(file: string, extension: '.fai' | '.gzi'): string[] {
  const paths = [companionPathOf(file, extension), file + extension, plainPathOf(file) + extension];
  return isEncryptedPath(file) ? paths : [file + extension];
}

/** Lists the paths in a folder with an extension; none if the folder cannot be read. */
async function listNamed(folder: string, extension: string): Promise<string[]> {
  const names = (await readdir(folder).catch(toUndefinedIfHidden)) ?? [];
  return names.filter((name) => name.endsWith(extension)).map((name) => join(folder, name));
}

/** Returns the possible paths of the SAM header (`samtools dict`) with the expected digests of a 2bit file. */
function dictionaryPaths(file: string): string[] {
  return [file.replace(TWO_BIT, '.dict'), `${file}.dict`];
}

/** Returns an empty version if the file does not exist. */
async function versionOf(file: string): Promise<string> {
  const stats = await statFile(file);
  return stats === undefined ? '' : toVersion(stats);
}

/** Returns undefined for anything but a regular file, too: opening a pipe may never return. */
async function statFile(path: string): Promise<BigIntStats | undefined> {
  const stats = await stat(path, { bigint: true }).catch(toUndefinedIfHidden);
  return stats?.isFile() === true ? stats : undefined;
}

/** Includes ctime: programs that copy files set mtime back, which ctime does not allow. */
function toVersion({ mtimeNs, ctimeNs, size, ino }: BigIntStats): string {
  return `${mtimeNs}-${ctimeNs}-${size}-${ino}`;
}

/**
 * Opens a FASTA or 2bit file, a RefgetStore, or a store of `htskit refget import`, depending on the file name. Throws what
 * `openFasta`, `openTwoBit`, `openRgstore` and `openSequenceStore` throw.
 */
export async function openSequenceFile(
  file: string,
  { naming, readTable = () => readSequenceTable(file, options), ...options }: OpenSequenceFileOptions,
): Promise<SequenceFile> {
  const { blocking, characters } = options;
  const access = new FileAccess(file, { blocking });
  if (basename(file) === RGSTORE) return openRgstoreFolder(file, { naming, access, signal: options.signal });
  if (basename(file) === STORE_MARKER) {
    const store = await openStoreFolder(dirname(file), blocking);
    return { store, close: () => store.close() };
  }
  const table = await readTable();
  if (table.store !== undefined) {
    const store = await openStoreFolder(table.store, blocking);
    return { sequences: toImportedTable(table, store, naming), close: () => store.close() };
  }
  const data = openPlain(file, { access, decrypt: options.decrypt });
  const toSequences = TWO_BIT.test(file) ? toTwoBitTable : toFastaTable;
  const sequences = await toSequences(table, { ...naming, characters, data });
  return { sequences, close: async () => data.close?.() };
}

/** Opens a file, decrypted if its name says that it is encrypted. Throws Error if it cannot be decrypted. */
function openPlain(
  path: string,
  { access, decrypt }: Pick<ReadTableOptions, 'decrypt'> & { readonly access: FileAccess },
): ByteSource {
  const stored = fileSource(path, { access });
  if (!isEncryptedPath(path)) return stored;
  if (decrypt !== undefined) return decrypt(stored);
  throw new Error('it is encrypted by Crypt4GH: its sequences are served with a key and crypt4gh.plainDelivery');
}

/** Digests a FASTA or 2bit file, unless its digests are cached, and checks the files that accompany it. */
export async function readSequenceTable(
  file: string,
  { blocking, decrypt, ...options }: ReadTableOptions,
): Promise<FileTable> {
  const access = new FileAccess(file, { blocking });
  const sources: ByteSource[] = [];
  const open = (path: string): ByteSource => {
    const source = openPlain(path, { access, decrypt });
    sources.push(source);
    return source;
  };
  const openIndex = async (extension: '.fai' | '.gzi'): Promise<ByteSource | undefined> => {
    for (const path of besidesOf(file, extension)) if ((await versionOf(path)) !== '') return open(path);
    return undefined;
  };
  const shared = { ...options, data: open(file) };
  try {
    if (TWO_BIT.test(file)) return await readTwoBitTable({ ...shared, expected: await readDictionary(file) });
    const [fai, gzi] = [await openIndex('.fai'), await openIndex('.gzi')];
    return await readFastaFile(file, { ...shared, fai, gzi, isEncrypted: isEncryptedPath(file) });
  } finally {
    await Promise.all(sources.map(async (source) => source.close?.()));
  }
}

async function openRgstoreFolder(
  file: string,
  { naming, access, signal }: Pick<OpenSequenceFileOptions, 'naming' | 'signal'> & { readonly access: FileAccess },
): Promise<SequenceFile> {
  const store = keepSources(folderStore(dirname(file), { access }));
  const { sequences, collections } = await readRgstore({ ...naming, store, signal });
  return { sequences, collections, close: store.close };
}

/** Returns one source for each object of a store, however often it is requested, so that all can be closed. */
export function keepSources(store: Pick<ObjectStore, 'source'>): {
  readonly source: (key: string) => ByteSource;
  readonly close: () => Promise<void>;
} {
  const sources = new Map<string, ByteSource>();
  return {
    source(key) {
      const source = sources.get(key) ?? store.source(key);
      sources.set(key, source);
      return source;
    },
    async close() {
      await Promise.all(Array.from(sources.values(), async (source) => source.close?.()));
    },
  };
}

async function readDictionary(file: string): Promise<Map<string, string> | undefined> {
  for (const path of dictionaryPaths(file)) {
    const bytes = await readRegularFile(path, MAX_DICTIONARY_BYTES);
    if (bytes !== undefined) return parseDictionaryDigests(bytes);
  }
  return undefined;
}
