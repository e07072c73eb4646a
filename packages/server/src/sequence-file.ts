import type { BigIntStats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ByteSource } from '@htskit/io';
import {
  type DigestCache,
  type DigestProgress,
  type NamedSequence,
  type NamingOptions,
  openFasta,
  openRgstore,
  openTwoBit,
  parseDictionaryDigests,
  type SequenceStore,
} from '@htskit/sequences';
import { type FileSource, fileSource } from '@htskit/storage/file';
import { folderStore } from '@htskit/storage/folder';
import { listFiles } from './list-files.js';
import { toUndefinedIfHidden } from './missing-file.js';
import { readRegularFile } from './read-regular-file.js';
import { openStoreFolder, RGSTORE, STORE_FILES, STORE_MARKER } from './refget-store.js';

const TWO_BIT = /\.2bit$/;
const FASTA = /\.(fa|fasta|fna)(\.gz)?$/;
/** About 5,000,000 sequences. */
const MAX_DICTIONARY_BYTES = 2 ** 29;

export interface OpenSequenceFileOptions {
  readonly naming: NamingOptions;
  readonly keeper: DigestCache | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: DigestProgress) => void;
}

export interface SequenceFile {
  /** None of a store that finds them by itself. */
  readonly sequences: readonly NamedSequence[];
  /** Whether they belong together, as those of a FASTA do: a store has those of any files. */
  readonly isCollection: boolean;
  readonly store?: SequenceStore;
  close(): Promise<void>;
}

/** The files of sequences at a path or below it; none where it has gone. Throws as `listFiles`. */
export async function listSequenceFiles(path: string): Promise<string[]> {
  const stats = await stat(path).catch(toUndefinedIfHidden);
  const files = stats?.isDirectory() === true ? await listFiles(path) : stats === undefined ? [] : [path];
  return files.filter(isSequenceFile);
}

/** Whether the name of a file is that of one that holds sequences. */
export function isSequenceFile(path: string): boolean {
  return FASTA.test(path) || TWO_BIT.test(path) || STORE_FILES.includes(basename(path));
}

export interface SequenceFileState {
  /** Differs whenever the file does. */
  readonly dataVersion: string;
  /** Differs whenever the file or what lies beside it does: a copy that was incomplete is tried again when it is whole. */
  readonly version: string;
  /** Bytes. */
  readonly size: number;
}

/** Undefined where the file has gone, or is none. */
export async function statSequenceFile(file: string): Promise<SequenceFileState | undefined> {
  const stats = await statFile(file);
  if (stats === undefined) return undefined;
  const dataVersion = toVersion(stats);
  const versions = await Promise.all((await listCompanions(file)).map(versionOf));
  return { dataVersion, version: [dataVersion, ...versions].join(' '), size: Number(stats.size) };
}

/** What is read together with a file, whether or not it is there. */
async function listCompanions(file: string): Promise<string[]> {
  if (basename(file) === STORE_MARKER) return [];
  if (basename(file) !== RGSTORE) return TWO_BIT.test(file) ? dictionaryPaths(file) : [`${file}.fai`, `${file}.gzi`];
  const folder = dirname(file);
  const lists = [listNamed(folder, '.rgsi'), listNamed(join(folder, 'aliases', 'sequences'), '.tsv')];
  return (await Promise.all(lists)).flat();
}

/** The paths in a folder whose names end so; none where it cannot be read. */
async function listNamed(folder: string, extension: string): Promise<string[]> {
  const names = (await readdir(folder).catch(toUndefinedIfHidden)) ?? [];
  return names.filter((name) => name.endsWith(extension)).map((name) => join(folder, name));
}

/** Where the SAM header may lie that tells what a 2bit file should hold. */
function dictionaryPaths(file: string): string[] {
  return [file.replace(TWO_BIT, '.dict'), `${file}.dict`];
}

/** Empty where there is no such file. */
async function versionOf(file: string): Promise<string> {
  const stats = await statFile(file);
  return stats === undefined ? '' : toVersion(stats);
}

/** Undefined for what is no file, too: to open a pipe may take for ever. */
async function statFile(path: string): Promise<BigIntStats | undefined> {
  const stats = await stat(path, { bigint: true }).catch(toUndefinedIfHidden);
  return stats?.isFile() === true ? stats : undefined;
}

/** The time of modification can be set back, and is by programs that copy it; that of the last change of state cannot. */
function toVersion({ mtimeNs, ctimeNs, size, ino }: BigIntStats): string {
  return `${mtimeNs}-${ctimeNs}-${size}-${ino}`;
}

/**
 * Opens FASTA, 2bit, a RefgetStore, or a store of `htskit refget import`, which has names of its own: as the file's name
 * tells. Throws as `openFasta`, `openTwoBit`, `openRgstore` and `openSequenceStore` do.
 */
export async function openSequenceFile(
  file: string,
  { naming, ...options }: OpenSequenceFileOptions,
): Promise<SequenceFile> {
  if (basename(file) === RGSTORE) return openRgstoreFolder(file, { naming, signal: options.signal });
  if (basename(file) === STORE_MARKER) {
    const store = await openStoreFolder(dirname(file));
    return { sequences: [], isCollection: false, store, close: () => store.close() };
  }
  const sources: FileSource[] = [];
  const open = (path: string): FileSource => {
    const source = fileSource(path);
    sources.push(source);
    return source;
  };
  const openIfThere = async (path: string): Promise<FileSource | undefined> =>
    (await versionOf(path)) === '' ? undefined : open(path);
  const close = async (): Promise<void> => {
    await Promise.all(sources.map((source) => source.close()));
  };
  const shared = { ...naming, ...options, data: open(file) };
  try {
    const sequences = TWO_BIT.test(file)
      ? await openTwoBit({ ...shared, expected: await readDictionary(file) })
      : await openFasta({
          ...shared,
          fai: await openIfThere(`${file}.fai`),
          gzi: await openIfThere(`${file}.gzi`),
        });
    return { sequences, isCollection: true, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openRgstoreFolder(
  file: string,
  { naming, signal }: Pick<OpenSequenceFileOptions, 'naming' | 'signal'>,
): Promise<SequenceFile> {
  const opened: ByteSource[] = [];
  const folder = folderStore(dirname(file));
  const source: typeof folder.source = (key, options) => {
    const object = folder.source(key, options);
    opened.push(object);
    return object;
  };
  const close = async (): Promise<void> => {
    await Promise.all(opened.map(async (object) => object.close?.()));
  };
  const sequences = await openRgstore({ ...naming, store: { source }, signal });
  return { sequences, isCollection: false, close };
}

async function readDictionary(file: string): Promise<Map<string, string> | undefined> {
  for (const path of dictionaryPaths(file)) {
    const bytes = await readRegularFile(path, MAX_DICTIONARY_BYTES);
    if (bytes !== undefined) return parseDictionaryDigests(bytes);
  }
  return undefined;
}
