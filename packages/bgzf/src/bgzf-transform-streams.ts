import { readChunks } from './bgzf-source.js';
import type { DeflateStreamOptions } from './block-deflater.js';
import { BlockInflater } from './block-inflater.js';
import type { EngineOptions } from './codec-engine.js';
import { deflateStream } from './deflate-stream.js';
import { isEofMarker } from './eof-marker.js';
import { streamBlocks } from './stream-blocks.js';

/** BGZF in, its uncompressed data out, as DecompressionStream is for gzip: for `pipeThrough`. Chunks own their memory. */
export class BgzfDecompressionStream {
  readonly writable: WritableStream<Uint8Array>;
  /** Fails as `inflateStream` throws. */
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
      if (data.length > 0) yield data.slice();
    }
  }
}

/** Data in, BGZF out, as CompressionStream is for gzip: for `pipeThrough`. It writes what `deflateStream` yields. */
export class BgzfCompressionStream {
  readonly writable: WritableStream<Uint8Array>;
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;

  constructor(options: DeflateStreamOptions = {}) {
    const input = new TransformStream<Uint8Array, Uint8Array>();
    this.writable = input.writable;
    this.readable = toStream(deflateStream(readChunks(input.readable), options));
  }
}

/** One chunk is made when one is asked for, so that a chunk that expands a thousandfold is not there all at once. */
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
