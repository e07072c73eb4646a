/** Sizes of the chunks that streams are cut into: a byte, a size that divides nothing, a full BGZF block, and 1 MiB. */
export const CHUNK_SIZES: readonly number[] = [1, 1021, 65_536, 2 ** 20];

/** Yields bytes in chunks of `chunkBytes`, each in memory of its own. */
export async function* chunksOf(bytes: Uint8Array, chunkBytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    yield new Uint8Array(bytes.subarray(start, start + chunkBytes));
  }
}

/** Yields the chunks of a stream, and overwrites each one as soon as the consumer asks for the next or stops. */
export async function* overwriteChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of chunks) {
    try {
      yield chunk;
    } finally {
      chunk.fill(0xa5);
    }
  }
}
