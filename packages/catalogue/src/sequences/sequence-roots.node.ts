import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type AliasRow, type NamingOptions, parseAliasTable } from '@htskit/sequences';
import { checkNamingAuthority } from '@htskit/sequences/internal';
import { describeError } from '../files/file-errors.node.js';
import { listSequenceFiles, type SequenceFileState, statSequenceFile } from './sequence-file.node.js';

/** Sequence files that share naming options. */
export interface SequencePaths {
  /** FASTA and 2bit files, folders with such files and RefgetStores, and sequence stores, which have their own names. */
  readonly paths: readonly string[];
  /** The authority that named the sequences: makes each name an alias in its namespace. */
  readonly namingAuthority?: string;
  /** Names of circular sequences, in any of the files. */
  readonly circular?: readonly string[];
  /** Paths of tables of further aliases, read once when the catalogue is opened; see `parseAliasTable`. */
  readonly aliases?: readonly string[];
}

/** A file or folder and the naming options of its sequences. */
export interface SequenceRoot {
  readonly path: string;
  readonly naming: NamingOptions;
}

/** The state of a file when it was found. */
export interface FoundFile extends SequenceFileState {
  readonly naming: NamingOptions;
}

/** Throws system errors for a path that does not exist, and Error for malformed aliases or naming authorities. */
export async function openSequenceRoots({
  paths,
  namingAuthority,
  circular,
  aliases = [],
}: SequencePaths): Promise<SequenceRoot[]> {
  await Promise.all(paths.map((path) => stat(path)));
  if (namingAuthority !== undefined) checkNamingAuthority(namingAuthority);
  const rows = await Promise.all(aliases.map(readAliasTable));
  const naming = { namingAuthority, circular: new Set(circular), aliases: rows.flat() };
  return paths.map((path) => ({ path: resolve(path), naming }));
}

/** Returns the files that exist now, by path and ordered by size, so that small ones are ready soon. */
export async function findSequenceFiles(roots: readonly SequenceRoot[]): Promise<Map<string, FoundFile>> {
  const found = new Map<string, FoundFile>();
  for (const { path, naming } of roots) {
    for (const file of await listSequenceFiles(path)) {
      const state = found.has(file) ? undefined : await statSequenceFile(file);
      if (state !== undefined) found.set(file, { ...state, naming });
    }
  }
  return new Map([...found].sort(([, a], [, b]) => a.size - b.size));
}

/** The file names of UCSC, such as `hg38.chromAlias.txt`. */
const CHROM_ALIAS = /(^|[./\\])chromAlias\.(txt|tab|tsv)(\.gz)?$/;
/** The maximum number of bytes of a table that was compressed. */
const MAX_TABLE_BYTES = 2 ** 30;

/** Reads a table of aliases, plain or compressed by gzip. Throws Error with its path if it cannot be read or is malformed. */
export async function readAliasTable(path: string): Promise<AliasRow[]> {
  try {
    return parseAliasTable(await readTable(path), { isChromAlias: CHROM_ALIAS.test(path) });
  } catch (error) {
    const reason = describeError(error);
    throw new Error(reason.startsWith(`${path}: `) ? reason : `${path}: ${reason}`, { cause: error });
  }
}

async function readTable(path: string): Promise<Uint8Array> {
  const bytes = await readFile(path);
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  return promisify(gunzip)(bytes, { maxOutputLength: MAX_TABLE_BYTES });
}
