import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { readAliasTable } from '@htskit/catalogue/internal';
import { parseSequenceIdentifier } from '@htskit/digest';
import type { ObjectStore } from '@htskit/io';
import { AUTHORITIES } from '@htskit/protocol';
import {
  type AliasRow,
  type CharacterPolicy,
  type FastaDigests,
  type ImportSummary,
  importFasta,
} from '@htskit/sequences';
import { namesOf, RecordWarnings } from '@htskit/sequences/internal';
import { fileSource } from '@htskit/storage/file';
import { ofFile } from '../../errors.js';
import { checkFastaIndexes } from '../../stored-file/check-fasta-indexes.js';
import { toObjectStore } from '../../stored-file/object-store.js';
import { startProgressBar } from '../../terminal/progress.js';

export interface RefgetImportOptions {
  /** Paths of FASTA files, plain or compressed. */
  readonly paths: readonly string[];
  /** A folder, or s3://BUCKET/PREFIX. */
  readonly store: string;
  readonly namingAuthority?: string;
  /** Names of the circular sequences. */
  readonly circular: readonly string[];
  /** Paths of alias tables; see `parseAliasTable`. */
  readonly aliases: readonly string[];
  readonly characters?: CharacterPolicy;
  readonly signal: AbortSignal;
  /** Receives a line per file. */
  readonly log: (message: string) => void;
}

interface ImportTask extends RefgetImportOptions {
  readonly objects: ObjectStore;
  readonly rows: readonly AliasRow[];
  /** The sequences that the options name. */
  readonly wanted: WantedSequences;
}

/** Imports files into a store, one after another. Throws the errors of `importFasta` with the path of the file. */
export async function refgetImport(options: RefgetImportOptions): Promise<void> {
  const tables = await Promise.all(options.aliases.map(readAliasTable));
  const rows = tables.flat();
  const wanted = new WantedSequences();
  for (const name of options.circular) wanted.add([name]);
  // The rows of a sequence share its names.
  for (const names of new Set(rows.map(namesOf))) wanted.add(names);
  // Missing files are reported before the first import, which may take long.
  for (const path of options.paths) await stat(path);
  const objects = toObjectStore(options.store);
  for (const path of options.paths) {
    const { records, bases, stored } = await importOne(path, { ...options, objects, rows, wanted });
    options.log(`${path}: ${records} sequences with ${bases} bases, ${stored} of them new`);
  }
  const missing = wanted.missing();
  if (missing.length > 0) options.log(`no imported sequence has the name ${missing.slice(0, 10).join(', ')}`);
}

async function importOne(path: string, task: ImportTask): Promise<ImportSummary> {
  const { objects, rows, circular, namingAuthority, characters, signal, wanted } = task;
  await checkFastaIndexes(path).catch((error: unknown) => {
    throw ofFile(path, error);
  });
  const data = fileSource(path);
  const bar = startProgressBar(basename(path), (await data.stat()).size);
  const warnings = new RecordWarnings({
    characters: characters === 'sam' ? 'sam' : 'letters',
    warn: (message) => task.log(`${path}: ${message}`),
  });
  try {
    const summary = await importFasta({
      store: objects,
      data,
      namingAuthority,
      circular: new Set(circular),
      aliases: rows,
      signal,
      characters,
      onRecord(digests) {
        wanted.find(digests);
        warnings.add(digests);
      },
      onProgress: (bytesRead) => bar.update(bytesRead),
    });
    warnings.finish();
    return summary;
  } catch (error) {
    throw ofFile(path, error);
  } finally {
    bar.stop();
    await data.close();
  }
}

/** Tracks which of the sequences that the options name, by any of their names or digests, were imported. */
class WantedSequences {
  /** The first name of each sequence that was not found, by its joined names. */
  readonly #missing = new Map<string, string>();
  /** The joined names of the sequences that have a name or digest. */
  readonly #byKey = new Map<string, string[]>();

  /** Adds a sequence, unless it was added with the same names. */
  add(names: readonly string[]): void {
    const all = names.join('\t');
    if (this.#missing.has(all)) return;
    this.#missing.set(all, names[0] ?? '');
    for (const name of names) {
      const key = toKey(name);
      const known = this.#byKey.get(key);
      if (known === undefined) this.#byKey.set(key, [all]);
      else known.push(all);
    }
  }

  find({ name, md5, sha512t24u, trunc512 }: FastaDigests): void {
    for (const key of [name, md5, sha512t24u, trunc512]) {
      for (const all of this.#byKey.get(key) ?? []) this.#missing.delete(all);
      this.#byKey.delete(key);
    }
  }

  /** Returns the first name of each sequence that was not found. */
  missing(): string[] {
    return [...new Set(this.#missing.values())];
  }
}

/** Returns a digest in its canonical form, and any other text unchanged. */
function toKey(text: string): string {
  const identifier = parseSequenceIdentifier(text, { authorities: AUTHORITIES });
  return identifier === undefined || identifier.kind === 'curie' ? text : identifier.digest;
}
