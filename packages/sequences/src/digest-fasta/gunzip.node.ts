import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { DigestError } from '@htskit/digest';

/** What gzip holds, of one member or several. Throws INVALID_DATA, also for what is no member behind another one. */
export async function* gunzip(chunks: AsyncGenerator<Uint8Array, void>): AsyncGenerator<Uint8Array, void> {
  const source = new CountedSource(chunks);
  const decompressor = createGunzip();
  const compressed = Readable.from(source.chunks(), { objectMode: false });
  compressed.on('error', (error) => decompressor.destroy(error));
  try {
    yield* compressed.pipe(decompressor) as AsyncIterable<Uint8Array>;
  } catch (cause) {
    if (source.failure !== undefined) throw source.failure.error;
    throw new DigestError('INVALID_DATA', 'the gzip data is corrupt or incomplete', { cause });
  } finally {
    compressed.destroy();
  }
  // node:zlib passes by what begins with a zero byte, and takes it for padding.
  if (decompressor.bytesWritten !== source.byteLength) {
    const found = `${source.byteLength - decompressor.bytesWritten} bytes`;
    throw new DigestError('INVALID_DATA', `the gzip data is followed by ${found} that are none`);
  }
}

/** Chunks that are counted on their way, and what they failed with. */
class CountedSource {
  readonly #chunks: AsyncGenerator<Uint8Array, void>;
  byteLength = 0;
  failure: { readonly error: unknown } | undefined;

  constructor(chunks: AsyncGenerator<Uint8Array, void>) {
    this.#chunks = chunks;
  }

  async *chunks(): AsyncGenerator<Uint8Array, void> {
    try {
      for await (const chunk of this.#chunks) {
        this.byteLength += chunk.length;
        yield chunk;
      }
    } catch (error) {
      this.failure = { error };
      throw error;
    }
  }
}
