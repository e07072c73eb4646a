import {
  type BinningIndex,
  type CraiIndex,
  IndexError,
  indexBam,
  indexBcf,
  indexCram,
  indexVcf,
  parseBinningIndex,
  parseCrai,
} from '@htskit/indexes';
import type { ByteSource, ReadOptions } from '@htskit/io';
import { readChunks } from '@htskit/io';
import type { StoredFormat } from './plan.js';

export interface BuildIndexOptions extends ReadOptions {
  readonly format: StoredFormat;
  /** Bytes of the object, as `stat` gives them. */
  readonly size: number;
  /** Refuse an index of more bytes. */
  readonly maxIndexBytes: number;
}

/**
 * Reads a whole file and indexes it; undefined for one that has no index because it is not sorted, or has positions that no
 * index holds, or whose index would be too long. Throws what the storage and the decoders throw.
 */
export async function buildIndex(
  source: ByteSource,
  { format, size, maxIndexBytes, ...options }: BuildIndexOptions,
): Promise<BinningIndex | CraiIndex | undefined> {
  const chunks = readChunks(source.stream({ start: 0, end: size }, options));
  const limits = { maxIndexBytes };
  try {
    if (format === 'CRAM') return parseCrai(await indexCram(chunks, limits), { maxBytes: maxIndexBytes });
    const index = { BAM: indexBam, BCF: indexBcf, VCF: indexVcf }[format];
    return parseBinningIndex(await index(chunks, limits), { maxBytes: maxIndexBytes });
  } catch (error) {
    if (error instanceof IndexError && (error.code === 'INVALID_DATA' || error.code === 'LIMIT_EXCEEDED')) {
      return undefined;
    }
    throw error;
  }
}
