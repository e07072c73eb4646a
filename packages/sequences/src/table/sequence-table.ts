import { fromTrunc512, parseSequenceIdentifier, type SequenceIdentifier } from '@htskit/digest';
import { fromBase64Url, fromHex, LruCache } from '@htskit/io';
import { AUTHORITIES } from '@htskit/protocol';
import { DIGEST_BYTES, type SequenceCollection, toCollection } from '../collection/sequence-collection.js';
import { createDescriber, type DescribeSequence, type NamingOptions } from '../name-tables.js';
import type { NamedSequence, SequenceCatalogue, SequenceMetadata } from '../sequence.js';
import { hashDigest, hashText, isEqualBytes, textAt, textBytes } from './columns.js';
import { findRows, type KeyIndex } from './key-index.js';
import { digestsAt, MD5_BYTES, type SequenceTableData, toLists } from './table-data.js';

/** Opens the sequence of a row. */
type OpenRow = (row: number, sequence: { readonly name: string; readonly metadata: SequenceMetadata }) => NamedSequence;

export interface SequenceTableOptions {
  readonly data: SequenceTableData;
  readonly naming: NamingOptions;
  readonly open: OpenRow;
}

/** Sequences that are kept open: what they read of their file, and what they found out, is not lost at once. */
const OPEN_SEQUENCES = 4096;

/** The sequences of a file, in order. They are stored as columns; each is created when it is requested. */
export class SequenceTable implements SequenceCatalogue, Iterable<NamedSequence> {
  readonly length: number;
  /** Undefined for no sequences, and for those that form no collection. */
  readonly collection: SequenceCollection | undefined;
  readonly namingAuthorities: readonly string[];
  readonly #options: SequenceTableOptions;
  readonly #describe: DescribeSequence;
  /** The sequences of each row of the alias table, as keys, by CURIE. */
  readonly #aliases = new Map<string, string[]>();
  readonly #opened = new LruCache<NamedSequence>({ maxWeight: OPEN_SEQUENCES });

  constructor(options: SequenceTableOptions) {
    const { data, naming } = options;
    this.length = data.lengths.length;
    this.collection = data.collection && toCollection(toLists(data), data.collection);
    this.#options = options;
    this.#describe = createDescriber(naming);
    const { aliases = [], namingAuthority } = naming;
    for (const { sequence, alias, namingAuthority: authority } of aliases) {
      const curie = toCurie(authority, alias);
      const known = this.#aliases.get(curie);
      if (known === undefined) this.#aliases.set(curie, [sequence]);
      else known.push(sequence);
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

  /** Returns each sequence that the identifier names, also those of equal content. */
  find(identifier: SequenceIdentifier): readonly NamedSequence[] {
    return Array.from(this.#rowsOf(identifier), (row) => this.at(row)).filter((sequence) => sequence !== undefined);
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
        return this.#rowsOfSha512t24u(identifier.digest);
      case 'trunc512':
        return this.#rowsOfSha512t24u(fromTrunc512(identifier.digest));
      case 'curie':
        return this.#rowsOfAlias(identifier.namespace, identifier.name);
    }
  }

  #rowsOfAlias(namespace: string, name: string): Iterable<number> {
    const { namingAuthority } = this.#options.naming;
    const curie = toCurie(namespace, name);
    const keys = [...(this.#aliases.get(curie) ?? [])];
    const rows = new Set(keys.flatMap((key) => [...this.#rowsOfKey(key)]));
    if (namingAuthority?.toLowerCase() === namespace.toLowerCase()) {
      for (const row of this.#rowsOfName(name)) rows.add(row);
    }
    // A row of an alias table may concern sequences of one length only.
    return [...rows]
      .sort((a, b) => a - b)
      .filter((row) =>
        this.at(row)?.metadata.aliases.some((alias) => toCurie(alias.namingAuthority, alias.alias) === curie),
      );
  }

  /** Returns the rows of a name or digest. */
  *#rowsOfKey(key: string): Generator<number, void> {
    yield* this.#rowsOfName(key);
    const identifier = parseSequenceIdentifier(key, { authorities: AUTHORITIES });
    if (identifier !== undefined && identifier.kind !== 'curie') yield* this.#rowsOf(identifier);
  }

  #rowsOfName(name: string): Iterable<number> {
    const { names, indexes } = this.#options.data;
    const bytes = new TextEncoder().encode(name);
    return findRows(indexes.byName, hashText(bytes), (row) => isEqualBytes(bytes, textBytes(names, row)));
  }

  #rowsOfSha512t24u(digest: string): Iterable<number> {
    const { sha512t24u, indexes } = this.#options.data;
    return findDigest(indexes.bySha512t24u, sha512t24u, fromBase64Url(digest.slice('SQ.'.length)), DIGEST_BYTES);
  }

  #rowsOfMd5(digest: string): Iterable<number> {
    const { md5, indexes } = this.#options.data;
    return findDigest(indexes.byMd5, md5, fromHex(digest), MD5_BYTES);
  }
}

function findDigest(index: KeyIndex, column: Uint8Array, digest: Uint8Array, width: number): Iterable<number> {
  return findRows(index, hashDigest(digest), (row) =>
    isEqualBytes(digest, column.subarray(width * row, width * (row + 1))),
  );
}

/** Namespaces are case-insensitive, names are not. */
function toCurie(namespace: string, name: string): string {
  return `${namespace.toLowerCase()}:${name}`;
}
