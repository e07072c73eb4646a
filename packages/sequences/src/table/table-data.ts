import type { SequenceDigests } from '@htskit/digest';
import { fromBase64Url, fromHex, toBase64Url, toHex } from '@htskit/io';
import type { TimeSlice } from '@htskit/io/internal';
import {
  type CollectionDigests,
  type CollectionLists,
  DIGEST_BYTES,
  digestCollection,
  digestList,
} from '../collection/sequence-collection.js';
import {
  ByteColumnBuilder,
  digestKeys,
  type NumberColumn,
  NumberColumnBuilder,
  type TextColumn,
  textAt,
  textKeys,
} from './columns.js';
import { buildKeyIndex, type KeyColumn, type KeyIndex } from './key-index.js';

/** Bytes of an MD5. */
export const MD5_BYTES = 16;

/** The sequences of a file or collection, in order, as columns. Takes 60 bytes of memory for each, and its name. */
export interface SequenceColumns {
  readonly names: TextColumn;
  /** Bases. */
  readonly lengths: NumberColumn;
  /** 24 bytes for each sequence. */
  readonly sha512t24u: Uint8Array;
  /** 16 bytes for each sequence. */
  readonly md5: Uint8Array;
}

/** The columns of a file, all that follows from them, and what reading its sequences needs. It can be posted to a thread. */
export interface SequenceTableData extends SequenceColumns {
  /** The rows of each name and digest. */
  readonly indexes: { readonly byName: KeyIndex; readonly bySha512t24u: KeyIndex; readonly byMd5: KeyIndex };
  /** Undefined for no sequences, and for those that form no collection. */
  readonly collection: CollectionDigests | undefined;
  /** The positions of the sequences in the file, depending on its format. */
  readonly places: Readonly<Record<string, NumberColumn>>;
}

/** The table of one version of a file. */
export interface VersionedTable {
  readonly table: SequenceTableData;
  /** Undefined for a source without versions. */
  readonly version: string | undefined;
}

/** Collects the columns of sequences. Names and digests may be added apart from each other. */
export class SequenceColumnsBuilder {
  readonly #names = new ByteColumnBuilder();
  readonly #nameEnds = new NumberColumnBuilder();
  readonly #lengths = new NumberColumnBuilder();
  readonly #sha512t24u = new ByteColumnBuilder();
  readonly #md5 = new ByteColumnBuilder();

  addName(name: string): void {
    this.#names.pushText(name);
    this.#nameEnds.push(this.#names.length);
  }

  addDigests({ length, md5, sha512t24u }: Pick<SequenceDigests, 'length' | 'md5' | 'sha512t24u'>): void {
    this.#lengths.push(length);
    this.#sha512t24u.push(fromBase64Url(sha512t24u.slice('SQ.'.length)));
    this.#md5.push(fromHex(md5));
  }

  finish(): SequenceColumns {
    return {
      names: { bytes: this.#names.finish(), ends: this.#nameEnds.finish() },
      lengths: this.#lengths.finish(),
      sha512t24u: this.#sha512t24u.finish(),
      md5: this.#md5.finish(),
    };
  }
}

/** Returns the digests of a sequence. */
export function digestsAt({ lengths, sha512t24u, md5 }: SequenceColumns, row: number): SequenceDigests {
  const digest = sha512t24u.subarray(DIGEST_BYTES * row, DIGEST_BYTES * (row + 1));
  return {
    length: lengths[row] ?? 0,
    md5: toHex(md5.subarray(MD5_BYTES * row, MD5_BYTES * (row + 1))),
    sha512t24u: `SQ.${toBase64Url(digest)}`,
    trunc512: toHex(digest),
  };
}

/** Returns the columns as the arrays of a collection. */
export function toLists({ names, lengths, sha512t24u }: SequenceColumns): CollectionLists {
  return {
    names: { length: lengths.length, at: (row) => (row < lengths.length ? textAt(names, row) : undefined) },
    lengths,
    sequences: digestList(sha512t24u, 'SQ.'),
  };
}

interface TableDataOptions extends Pick<SequenceTableData, 'places'> {
  readonly slice: TimeSlice;
  /** Whether the sequences form a collection. Default true. */
  readonly isCollection?: boolean;
}

/** Computes all that follows from the columns. Yields to the event loop meanwhile. */
export async function toTableData(
  columns: SequenceColumns,
  { places, slice, isCollection = true }: TableDataOptions,
): Promise<SequenceTableData> {
  const hasCollection = isCollection && columns.lengths.length > 0;
  const collection = hasCollection ? await digestCollection(toLists(columns), slice) : undefined;
  const toIndex = (keys: KeyColumn): Promise<KeyIndex> => slice.run(buildKeyIndex(keys));
  return {
    ...columns,
    indexes: {
      byName: await toIndex(textKeys(columns.names)),
      bySha512t24u: await toIndex(digestKeys(columns.sha512t24u, DIGEST_BYTES)),
      byMd5: await toIndex(digestKeys(columns.md5, MD5_BYTES)),
    },
    collection,
    places,
  };
}
