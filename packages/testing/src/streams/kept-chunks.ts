import { setImmediate } from 'node:timers/promises';

/**
 * Keeps the chunks that a producer has given away, as the queue of a stream does, with a copy of each. A producer that reuses the
 * memory of a chunk is found by comparing them.
 */
export class KeptChunks {
  readonly #chunks: { readonly chunk: Uint8Array; readonly copy: Buffer }[] = [];

  /** Keeps a chunk as it is now. */
  add(chunk: Uint8Array): void {
    this.#chunks.push({ chunk, copy: Buffer.from(chunk) });
  }

  /** Returns the bytes of all chunks. Throws Error if a chunk has changed since it was added. */
  bytes(): Buffer {
    let offset = 0;
    for (const { chunk, copy } of this.#chunks) {
      if (!copy.equals(chunk)) throw new Error(`the chunk of ${copy.length} bytes at byte ${offset} was overwritten`);
      offset += copy.length;
    }
    return Buffer.concat(this.#chunks.map(({ copy }) => copy));
  }
}

/**
 * Collects the chunks of a stream as a slow consumer that queues them: waits after each one, so that a producer can run ahead.
 * Throws Error if the producer overwrites a chunk that it has given away.
 */
export async function collectSlowly(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array> | ReadableStream<Uint8Array>,
): Promise<Buffer> {
  const kept = new KeptChunks();
  for await (const chunk of chunks) {
    kept.add(chunk);
    await setImmediate();
  }
  return kept.bytes();
}
