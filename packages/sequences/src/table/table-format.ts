import { Sha512t24uDigester } from '@htskit/digest';
import { COLLECTION_ATTRIBUTES } from '../collection/collection-attributes.js';
import {
  type CollectionDigests,
  DIGEST_BYTES,
  type DigestedAttribute,
  type SequenceCollection,
} from '../collection/sequence-collection.js';
import { SequenceSourceError } from '../sequence-source-error.js';
import type { NumberColumn } from './columns.js';
import { isKeyIndex, type KeyIndex } from './key-index.js';
import { MD5_BYTES, type SequenceColumns, type SequenceTableData } from './table-data.js';

// A saved table is a head of 16 bytes (ASCII `HTSKITST`, the version and the bytes of the description as 32-bit numbers), the
// description as JSON, the columns that it lists, and the sha512t24u digest of all bytes before it as 32 ASCII characters. The
// description and each column are padded to 8 bytes, so that a column is a view of the bytes. Numbers are little-endian.
const MAGIC = new TextEncoder().encode('HTSKITST');
const VERSION = 1;
const HEAD_BYTES = 16;
const CHECKSUM_BYTES = 32;
const ALIGNMENT = 8;
/** Bounds the time of one step of hashing: about 4 ms. */
const STEP_BYTES = 2 ** 21;

type Column = Uint8Array | NumberColumn;

const TYPES = { u8: Uint8Array, u32: Uint32Array, f64: Float64Array } as const;
type TypeName = keyof typeof TYPES;

/** The file that a table was made from. A saved table of anything else is not used. */
export interface TableOrigin {
  /** Format of the file. */
  readonly kind: string;
  /** Bytes of the file. */
  readonly size: number;
  readonly version: string;
}

interface Description {
  readonly origin: TableOrigin;
  readonly collection: Pick<SequenceCollection, 'digest' | 'attributes'> | null;
  readonly columns: readonly (readonly [name: string, type: TypeName, length: number])[];
}

/** A table whose indexes may be missing, as in the collections of a store. */
export interface SavedTable extends Omit<SequenceTableData, 'indexes'> {
  readonly indexes: SequenceTableData['indexes'] | undefined;
}

/** Yields the bytes of a table to save, in pieces. The columns are not copied. */
export function* formatTable(table: SavedTable, origin: TableOrigin): Generator<Uint8Array<ArrayBuffer>, void> {
  const columns = listColumns(table);
  const digester = new Sha512t24uDigester();
  const collection = table.collection && { digest: table.collection.digest, attributes: table.collection.attributes };
  const description: Description = {
    origin,
    collection: collection ?? null,
    columns: columns.map(([name, column]) => [name, typeOf(column), column.length]),
  };
  for (const piece of [formatHead(description), ...columns.map(([, column]) => toBytes(column))]) {
    for (const part of [piece, new Uint8Array(padding(piece.length))]) {
      for (let at = 0; at < part.length; at += STEP_BYTES) {
        const step = part.subarray(at, at + STEP_BYTES);
        digester.update(step);
        yield step;
      }
    }
  }
  yield new TextEncoder().encode(digester.digest());
}

function formatHead(description: Description): Uint8Array<ArrayBuffer> {
  const json = new TextEncoder().encode(JSON.stringify(description));
  const head = new Uint8Array(HEAD_BYTES + json.length);
  const view = new DataView(head.buffer);
  head.set(MAGIC);
  view.setUint32(8, VERSION, true);
  view.setUint32(12, json.length, true);
  head.set(json, HEAD_BYTES);
  return head;
}

function listColumns(table: SavedTable): [name: string, column: Column][] {
  const { names, lengths, sha512t24u, md5, collection, places } = table;
  const indexes = Object.entries(table.indexes ?? {});
  return [
    ['names', names.bytes],
    ['nameEnds', names.ends],
    ['lengths', lengths],
    ['sha512t24u', sha512t24u],
    ['md5', md5],
    ...(collection === undefined ? [] : ([['sequenceOrder', collection.sequenceOrder]] as [string, Column][])),
    ...indexes.flatMap(([name, { slots, next }]): [string, Column][] => [
      [`${name}.slots`, slots],
      [`${name}.next`, next],
    ]),
    ...Object.entries(places).map(([name, column]): [string, Column] => [`places.${name}`, column]),
  ];
}

