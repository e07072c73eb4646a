import { parseSequenceIdentifier, type SequenceIdentifier } from '@htskit/digest';
import { encodeText, fromBase64Url, fromHex, LruCache } from '@htskit/io';
import { AUTHORITIES } from '@htskit/protocol';
import { type AliasRow, keysOf } from '../alias-row.js';
import { DIGEST_BYTES, type SequenceCollection, toCollection } from '../collection/sequence-collection.js';
import { curieKey } from '../lookup-keys.js';
import { createDescriber, type DescribeSequence, type NamingOptions, toAliasKey } from '../name-tables.js';
import type { NamedSequence, SequenceAlias, SequenceCatalogue, SequenceMetadata } from '../sequence.js';
import { digestBytes, hashDigest, hashText, isEqualBytes, textAt, textBytes } from './columns.js';
import { findRows, type KeyIndex } from './key-index.js';
import { digestsAt, type SequenceTableData, toLists } from './table-data.js';

/** Opens the sequence of a row. */
type OpenRow = (row: number, sequence: { readonly name: string; readonly metadata: SequenceMetadata }) => NamedSequence;

export interface SequenceTableOptions {
  readonly data: SequenceTableData;
  readonly naming: NamingOptions;
  readonly open: OpenRow;
}

/** The maximum number of sequences that are kept open, with their cached reads and checks. */
const OPEN_SEQUENCES = 4096;
/** The maximum number of rows of equal content whose aliases are merged. Describing a row takes about 3 µs. */
const MERGED_ROWS = 16_384;
/** Rows are no longer described beyond this many aliases of a merged sequence. */
const MERGED_ALIASES = 4096;
/** The maximum number of aliases of all merged sequences in the cache. */
const KEPT_ALIASES = 2 ** 17;

/** The sequences of a file, in order. They are stored as columns; each is created when it is requested. */
export class SequenceTable implements SequenceCatalogue, Iterable<NamedSequence> {
  readonly length: number;
  /** Undefined for no sequences, and for those that form no collection. */
  readonly collection: SequenceCollection | undefined;
  readonly namingAuthorities: readonly string[];
  readonly #options: SequenceTableOptions;
  readonly #describe: DescribeSequence;
  /** The rows of the alias table, by CURIE. */
  readonly #aliases = new Map<string, AliasRow[]>();
  readonly #opened = new LruCache<NamedSequence>({ maxWeight: OPEN_SEQUENCES });
  /** Sequences that several rows have, by their first row. */
  readonly #merged = new LruCache<NamedSequence>({ maxWeight: KEPT_ALIASES });

  constructor(options: SequenceTableOptions) {
    const { data, naming } = options;
    this.length = data.lengths.length;
    this.collection = data.collection && toCollection(toLists(data), data.collection);
    this.#options = options;
    this.#describe = createDescriber(naming);
    const { aliases = [], namingAuthority } = naming;
    for (const row of aliases) {
      const curie = curieKey(row.namingAuthority, row.alias);
      const known = this.#aliases.get(curie);
      if (known === undefined) this.#aliases.set(curie, [row]);
      else known.push(row);
    }
    const authorities = aliases.map((row) => row.namingAuthority);
    this.namingAuthorities = [
      ...new Set(namingAuthority === undefined ? authorities : [namingAuthority, ...authorities]),
    ];
  }

