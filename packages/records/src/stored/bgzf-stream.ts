import { inflateStream } from '@htskit/bgzf';
import { FormatError, type RecordFilter } from '@htskit/formats';
import { type BorrowedBytes, concatBytes, peek, toOwned } from '@htskit/io';
import type { RecordFormat } from './record-format.js';

/** Uncompressed data that arrives in pieces, each of which is valid until the next one is requested. */
export type Pieces = AsyncGenerator<BorrowedBytes, void>;

/** The header of a file, and the data that follows it. */
export interface HeaderAndRest {
  /** Uncompressed. */
  readonly header: Uint8Array;
  readonly rest: Pieces;
}

/** Most bytes of a header. The header of an assembly of two million contigs has about 100 MB. */
const MAX_HEADER_BYTES = 2 ** 28;

/** Yields the uncompressed data of BGZF that begins at `coffset` of its file, from the byte `skip` on. */
export async function* inflatePieces(
  chunks: AsyncIterable<Uint8Array>,
  { coffset = 0, skip = 0 }: { readonly coffset?: number; readonly skip?: number } = {},
): Pieces {
  let left = skip;
  for await (const { data } of inflateStream(chunks, { coffset })) {
    if (left < data.length) yield peek(data).subarray(left);
    left = Math.max(0, left - data.length);
  }
}

/**
 * Reads the header that `pieces` start with. Throws `FormatError` TRUNCATED if they end before it does, and LIMIT_EXCEEDED for
 * a header of more than 256 MiB.
 */
export async function takeHeader(pieces: Pieces, { measure }: Pick<RecordFormat, 'measure'>): Promise<HeaderAndRest> {
  let data = new Uint8Array(0);
  let parts: Uint8Array[] = [];
  let partBytes = 0;
  for (;;) {
    const { done, value } = await pieces.next();
    if (done !== true) {
      parts.push(toOwned(value));
      partBytes += value.length;
    }
    // Measured each time the data has grown by an eighth: a long header takes linear time.
    if (done !== true && partBytes < data.length / 8) continue;
    data = new Uint8Array(concatBytes([data, ...parts]));
    parts = [];
    partBytes = 0;
    const byteLength = measure(data, { isWhole: done === true });
    if (byteLength !== undefined && byteLength <= data.length) {
      return { header: data.subarray(0, byteLength), rest: continueAfter(data.subarray(byteLength), pieces) };
    }
    if (done === true) throw new FormatError('TRUNCATED', 'file ends within its header', { offset: data.length });
    if (data.length > MAX_HEADER_BYTES) {
      const message = `header exceeds the limit of ${MAX_HEADER_BYTES} bytes`;
      throw new FormatError('LIMIT_EXCEEDED', message, { offset: 0 });
    }
  }
}

async function* continueAfter(first: Uint8Array, pieces: Pieces): Pieces {
  try {
    if (first.length > 0) yield first;
    yield* pieces;
  } finally {
    await pieces.return();
  }
}

/** Yields what a filter keeps of `pieces`, as whole records in memory of their own. */
export async function* filterPieces(
  pieces: AsyncIterable<BorrowedBytes>,
  filter: RecordFilter,
): AsyncGenerator<Uint8Array, void> {
  for await (const piece of pieces) {
    const kept = filter.push(peek(piece));
    if (kept.length > 0) yield joinOwned(kept);
  }
  const last = filter.finish();
  if (last.length > 0) yield joinOwned(last);
}

/** Returns the bytes of all parts in one new buffer. */
function joinOwned(parts: readonly BorrowedBytes[]): Uint8Array {
  const [first] = parts;
  return parts.length === 1 && first !== undefined ? toOwned(first) : concatBytes(parts.map(peek));
}
