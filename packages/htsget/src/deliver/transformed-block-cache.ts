import { type ByteSource, CHUNK_BYTES, LruCache } from '@htskit/io';
import { collectChunks } from '@htskit/io/internal';
import type { SentSegment } from '../plan/plan.js';
import { storedLength } from './group-segments.js';
import { type SegmentStreamOptions, segmentsByteLength, streamSegments } from './segment-stream.js';

/** The maximum number of bytes of a block that is kept. Short blocks have more only if they are sent uncompressed. */
const MAX_CACHED_BLOCK_BYTES = 2 ** 20;

/** Weight of the entry of a block, without its bytes. */
const ENTRY_BYTES = 300;

export interface TransformedBlockCacheOptions {
  /** The maximum number of bytes of the blocks that are kept. */
  readonly maxBytes: number;
  readonly onLookup?: (isHit: boolean) => void;
}

/**
 * Caches short blocks whose records are filtered, rewritten or converted: those of less than 256 KiB of the file, which a stream
 * also reads at once. Each is created as a whole, so that its length is known and a client can continue after its connection
 * broke. Clients that request equal blocks at the same time share the work.
 */
export class TransformedBlockCache {
  readonly #blocks: LruCache<Uint8Array | undefined>;
  readonly #maxStoredBytes: number;

  constructor({ maxBytes, onLookup }: TransformedBlockCacheOptions) {
    this.#blocks = new LruCache({ maxWeight: maxBytes, onLookup });
    this.#maxStoredBytes = Math.min(CHUNK_BYTES, maxBytes);
  }

  /** Returns the bytes of a block with this entity tag, or undefined if it is long. Throws what `streamSegments` throws. */
  async load(
    entityTag: string,
    segments: readonly SentSegment[],
    { source, options }: { readonly source: ByteSource; readonly options: SegmentStreamOptions },
  ): Promise<Uint8Array | undefined> {
    if (segmentsByteLength(segments, options) !== undefined) return undefined;
    if (storedLength(segments) >= this.#maxStoredBytes) return undefined;
    return this.#blocks.load(entityTag, async () => {
      // Others may wait for a block whose first client has gone.
      const { signal: _signal, ...shared } = options;
      const value = await collectChunks(streamSegments(segments, source, shared), MAX_CACHED_BLOCK_BYTES);
      return { value, weight: ENTRY_BYTES + (value?.length ?? 0) };
    });
  }
}
