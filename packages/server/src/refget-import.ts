import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseSequenceIdentifier } from '@htskit/digest';
import { AUTHORITIES } from '@htskit/protocol';
import { type AliasRow, type ImportSummary, importFasta, parseAliasTable } from '@htskit/refget';
import type { ObjectStore } from '@htskit/storage';
import { fileSource } from '@htskit/storage/file';
import { folderStore } from '@htskit/storage/folder';
import { startProgressBar } from './progress-bar.js';

export interface RefgetImportOptions {
  /** FASTA, plain or compressed. */
  readonly paths: readonly string[];
  /** A folder. */
  readonly store: string;
  readonly namingAuthority?: string | undefined;
  /** Names of the sequences that are circular. */
  readonly circular: readonly string[];
  /** Tables of further aliases; see `parseAliasTable`. */
  readonly aliases: readonly string[];
  readonly signal: AbortSignal;
  /** Told, for people, what was done. */
  readonly log: (message: string) => void;
}

interface ImportTask extends RefgetImportOptions {
  readonly objects: ObjectStore;
  readonly rows: readonly AliasRow[];
  /** Names and digests that options speak of, without those that were found. */
  readonly unknown: Set<string>;
}

/** Imports one file after another to a store. Throws as `importFasta`, with the name of the file. */
export async function refgetImport(options: RefgetImportOptions): Promise<void> {
  const tables = await Promise.all(options.aliases.map(readAliasTable));
  const rows = tables.flat();
  const unknown = new Set([...options.circular, ...rows.map(({ sequence }) => toKey(sequence))]);
  // Before anything is stored, which may take long.
  for (const path of options.paths) await stat(path);
  const objects = folderStore(options.store);
  for (const path of options.paths) {
    const { records, bases, stored } = await importOne(path, { ...options, objects, rows, unknown });
    options.log(`${path}: ${records} sequences of ${bases} bases, ${stored} of them new`);
  }
  if (unknown.size > 0) options.log(`no such sequence was imported: ${[...unknown].slice(0, 10).join(', ')}`);
}

async function readAliasTable(path: string): Promise<AliasRow[]> {
  const bytes = await readFile(path);
  try {
    return parseAliasTable(bytes);
  } catch (cause) {
    throw withPath(path, cause);
  }
}

async function importOne(path: string, task: ImportTask): Promise<ImportSummary> {
  const { objects, rows, circular, namingAuthority, signal, unknown } = task;
  const data = fileSource(path);
  const bar = startProgressBar(basename(path), (await data.stat()).size);
  try {
    return await importFasta({
      store: objects,
      data,
      namingAuthority,
      circular: new Set(circular),
      aliases: rows,
      signal,
      onRecord: ({ name, md5, sha512t24u, trunc512 }) => {
        for (const key of [name, md5, sha512t24u, trunc512]) unknown.delete(key);
      },
      onProgress: (bytesRead) => bar.update(bytesRead),
    });
  } catch (cause) {
    throw withPath(path, cause);
  } finally {
    bar.stop();
    await data.close();
  }
}

/** A digest in its canonical form, and any other text as it is. */
function toKey(text: string): string {
  const identifier = parseSequenceIdentifier(text, { authorities: AUTHORITIES });
  return identifier === undefined || identifier.kind === 'curie' ? text : identifier.digest;
}

function withPath(path: string, cause: unknown): Error {
  return new Error(`${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
}
