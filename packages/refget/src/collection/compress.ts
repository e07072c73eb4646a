import { readChunks, toByteStream } from '@htskit/io';
import type { ContentCoding } from './content-coding.js';

/** The codings that this runtime can write. No runtime but Node writes Brotli. */
export const SUPPORTED_CODINGS: readonly ContentCoding[] = typeof CompressionStream === 'undefined' ? [] : ['gzip'];

/** Compresses chunks as they are read. */
export async function* compress(
  chunks: AsyncGenerator<Uint8Array, void>,
  coding: ContentCoding,
): AsyncGenerator<Uint8Array, void> {
  if (coding !== 'gzip') throw new RangeError(`cannot compress with ${coding}`);
  // The type declarations of CompressionStream exclude shared memory.
  const stream = toByteStream(chunks) as ReadableStream<Uint8Array<ArrayBuffer>>;
  yield* readChunks(stream.pipeThrough(new CompressionStream('gzip')));
}
