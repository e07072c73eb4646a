export { defaultEngine } from '#default-engine';
export { BgzfError, type BgzfErrorCode } from './bgzf-error.js';
export { type BgzfSource, readChunks, type SourceOptions } from './bgzf-source.js';
export { BgzfCompressionStream, BgzfDecompressionStream } from './bgzf-transform-streams.js';
export type { DeflateStreamOptions } from './block-deflater.js';
export { type BlockHeader, MAX_BLOCK_SIZE, parseBlockHeader } from './block-header.js';
export { BlockInflater, type BlockOptions } from './block-inflater.js';
export type { CodecEngine, EngineOptions, Expected, InflatedData, RawInflater } from './codec-engine.js';
export { crc32 } from './crc32.js';
export { type DeflateOptions, deflateBlocks } from './deflate-blocks.js';
export { deflateStream } from './deflate-stream.js';
export { EOF_MARKER, endsWithEofMarker, isEofMarker, readEofMarker } from './eof-marker.js';
export { type FindBlockOptions, findBlock } from './find-block.js';
export { gunzip } from './gunzip.js';
export { buildGzi, formatGzi, GziBuilder, type GziIndex, locateUncompressed, parseGzi } from './gzi.js';
export { inflateBlock, inflateBlockPrefix, inflateBlocks } from './inflate-block.js';
export { inflateRange } from './inflate-range.js';
export { type InflatedSpan, inflateStream, type SpanOptions } from './inflate-stream.js';
export { BgzfPool, type BgzfPoolOptions, type PoolDeflateOptions, type PoolInflateOptions } from './pool/bgzf-pool.js';
export type { CodecJob, CodecJobResult } from './pool/codec-job.js';
export type { CodecRunner } from './pool/codec-runner.js';
export type { Slot } from './pool/slot.js';
export { type BgzfBlock, readBlock } from './read-block.js';
export { BgzfReader, type BgzfReaderOptions } from './reader.js';
export { streamBlocks } from './stream-blocks.js';
export { streamCut } from './stream-cut.js';
export {
  compareVirtualOffsets,
  type VirtualOffset,
  type VirtualRange,
  virtualOffsetFromU64,
} from './virtual-offset.js';
