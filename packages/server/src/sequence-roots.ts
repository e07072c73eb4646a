import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { checkNamingAuthority, type NamingOptions } from '@htskit/sequences';
import { readAliasTable } from './read-alias-table.js';
import { listSequenceFiles, type SequenceFileState, statSequenceFile } from './sequence-file.js';

/** Files that share what is known of their sequences. */
export interface SequencePaths {
  /** Files and folders that hold FASTA, 2bit, RefgetStores, and stores, which have names of their own. */
  readonly paths: readonly string[];
  /** Who gave the sequences their names; makes each name an alias. */
  readonly namingAuthority?: string | undefined;
  /** Names of sequences that are circular, in whichever of them. */
  readonly circular?: readonly string[] | undefined;
  /** Tables of further aliases, read at the start; see `parseAliasTable`. */
  readonly aliases?: readonly string[] | undefined;
}

/** Where files are looked for, and what is known of their sequences. */
export interface SequenceRoot {
  readonly path: string;
  readonly naming: NamingOptions;
}

/** A file as it was when it was looked for. */
export interface FoundFile extends SequenceFileState {
  readonly naming: NamingOptions;
}

/** Throws where a path does not exist, and for aliases and naming authorities that are malformed. */
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

/** The files that are there now, by path: the short ones first, which are ready soon. */
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
