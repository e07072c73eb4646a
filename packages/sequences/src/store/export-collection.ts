import { encodeText, type ObjectStore } from '@htskit/io';
import { textAt } from '../table/columns.js';
import { digestsAt } from '../table/table-data.js';
import { SequenceObject } from './object/sequence-object.js';
import { SequenceStoreError } from './sequence-store-error.js';
import { readMarker } from './store-entries.js';
import { sequenceKey } from './store-layout.js';
import { readCollection, type StoredCollection } from './stored-collections.js';

export interface ExportOptions {
  readonly signal?: AbortSignal;
}

export interface ExportFastaOptions extends ExportOptions {
  /** Bases per line. Default 60. */
  readonly lineBases?: number;
}

/** Bytes that are gathered before they are yielded. */
const CHUNK_BYTES = 65_536;

/**
 * Yields a collection of a store as FASTA text, with its names in its order. Throws RangeError for lines without bases,
 * SequenceStoreError NOT_A_STORE, UNKNOWN_COLLECTION and CORRUPT, and StorageError.
 *
 * @example
 * await writeFile('genome.fa', exportFasta(folderStore('sequences'), 'XZlrcEGi6mlopZ2uD8ObHkQB1d0oDwKk'));
 */
export async function* exportFasta(
  store: ObjectStore,
  digest: string,
  { lineBases = 60, signal }: ExportFastaOptions = {},
): AsyncGenerator<Uint8Array, void> {
  if (!Number.isSafeInteger(lineBases) || lineBases < 1) {
    throw new RangeError(`lineBases must be a positive whole number, found ${lineBases}`);
  }
  const { columns } = await findCollection(store, digest, signal);
  for (let row = 0; row < columns.lengths.length; row++) {
    yield encodeText(`>${textAt(columns.names, row)}\n`);
    yield* breakLines(readSequence(store, digestsAt(columns, row).trunc512, signal), lineBases);
  }
}

/**
 * Yields a collection of a store as a table: a header line, and tab-separated name, length, MD5, sha512t24u and TRUNC512 of each
 * sequence. Throws like `exportFasta`.
 */
export async function* exportTable(
  store: ObjectStore,
  digest: string,
  { signal }: ExportOptions = {},
): AsyncGenerator<Uint8Array, void> {
  const { columns } = await findCollection(store, digest, signal);
  let text = '#name\tlength\tmd5\tsha512t24u\ttrunc512\n';
  for (let row = 0; row < columns.lengths.length; row++) {
    const { length, md5, sha512t24u, trunc512 } = digestsAt(columns, row);
    text += `${[textAt(columns.names, row), length, md5, sha512t24u, trunc512].join('\t')}\n`;
    if (text.length < CHUNK_BYTES) continue;
    yield encodeText(text);
    text = '';
  }
  yield encodeText(text);
}

/** Reads a collection that must exist. Throws UNKNOWN_COLLECTION. */
export async function findCollection(
  store: ObjectStore,
  digest: string,
  signal: AbortSignal | undefined,
): Promise<StoredCollection> {
  await readMarker(store);
  const found = await readCollection(store, digest, signal);
  if (found !== undefined) return found;
  throw new SequenceStoreError('UNKNOWN_COLLECTION', `the store has no collection "${digest}"`);
}

/** Yields the bases of a sequence that must exist, in pieces. Throws CORRUPT. */
export async function* readSequence(
  store: ObjectStore,
  trunc512: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void> {
  const object = await SequenceObject.open(store, trunc512);
  if (object === undefined) {
    const key = sequenceKey(trunc512);
    throw new SequenceStoreError('CORRUPT', 'a sequence of the collection is missing', { key });
  }
  try {
    yield* object.chunks({ start: 0, end: object.header.digests.length }, signal);
  } finally {
    await object.close();
  }
}

const LINE_FEED = 0x0a;

/** Breaks bases into lines. The last line ends with a line feed, and no bases make no line. */
async function* breakLines(pieces: AsyncIterable<Uint8Array>, lineBases: number): AsyncGenerator<Uint8Array, void> {
  let column = 0;
  for await (const piece of pieces) {
    yield wrapLines(piece, { column, lineBases });
    column = (column + piece.length) % lineBases;
  }
  if (column > 0) yield Uint8Array.of(LINE_FEED);
}

/** Returns the bases with a line feed after each base that completes a line. The first base is in `column`. */
export function wrapLines(bases: Uint8Array, { column, lineBases }: { column: number; lineBases: number }): Uint8Array {
  const lines = new Uint8Array(bases.length + Math.floor((column + bases.length) / lineBases));
  let written = 0;
  for (let at = 0, lineEnd = lineBases - column; at < bases.length; lineEnd += lineBases) {
    const line = bases.subarray(at, lineEnd);
    lines.set(line, written);
    written += line.length;
    at += line.length;
    if (at === lineEnd) lines[written++] = LINE_FEED;
  }
  return lines;
}
