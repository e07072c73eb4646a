import { BgzfError } from './bgzf-error.js';
import { type BlockHeader, parseBlockHeader } from './block-header.js';

/** One whole block among other bytes. */
export interface SlicedBlock {
  readonly header: BlockHeader;
  /** A view. */
  readonly block: Uint8Array;
}

/** The block at `at`. Throws INVALID_HEADER, and TRUNCATED if the bytes end within it. */
export function sliceBlock(
  bytes: Uint8Array,
  { at, coffset }: { readonly at: number; readonly coffset: number },
): SlicedBlock {
  const header = parseBlockHeader(bytes, { at, coffset });
  const block = bytes.subarray(at, at + header.blockSize);
  if (block.length < header.blockSize) {
    const message = `expected a block of ${header.blockSize} bytes, found ${block.length}`;
    throw new BgzfError('TRUNCATED', message, { offset: coffset });
  }
  return { header, block };
}
