export { BgzfError, type BgzfErrorCode } from './bgzf-error.js';
export { type BgzfSource, readChunks, type SourceOptions } from './bgzf-source.js';
export { type BlockHeader, MAX_BLOCK_SIZE, parseBlockHeader } from './block-header.js';
export { deflateBlocks } from './deflate-blocks.js';
export { EOF_MARKER, endsWithEofMarker } from './eof-marker.js';
export { buildGzi, formatGzi, GziBuilder, type GziIndex, locateUncompressed, parseGzi } from './gzi.js';
export { inflateBlock, inflateBlocks } from './inflate-block.js';
export { type InflatedSpan, inflateRange } from './inflate-range.js';
export { type BgzfBlock, readBlock } from './read-block.js';
export { streamBlocks } from './stream-blocks.js';
export { streamCut } from './stream-cut.js';
export {
  compareVirtualOffsets,
  type VirtualOffset,
  type VirtualRange,
  virtualOffsetFromHalves,
} from './virtual-offset.js';
