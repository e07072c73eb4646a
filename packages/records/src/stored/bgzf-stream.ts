import type { VirtualOffset } from '@htskit/bgzf';
import { inflatePieces as inflateHere } from '@htskit/bgzf/internal';
import type { RecordFilter } from '@htskit/formats';
import { HeaderBuffer } from '@htskit/formats/internal';
import { type BorrowedBytes, concatBytes, peek, toOwned } from '@htskit/io';
import type { InflateAhead } from '../ahead/inflate-ahead.js';
import type { RecordReading } from './record-format.js';

/** Uncompressed data that arrives in pieces, each of which is valid until the next one is requested. */
export type Pieces = AsyncGenerator<BorrowedBytes, void>;

/** The header of a file, and the data that follows it. */
export interface HeaderAndRest<Piece extends BorrowedBytes> {
  /** Uncompressed. */
  readonly header: Uint8Array;
  readonly rest: AsyncGenerator<Piece | Uint8Array, void>;
}

/** The maximum number of bytes of a header. The header of an assembly of two million contigs has about 100 MB. */
const MAX_HEADER_BYTES = 2 ** 28;

/** The start of a stream of BGZF, and the means of inflating it. */
export interface InflateOptions {
  /** The offset of the stream in its file. */
  readonly coffset?: number;
  /** Bytes of data to leave out. */
  readonly skip?: number;
  /** Inflates on workers, to pieces that are owned unless `isBorrowed`. Default: the calling thread inflates. */
  readonly ahead?: InflateAhead | undefined;
  readonly isBorrowed?: boolean;
  /** The end of the data that is inflated ahead. Default: all. */
  readonly end?: VirtualOffset | undefined;
}

/** Yields the uncompressed data of BGZF that begins at `coffset` of its file, from the byte `skip` on. */
export async function* inflatePieces(
  chunks: AsyncIterable<Uint8Array>,
  { coffset = 0, skip = 0, ahead, ...options }: InflateOptions = {},
): Pieces {
  let left = skip;
  for await (const data of ahead === undefined
    ? inflateHere(chunks, { coffset })
    : ahead(chunks, { coffset, ...options })) {
    if (left < data.length) yield peek(data).subarray(left);
    left = Math.max(0, left - data.length);
  }
}

/**
 * Reads the header that `pieces` start with. Throws `FormatError` TRUNCATED if they end before it does, and LIMIT_EXCEEDED for
 * a header of more than 256 MiB.
 */
export async function takeHeader<Piece extends BorrowedBytes>(
  pieces: AsyncGenerator<Piece, void>,
  { createHeaderReader }: Pick<RecordReading, 'createHeaderReader'>,
): Promise<HeaderAndRest<Piece>> {
  const header = new HeaderBuffer(createHeaderReader(), { maxBytes: MAX_HEADER_BYTES });
  let byteLength: number | undefined;
  while (byteLength === undefined) {
    const { done, value } = await pieces.next();
    byteLength = done === true ? header.finish() : header.push(value);
  }
  const { bytes } = header;
  return { header: bytes.subarray(0, byteLength), rest: continueAfter(bytes.subarray(byteLength), pieces) };
}

async function* continueAfter<Piece extends BorrowedBytes>(
  first: Uint8Array,
  pieces: AsyncGenerator<Piece, void>,
): AsyncGenerator<Piece | Uint8Array, void> {
  try {
    if (first.length > 0) yield first;
    yield* pieces;
  } finally {
    await pieces.return();
  }
}

/**
 * Yields what a filter keeps of `pieces`, as whole records in memory of their own. Pieces that are owned already are passed on without
 * a copy, unless that would keep more than twice as much memory.
 */
export async function* filterPieces(
  pieces: AsyncIterable<BorrowedBytes>,
  filter: RecordFilter,
  { isOwned = false }: { readonly isOwned?: boolean } = {},
): AsyncGenerator<Uint8Array, void> {
  for await (const piece of pieces) {
    const kept = filter.push(piece);
    if (isOwned && isMostOf(kept, piece)) yield* kept.map(peek);
    else if (kept.length > 0) yield joinOwned(kept);
  }
  const last = filter.finish();
  if (last.length > 0) yield joinOwned(last);
}

function isMostOf(parts: readonly BorrowedBytes[], piece: BorrowedBytes): boolean {
  return 2 * parts.reduce((sum, { length }) => sum + length, 0) >= piece.length;
}

/** Yields what a filter keeps of `pieces`, as whole records that are valid until the next ones are requested. */
export async function* borrowRecords(
  pieces: AsyncIterable<BorrowedBytes>,
  filter: RecordFilter,
): AsyncGenerator<BorrowedBytes, void> {
  for await (const piece of pieces) yield* filter.push(piece);
  yield* filter.finish();
}

/** Returns the bytes of all parts in one new buffer. */
export function joinOwned(parts: readonly BorrowedBytes[]): Uint8Array {
  const [first] = parts;
  return parts.length === 1 && first !== undefined ? toOwned(first) : concatBytes(parts.map(peek));
}
