/**
 * A view of memory that its owner will overwrite: valid until the owner is called again, so only for synchronous use. At run
 * time it is a `Uint8Array`. Its type is not one, so that what keeps bytes, such as the sink of a stream, does not accept it:
 * `peek` returns the bytes for synchronous use, and `toOwned` a copy. A `Uint8Array` is owned, and may be given wherever borrowed
 * bytes are accepted.
 */
export interface BorrowedBytes {
  readonly [Symbol.toStringTag]: 'Uint8Array';
  readonly length: number;
}

/** Returns the bytes themselves, for use before the next `await` or `yield`, and before their owner is called again. */
export function peek(bytes: BorrowedBytes): Uint8Array {
  return bytes as Uint8Array;
}

/**
 * Returns a copy of the bytes, to keep or to pass on.
 *
 * @example
 * const kept: Uint8Array[] = [];
 * for await (const chunk of borrowedChunks) kept.push(toOwned(chunk));
 */
export function toOwned(bytes: BorrowedBytes): Uint8Array<ArrayBuffer> {
  return new Uint8Array(peek(bytes));
}

/**
 * Yields copies of chunks, for a consumer that keeps them.
 *
 * @example
 * await pipeline(toOwnedChunks(borrowedChunks), createWriteStream('genome.fa'));
 */
export async function* toOwnedChunks(
  chunks: AsyncIterable<BorrowedBytes>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  for await (const chunk of chunks) yield toOwned(chunk);
}