function typeOf(column: Column): TypeName {
  if (column instanceof Uint8Array) return 'u8';
  return column instanceof Uint32Array ? 'u32' : 'f64';
}

/** Platforms of JavaScript are little-endian. */
function toBytes({ buffer, byteOffset, byteLength }: Column): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}

function padding(byteLength: number): number {
  return (ALIGNMENT - (byteLength % ALIGNMENT)) % ALIGNMENT;
}

/**
 * Parses a saved table. The columns are views of the bytes, unless these are not aligned. Yields now and
 * then, so that the caller can let other work of the process run. Returns undefined for a table of another version or origin.
 * Throws INVALID_TABLE for damaged bytes.
 */
export function* parseTable(saved: Uint8Array, origin?: TableOrigin): Generator<void, SavedTable | undefined> {
  // Not slice(), which does not copy a Buffer of Node.
  const bytes = saved.byteOffset % ALIGNMENT === 0 ? saved : new Uint8Array(saved);
  const { description, end, version } = parseHead(bytes);
  if (version !== VERSION) return undefined;
  yield* checkDigest(bytes);
  const { origin: found } = description;
  const isSame = found.kind === origin?.kind && found.size === origin.size && found.version === origin.version;
  if (origin !== undefined && !isSame) return undefined;
  const columns = new Map<string, Column>();
  let offset = end;
  for (const [name, type, length] of description.columns) {
    const values = TYPES[type];
    if (values === undefined || !Number.isSafeInteger(length) || length < 0)
      throw invalid('a column is malformed', offset);
    const byteLength = length * values.BYTES_PER_ELEMENT;
    if (offset + byteLength > bytes.length - CHECKSUM_BYTES) throw invalid('a column is incomplete', offset);
    columns.set(name, new values(bytes.buffer as ArrayBuffer, bytes.byteOffset + offset, length));
    offset += byteLength + padding(byteLength);
  }
  return toTable(columns, description);
}

