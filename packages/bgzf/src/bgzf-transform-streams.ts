import { BlockDeflater, type DeflateStreamOptions } from './block-deflater.js';
import { BlockInflater } from './block-inflater.js';
import { BlockSplitter } from './block-splitter.js';
import { BlockWalker } from './block-walker.js';
import type { EngineOptions } from './codec-engine.js';
import { isEofMarker } from './eof-marker.js';

/** A TransformStream of BGZF to its uncompressed data, as DecompressionStream is of gzip. Chunks own their memory. */
export class BgzfDecompressionStream extends TransformStream<Uint8Array, Uint8Array> {
  readonly #end: { hasEofMarker: boolean };

  /** Its readable side fails as `inflateStream` throws. */
  constructor(options: EngineOptions = {}) {
    const walker = new BlockWalker(0);
    const splitter = new BlockSplitter(walker);
    const inflater = new BlockInflater(options);
    const end = { hasEofMarker: false };
    super({
      transform(chunk, controller) {
        for (const { coffset, bytes } of splitter.push(chunk)) {
          const data = inflater.inflate(bytes, { coffset });
          end.hasEofMarker = isEofMarker(bytes);
          if (data.length > 0) controller.enqueue(data.slice());
        }
      },
      flush: () => walker.finish(),
    });
    this.#end = end;
  }

  /** Whether the last block so far is the EOF marker. */
  get hasEofMarker(): boolean {
    return this.#end.hasEofMarker;
  }
}

/** A TransformStream of data to BGZF, as CompressionStream is to gzip. It writes what `deflateStream` yields. */
export class BgzfCompressionStream extends TransformStream<Uint8Array, Uint8Array> {
  constructor(options: DeflateStreamOptions = {}) {
    const deflater = new BlockDeflater(options);
    const enqueue = (bytes: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>): void => {
      if (bytes.length > 0) controller.enqueue(bytes);
    };
    super({
      transform: (chunk, controller) => enqueue(deflater.push(chunk), controller),
      flush: (controller) => enqueue(deflater.finish(), controller),
    });
  }
}
