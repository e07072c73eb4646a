import { BgzfError } from './bgzf-error.js';
import { parseBlockFooter } from './block-footer.js';
import type { BlockOptions } from './block-inflater.js';
import type { EngineOptions } from './codec-engine.js';
import { withInflater } from './pooled-inflater.js';
import { sliceBlock } from './slice-block.js';

/** Default of the most bytes that is returned: 1 GiB. */
export const DEFAULT_MAX_BYTES: number = 2 ** 30;

/**
 * The uncompressed data of the block at the start of `block`, in memory of its own. Bytes behind the block are ignored.
 * CRC32 and ISIZE are always verified. Throws as `BlockInflater.inflate`, which is faster for many blocks.
 */
export function inflateBlock(block: Uint8Array, options: BlockOptions & EngineOptions = {}): Uint8Array<ArrayBuffer> {
  return withInflater(options.engine, (inflater) => inflater.inflate(block, options).slice());
}

/**
 * The first `length` bytes of the uncompressed data of a block, or all of it, in memory of its own, without inflating the
 * rest: for a small slice of a block that is not worth keeping. Of a part CRC32 is not verified; the whole is.
 * Throws as `BlockInflater.inflatePrefix`.
 */
export function inflateBlockPrefix(
  block: Uint8Array,
  options: BlockOptions & EngineOptions & { readonly length: number },
): Uint8Array<ArrayBuffer> {
  return withInflater(options.engine, (inflater) => inflater.inflatePrefix(block, options).slice());
}

/**
 * The uncompressed data of consecutive whole blocks, concatenated; no bytes give no bytes.
 * `coffset` is the offset of the first block in the file. Throws as `inflateBlock`, and LIMIT_EXCEEDED if the data is
 * longer than `maxBytes`, by default 1 GiB.
 */
export function inflateBlocks(
  bytes: Uint8Array,
  options: BlockOptions & EngineOptions & { readonly maxBytes?: number | undefined } = {},
): Uint8Array<ArrayBuffer> {
  const { coffset = 0, maxBytes = DEFAULT_MAX_BYTES } = options;
  const data = new Uint8Array(measureBlocks(bytes, coffset, maxBytes));
  inflateBlocksInto(data, bytes, options);
  return data;
}

/** As `inflateBlocks`, at the front of `target`, which is as long as the blocks claim; returns how many bytes it wrote. */
export function inflateBlocksInto(
  target: Uint8Array,
  bytes: Uint8Array,
  { coffset = 0, engine }: BlockOptions & EngineOptions,
): number {
  return withInflater(engine, (inflater) => {
    let byteLength = 0;
    for (let at = 0; at < bytes.length; ) {
      const { header, block } = sliceBlock(bytes, { at, coffset: coffset + at });
      const data = inflater.inflate(block, { coffset: coffset + at });
      target.set(data, byteLength);
      byteLength += data.length;
      at += header.blockSize;
    }
    return byteLength;
  });
}

/** What the blocks claim to hold together, each no more than its size allows. */
function measureBlocks(bytes: Uint8Array, coffset: number, maxBytes: number): number {
  let byteLength = 0;
  for (let at = 0; at < bytes.length; ) {
    const offset = coffset + at;
    const { header, block } = sliceBlock(bytes, { at, coffset: offset });
    byteLength += parseBlockFooter(block, header, offset).isize;
    if (byteLength > maxBytes) {
      throw new BgzfError('LIMIT_EXCEEDED', `the uncompressed data is longer than ${maxBytes} bytes`, { offset });
    }
    at += header.blockSize;
  }
  return byteLength;
}