function parseHead(bytes: Uint8Array): {
  readonly description: Description;
  readonly version: number;
  readonly end: number;
} {
  if (MAGIC.some((byte, at) => bytes[at] !== byte) || bytes.length < HEAD_BYTES + CHECKSUM_BYTES) {
    throw invalid('not a saved table of sequences', 0);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = HEAD_BYTES + view.getUint32(12, true);
  const version = view.getUint32(8, true);
  const empty = { origin: { kind: '', size: 0, version: '' }, collection: null, columns: [] };
  if (version !== VERSION) return { description: empty, version, end };
  if (end > bytes.length - CHECKSUM_BYTES) throw invalid('the description is incomplete', HEAD_BYTES);
  return { description: parseDescription(bytes.subarray(HEAD_BYTES, end)), version, end: end + padding(end) };
}

/**
 * Parses the collection and the number of sequences of a saved table from its first bytes, which are not verified. Throws
 * INVALID_TABLE.
 */
export function parseTableSummary(head: Uint8Array): {
  readonly collection: Pick<SequenceCollection, 'digest' | 'attributes'>;
  readonly length: number;
} {
  const { description } = parseHead(head);
  const [, , length = -1] = description.columns.find(([name]) => name === 'lengths') ?? [];
  const { collection } = description;
  if (collection !== null && isCollection(collection) && Number.isSafeInteger(length) && length >= 0) {
    return { collection, length };
  }
  throw invalid('the table has no collection', HEAD_BYTES);
}

/** Checks the shape that reading the columns relies on. The values are those of `formatTable` if the digest is right. */
function parseDescription(bytes: Uint8Array): Description {
  try {
    const description = JSON.parse(new TextDecoder().decode(bytes)) as Partial<Description> | null;
    const { origin, collection, columns } = description ?? {};
    const isList = columns?.every((column) => Array.isArray(column)) === true;
    if (origin && collection !== undefined && isList) return { origin, collection, columns };
  } catch (cause) {
    throw invalid('the description is not valid JSON', HEAD_BYTES, cause);
  }
  throw invalid('the description is malformed', HEAD_BYTES);
}

function* checkDigest(bytes: Uint8Array): Generator<void, void> {
  const end = bytes.length - CHECKSUM_BYTES;
  const digester = new Sha512t24uDigester();
  for (let at = 0; at < end; at += STEP_BYTES) {
    digester.update(bytes.subarray(at, Math.min(at + STEP_BYTES, end)));
    yield;
  }
  if (new TextDecoder().decode(bytes.subarray(end)) !== digester.digest()) {
    throw invalid('the digest does not match', end);
  }
}

function toTable(columns: ReadonlyMap<string, Column>, { collection }: Description): SavedTable {
  const bytesOf = (name: string): Uint8Array => {
    const column = columns.get(name);
    if (column instanceof Uint8Array) return column;
    throw invalid(`the column ${name} is missing`, 0);
  };
  const numbersOf = (name: string): NumberColumn => {
    const column = columns.get(name);
    if (column instanceof Uint32Array || column instanceof Float64Array) return column;
    throw invalid(`the column ${name} is missing`, 0);
  };
  const lengths = numbersOf('lengths');
  const indexOf = (name: keyof SequenceTableData['indexes']): KeyIndex => {
    const [slots, next] = [numbersOf(`${name}.slots`), numbersOf(`${name}.next`)];
    if (slots instanceof Uint32Array && next instanceof Uint32Array && isKeyIndex({ slots, next }, lengths.length)) {
      return { slots, next };
    }
    throw invalid(`the index ${name} is malformed`, 0);
  };
  const names = { bytes: bytesOf('names'), ends: numbersOf('nameEnds') };
  const table: SequenceColumns = { names, lengths, sha512t24u: bytesOf('sha512t24u'), md5: bytesOf('md5') };
  checkColumns(table);
  const places = [...columns.keys()].filter((name) => name.startsWith(PLACES));
  return {
    ...table,
    indexes: columns.has('byName.slots')
      ? { byName: indexOf('byName'), bySha512t24u: indexOf('bySha512t24u'), byMd5: indexOf('byMd5') }
      : undefined,
    collection: collection === null ? undefined : toDigests(collection, numbersOf('sequenceOrder'), lengths.length),
    places: Object.fromEntries(places.map((name) => [name.slice(PLACES.length), numbersOf(name)])),
  };
}

const PLACES = 'places.';

function checkColumns({ names, lengths, sha512t24u, md5 }: SequenceColumns): void {
  const count = lengths.length;
  const isComplete = sha512t24u.length === DIGEST_BYTES * count && md5.length === MD5_BYTES * count;
  const isAscending = names.ends.every((end: number, row: number) => end >= (names.ends[row - 1] ?? 0));
  const lastEnd = names.ends.at(-1) ?? 0;
  if (isComplete && isAscending && names.ends.length === count && lastEnd === names.bytes.length) return;
  throw invalid('the columns do not match', 0);
}

function toDigests(
  collection: NonNullable<Description['collection']>,
  sequenceOrder: NumberColumn,
  count: number,
): CollectionDigests {
  const isOrder = sequenceOrder.length === count && sequenceOrder.every((row: number) => row < count);
  if (sequenceOrder instanceof Uint32Array && isOrder && isCollection(collection)) {
    return { digest: collection.digest, attributes: collection.attributes, sequenceOrder };
  }
  throw invalid('the collection is malformed', 0);
}

function isCollection({ digest, attributes }: NonNullable<Description['collection']>): boolean {
  const isDigest = (text: unknown): boolean => typeof text === 'string' && /^[A-Za-z0-9_-]{32}$/.test(text);
  const isAttribute = (attribute: DigestedAttribute | undefined): boolean =>
    isDigest(attribute?.digest) && Number.isSafeInteger(attribute?.byteLength);
  const known: Partial<SequenceCollection['attributes']> = attributes ?? {};
  return isDigest(digest) && COLLECTION_ATTRIBUTES.every((name) => isAttribute(known[name]));
}

function invalid(message: string, offset: number, cause?: unknown): SequenceSourceError {
  return new SequenceSourceError('INVALID_TABLE', message, { offset, ...(cause !== undefined && { cause }) });
}
