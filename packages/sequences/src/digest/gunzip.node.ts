import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { DigestError } from '@htskit/digest';

/**
 * Decompresses gzip of one member or several. Throws INVALID_DATA for corrupt or incomplete data and for anything but a
 * member after the last one.
 */
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
  // node:zlib ignores trailing data that begins with a zero byte, because it may be padding.
  if (decompressor.bytesWritten !== source.byteLength) {
    const byteLength = source.byteLength - decompressor.bytesWritten;
    throw new DigestError('INVALID_DATA', `the gzip data is followed by ${byteLength} bytes of other data`);
  }
}

/** Counts the bytes of the chunks and remembers the failure of their source. */
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