  at(row: number): NamedSequence | undefined {
    if (!Number.isInteger(row) || row < 0 || row >= this.length) return undefined;
    const known = this.#opened.get(String(row));
    if (known !== undefined) return known;
    const { data, open } = this.#options;
    const name = textAt(data.names, row);
    const sequence = open(row, { name, metadata: this.#describe(name, digestsAt(data, row)) });
    this.#opened.set(String(row), sequence);
    return sequence;
  }

  /** Returns the length of a sequence by the bytes of its sha512t24u digest, or undefined if there is none. */
  lengthOf(sha512t24u: Uint8Array): number | undefined {
    const [row] = this.#firstRow(sha512t24u);
    return row === undefined ? undefined : this.#options.data.lengths[row];
  }

  /** Returns the longest sequences, the longest first. */
  longest(limit: number): NamedSequence[] {
    const { lengths } = this.#options.data;
    const lengthOf = (row: number): number => lengths[row] ?? 0;
    let rows: number[] = [];
    let shortest = -1;
    for (let row = 0; row < lengths.length; row++) {
      if (lengthOf(row) <= shortest) continue;
      rows.push(row);
      if (rows.length < 2 * limit) continue;
      rows = rows.sort((a, b) => lengthOf(b) - lengthOf(a)).slice(0, limit);
      shortest = lengthOf(rows.at(-1) ?? 0);
    }
    const longest = rows.sort((a, b) => lengthOf(b) - lengthOf(a)).slice(0, limit);
    return longest.map((row) => this.at(row)).filter((sequence) => sequence !== undefined);
  }

  *[Symbol.iterator](): Generator<NamedSequence, void> {
    for (let row = 0; row < this.length; row++) {
      const sequence = this.at(row);
      if (sequence !== undefined) yield sequence;
    }
  }

  /**
   * Returns the sequences that the identifier names, those of equal content as one. It has the bases of the first row and the
   * aliases of all, up to a few thousand, and is circular if any of them is.
   */
  find(identifier: SequenceIdentifier): readonly NamedSequence[] {
    const rows = this.#firstRows(this.#rowsOf(identifier));
    return rows.map((row) => this.#mergedAt(row)).filter((sequence) => sequence !== undefined);
  }

  /** Returns the first rows of the contents of these rows, in ascending order. */
  #firstRows(rows: Iterable<number>): number[] {
    const { sha512t24u, indexes } = this.#options.data;
    const firstRows = new Set<number>();
    let previous: number | undefined;
    for (const row of rows) {
      // The next row of equal content needs no lookup: thousands may follow.
      // `next` is 0 if there is none; row 0 follows no other row.
      const isSame = row > 0 && previous !== undefined && indexes.bySha512t24u.next[previous] === row;
      if (!isSame) for (const first of this.#firstRow(digestBytes(sha512t24u, row, DIGEST_BYTES))) firstRows.add(first);
      previous = row;
    }
    return [...firstRows].sort((a, b) => a - b);
  }

  #mergedAt(first: number): NamedSequence | undefined {
    const { data, open } = this.#options;
    // Row 0 follows no other row.
    if ((data.indexes.bySha512t24u.next[first] ?? 0) === 0) return this.at(first);
    const known = this.#merged.get(String(first));
    if (known !== undefined) return known;
    const metadata = this.#describeEqual(first);
    const sequence = open(first, { name: textAt(data.names, first), metadata });
    this.#merged.set(String(first), sequence, 1 + metadata.aliases.length);
    return sequence;
  }

  /** Describes the rows that have the content of a first row. */
  #describeEqual(first: number): SequenceMetadata {
    const { data, naming } = this.#options;
    const digests = digestsAt(data, first);
    const aliases = new Map<string, SequenceAlias>();
    let count = 0;
    for (const row of this.#rowsOfContent(digestBytes(data.sha512t24u, first, DIGEST_BYTES))) {
      if (this.namingAuthorities.length === 0 || aliases.size >= MERGED_ALIASES || ++count > MERGED_ROWS) break;
      for (const alias of this.#describe(textAt(data.names, row), digests).aliases) {
        const curie = curieKey(alias.namingAuthority, alias.alias);
        if (!aliases.has(curie)) aliases.set(curie, alias);
      }
    }
    const circular = [...(naming.circular ?? [])].some((name) =>
      this.#firstRows(this.#rowsOfName(name)).includes(first),
    );
    return { ...digests, aliases: [...aliases.values()], circular };
  }

  /** Returns whether a sequence has this name or digest. */
  has(key: string): boolean {
    return this.#rowsOfKey(key).next().done !== true;
  }

  #rowsOf(identifier: SequenceIdentifier): Iterable<number> {
    switch (identifier.kind) {
      case 'md5':
        return this.#rowsOfMd5(identifier.digest);
      case 'sha512t24u':
        return this.#firstRow(fromBase64Url(identifier.digest.slice('SQ.'.length)));
      case 'trunc512':
        return this.#firstRow(fromHex(identifier.digest));
      case 'curie':
        return this.#rowsOfAlias(identifier.namespace, identifier.name);
    }
  }

  *#rowsOfAlias(namespace: string, name: string): Generator<number, void> {
    const { data, naming } = this.#options;
    for (const aliasRow of this.#aliases.get(curieKey(namespace, name)) ?? []) {
      for (const key of keysOf(aliasRow)) {
        for (const row of this.#rowsOfKey(toAliasKey(key))) {
          // A row of an alias table may concern sequences of one length only.
          if (aliasRow.length === undefined || aliasRow.length === data.lengths[row]) yield row;
        }
      }
    }
    if (name !== '' && naming.namingAuthority?.toLowerCase() === namespace.toLowerCase()) {
      yield* this.#rowsOfName(name);
    }
  }

  /** Returns the rows of a name or digest. */
  *#rowsOfKey(key: string): Generator<number, void> {
    yield* this.#rowsOfName(key);
    const identifier = parseSequenceIdentifier(key, { authorities: AUTHORITIES });
    if (identifier !== undefined && identifier.kind !== 'curie') yield* this.#rowsOf(identifier);
  }

  #rowsOfName(name: string): Iterable<number> {
    const { names, indexes } = this.#options.data;
    const bytes = encodeText(name);
    return findRows(indexes.byName, hashText(bytes), (row) => isEqualBytes(bytes, textBytes(names, row)));
  }

  /** Returns the first row of a sha512t24u digest, if there is one. */
  #firstRow(digest: Uint8Array): number[] {
    const [first] = this.#rowsOfContent(digest);
    return first === undefined ? [] : [first];
  }

  #rowsOfContent(digest: Uint8Array): Iterable<number> {
    const { sha512t24u, indexes } = this.#options.data;
    return findDigest(indexes.bySha512t24u, sha512t24u, digest);
  }

  #rowsOfMd5(digest: string): Iterable<number> {
    const { md5, indexes } = this.#options.data;
    return findDigest(indexes.byMd5, md5, fromHex(digest));
  }
}

function findDigest(index: KeyIndex, column: Uint8Array, digest: Uint8Array): Iterable<number> {
  return findRows(index, hashDigest(digest), (row) => isEqualBytes(digest, digestBytes(column, row, digest.length)));
}
