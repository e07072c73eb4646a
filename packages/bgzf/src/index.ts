export { defaultInflateEngine } from '#inflate-engine';
export { BgzfError, type BgzfErrorCode } from './bgzf-error.js';
export { BlockInflater, type BlockOptions } from './block/block-inflater.js';
export { type BlockHeader, MAX_BLOCK_SIZE, parseBlockHeader } from './block/block-layout.js';
export { BLOCK_DATA_BYTES, type DeflateOptions, deflateBlocks } from './block/deflate-blocks.js';
export { EOF_MARKER, endsWithEofMarker, isEofMarker, readEofMarker } from './block/eof-marker.js';
export { inflateBlock, inflateBlockPrefix, inflateBlocks } from './block/inflate-blocks.js';
export { type BgzfBlock, type FindBlockOptions, findBlock, readBlock } from './block/read-block.js';
export type {
  CodecEngine,
  DeflateEngine,
  EngineOptions,
  InflatedData,
  InflateEngine,
  RawInflateOptions,
  RawInflater,
} from './engines/codec-engine.js';
export { crc32 } from './engines/crc32.js';
export { defaultEngine } from './engines/default-engine.js';
export { gunzip } from './gunzip.js';
export { buildGzi, formatGzi, GziBuilder, type GziIndex, locateUncompressed, parseGzi } from './gzi.js';
export { BgzfPool, type BgzfPoolOptions, type PoolDeflateOptions, type PoolInflateOptions } from './pool/bgzf-pool.js';
export { BgzfReader, type BgzfReaderOptions } from './reader.js';
export { type DeflateStreamOptions, deflateStream } from './stream/deflate-stream.js';
export {
  type InflatedSpan,
  inflateRange,
  inflateStream,
  RangeInflater,
} from './stream/inflate-stream.js';
export { streamBlocks } from './stream/stream-blocks.js';
export { type CutOptions, streamCut } from './stream/stream-cut.js';
export { BgzfCompressionStream, BgzfDecompressionStream } from './stream/transform-streams.js';
export {
  compareVirtualOffsets,
  type VirtualOffset,
  type VirtualRange,
  virtualOffsetFromU64,
} from './virtual-offset.js';
