import { collectHeader, type HeaderBytes } from '../header/open-header.js';

/** A stream whose header was read. */
export interface HeaderStream extends HeaderBytes {
  /** The chunks after the header. */
  readonly rest: AsyncIterable<Uint8Array>;
}

/**
 * Reads the header of a stream, and yields what `run` yields for it. The stream is ended when the consumer stops, and in any case.
 * Throws `Crypt4ghError` TRUNCATED and what `locatePackets` throws.
 */
export async function* withHeader(
  chunks: AsyncIterable<Uint8Array>,
  run: (stream: HeaderStream) => AsyncGenerator<Uint8Array, void>,
): AsyncGenerator<Uint8Array, void> {
  const iterator = chunks[Symbol.asyncIterator]();
  // Has no `return`, so that the end of one loop over it does not end the stream.
  const shared: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: () => ({ next: () => iterator.next() }) };
  try {
    const { bytes, layout } = await collectHeader(shared);
    yield* run({ bytes, layout, rest: follow(bytes.subarray(layout.byteLength), shared) });
  } finally {
    await iterator.return?.();
  }
}

/** Yields the bytes that were read with the header, and then the chunks after them. */
async function* follow(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  if (first.length > 0) yield first;
  yield* rest;
}
