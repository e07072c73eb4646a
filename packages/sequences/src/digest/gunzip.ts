import { DigestError } from '@htskit/digest';
import { readChunks } from '@htskit/io';

/**
 * Decompresses gzip of a single member; DecompressionStream rejects a second one. Throws INVALID_DATA for corrupt or
 * incomplete data.
 */
export async function* gunzip(chunks: AsyncGenerator<Uint8Array, void>): AsyncGenerator<Uint8Array, void> {
  let sourceError: { readonly error: unknown } | undefined;
  let isCancelled = false;
  const compressed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const next = await chunks.next().catch((error: unknown) => {
        sourceError = { error };
        throw error;
      });
      if (isCancelled) return;
      if (next.done === true) controller.close();
      // The type declarations of DecompressionStream exclude shared memory.
      else controller.enqueue(next.value as Uint8Array<ArrayBuffer>);
    },
    async cancel() {
      isCancelled = true;
      await chunks.return();
    },
  });
  try {
    yield* readChunks(compressed.pipeThrough(new DecompressionStream('gzip')));
  } catch (cause) {
    if (sourceError !== undefined) throw sourceError.error;
    throw new DigestError('INVALID_DATA', 'the gzip data is corrupt, incomplete, or followed by other data', { cause });
  }
}
