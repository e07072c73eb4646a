// What the other packages of htskit share with this one. It has no stable interface.

export { defaultInflateEngine } from '#inflate-engine';
export { BlockInflater } from './block/block-inflater.js';
export { MAX_BLOCK_SIZE, parseBlockHeader } from './block/block-layout.js';
export { BLOCK_DATA_BYTES } from './block/deflate-blocks.js';
export { endsWithEofMarker } from './block/eof-marker.js';
export { inflateBlockPrefix } from './block/inflate-blocks.js';
export { type BgzfBlock, findBlock, readBlock } from './block/read-block.js';
export { crc32 } from './engines/crc32.js';
export { type InflatedBlocks, InflatePool } from './pool/inflate-pool.js';
export { inflatePieces } from './stream/inflate-pieces.js';
export { RangeInflater } from './stream/inflate-stream.js';
export { streamBlocks } from './stream/stream-blocks.js';
export { blockRange, virtualOffsetFromU64 } from './virtual-offset.js';
export { createZlibInflater, deflateZlib, type ZlibInflater } from './zlib-data.js';
