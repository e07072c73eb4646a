import type { EngineOptions } from './codec-engine.js';
import { borrowInflater } from './pooled-inflater.js';
import { streamBlocks } from './stream-blocks.js';
import type { VirtualOffset } from './virtual-offset.js';

/** Uncompressed data of one block, or a part of it; `coffset` and `uoffset` are the virtual offset of `data[0]`. */
export interface InflatedSpan extends VirtualOffset {
  /** At most 64 KiB. Unless `copy` was asked for, it is valid until the iteration goes on or ends. */
  readonly data: Uint8Array;
}

export interface SpanOptions extends EngineOptions {
  /** Gives each span memory of its own, which costs a third of the speed. Default false. */
  readonly copy?: boolean | undefined;
}

/**
 * The uncompressed data of a stream of blocks, block by block, in constant memory; spans are never empty. Any chunking of
 * the bytes gives the same spans. `coffset` is the offset of the first byte in the file.
 * Throws as `BlockInflater.inflate`; what was yielded before is right.
 */
export async function* inflateStream(
  chunks: AsyncIterable<Uint8Array>,
  options: SpanOptions & { readonly coffset?: number | undefined } = {},
): AsyncGenerator<InflatedSpan, void> {
  const { inflater, release } = borrowInflater(options.engine);
  try {
    for await (const { coffset, bytes } of streamBlocks(chunks, options)) {
      const data = inflater.inflate(bytes, { coffset });
      if (data.length > 0) yield { data: options.copy === true ? data.slice() : data, coffset, uoffset: 0 };
    }
  } finally {
    release();
  }
}
