import { readChunks, toOwned } from '@htskit/io';
import { BlockInflater } from '../block/block-inflater.js';
import { isEofMarker } from '../block/eof-marker.js';
import type { EngineOptions } from '../engines/codec-engine.js';
import { type DeflateStreamOptions, deflateStream } from './deflate-stream.js';
import { streamBlocks } from './stream-blocks.js';

/**
 * Decompresses BGZF for `pipeThrough`, as `DecompressionStream` does for gzip. Chunks own their memory. The readable
 * side fails with the errors of `inflateStream`.
 *
 * @example
 * const text = response.body.pipeThrough(new BgzfDecompressionStream()).pipeThrough(new TextDecoderStream());
 */
export class BgzfDecompressionStream {
  readonly writable: WritableStream<Uint8Array>;
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  #hasEofMarker = false;

  constructor(options: EngineOptions = {}) {
    const input = new TransformStream<Uint8Array, Uint8Array>();
    this.writable = input.writable;
    this.readable = toStream(this.#inflate(readChunks(input.readable), new BlockInflater(options)));
  }

  /** Whether the last block so far is the EOF marker. */
  get hasEofMarker(): boolean {
    return this.#hasEofMarker;
  }

  async *#inflate(
    chunks: AsyncIterable<Uint8Array>,
    inflater: BlockInflater,
  ): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    for await (const { coffset, bytes } of streamBlocks(chunks)) {
      const data = inflater.inflate(bytes, { coffset });
      this.#hasEofMarker = isEofMarker(bytes);
      if (data.length > 0) yield toOwned(data);
    }
  }
}

/**
 * Compresses to BGZF for `pipeThrough`, as `CompressionStream` does to gzip. The bytes are those of `deflateStream`.
 *
 * @example
 * await blob.stream().pipeThrough(new BgzfCompressionStream({ level: 6 })).pipeTo(writable);
 */
export class BgzfCompressionStream {
  readonly writable: WritableStream<Uint8Array>;
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;

  constructor(options: DeflateStreamOptions = {}) {
    const input = new TransformStream<Uint8Array, Uint8Array>();
    this.writable = input.writable;
    this.readable = toStream(deflateStream(readChunks(input.readable), options));
  }
}

/**
 * Produces a chunk when the consumer pulls it, so that a chunk that expands a thousandfold is never in memory at once.
 */
function toStream(chunks: AsyncGenerator<Uint8Array<ArrayBuffer>, void>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const next = await chunks.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      async cancel() {
        await chunks.return();
      },
    },
    { highWaterMark: 0 },
  );
}
