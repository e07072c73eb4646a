import { pipeline, Readable } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { ContentCoding } from './content-coding.js';

/** The codings that this runtime can write, the preferred one first. */
export const SUPPORTED_CODINGS: readonly ContentCoding[] = ['br', 'gzip'];

/** Brotli of this quality is about as fast as gzip. The default of 11 is made for files that are compressed once. */
const BROTLI_QUALITY = 4;

/** Compresses chunks as they are read, on the threads of zlib. */
export async function* compress(
  chunks: AsyncIterable<Uint8Array>,
  coding: ContentCoding,
): AsyncGenerator<Uint8Array, void> {
  const compressor =
    coding === 'br'
      ? createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })
      : createGzip();
  // An error destroys the compressor, so that the iteration throws it.
  pipeline(Readable.from(chunks, { objectMode: false }), compressor, () => undefined);
  yield* compressor as AsyncIterable<Uint8Array>;
}
