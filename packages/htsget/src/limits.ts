export interface HtsgetLimits {
  /** The maximum number of bytes of a POST body. Beyond: PayloadTooLarge. */
  readonly postBodyBytes: number;
  /** The maximum number of regions of one POST. Beyond: PayloadTooLarge. */
  readonly regions: number;
  /** The maximum number of blocks of one ticket. Beyond: PayloadTooLarge. */
  readonly blocks: number;
  /** The maximum number of compressed bytes of a header that is sent inside the ticket. Longer headers have a URL. */
  readonly inlineBytes: number;
  /**
   * The maximum number of bytes of edges inside a ticket whose data the store sends (`locate`). Further edges have URLs of this
   * service.
   */
  readonly inlineEdgeBytes: number;
  /** Compressed bytes between two parts of a file up to which both are read as one. */
  readonly gapBytes: number;
  /**
   * Compressed bytes of each region up to which precision `auto` filters record by record. Also the maximum number of bytes
   * that are read for a ticket whose data the store sends.
   */
  readonly exactBytes: number;
  /** Compressed bytes of one block URL: neighbouring segments share a URL up to this, and longer segments are split. */
  readonly blockBytes: number;
  /**
   * Stored bytes of one block URL whose records are converted to another format, which bounds the work of one request. Also of
   * one whose records are filtered or rewritten, unless the file would have more than half of `blocks`.
   */
  readonly convertedBytes: number;
  /**
   * The maximum number of uncompressed bytes of a slice of a CRAM file that is converted, with its reference. A request takes
   * about twice as much memory: slices of 100,000 short reads have 20 million bytes, and those of 10,000 three.
   */
  readonly sliceBytes: number;
  /** Seconds for which a block URL is valid. */
  readonly blockUrlSeconds: number;
  /** The maximum number of uncompressed bytes of a file's header. */
  readonly headerBytes: number;
  /**
   * The maximum number of uncompressed bytes of a record or line that is filtered, rewritten, converted or indexed. Lines of
   * 100,000 samples with long genotypes have tens of millions, and records of the longest reads several.
   */
  readonly recordBytes: number;
  /** The maximum number of references of a file's header. */
  readonly references: number;
  /** The maximum number of bytes of an index, stored and uncompressed. */
  readonly indexBytes: number;
  /** The maximum number of bytes of a file without an index that is indexed on demand. Longer files are searched as a whole. */
  readonly indexedBytes: number;
  /** The maximum number of bytes of cached headers and indexes. */
  readonly cacheBytes: number;
}

const MiB = 1024 * 1024;

export const DEFAULT_LIMITS: HtsgetLimits = {
  postBodyBytes: MiB,
  regions: 1000,
  blocks: 10_000,
  inlineBytes: 64 * 1024,
  inlineEdgeBytes: MiB,
  gapBytes: 64 * 1024,
  exactBytes: 8 * MiB,
  blockBytes: 1_000_000_000,
  convertedBytes: 16 * MiB,
  sliceBytes: 32 * MiB,
  blockUrlSeconds: 3600,
  headerBytes: 128 * MiB,
  recordBytes: 64 * MiB,
  references: 2_000_000,
  indexBytes: 512 * MiB,
  indexedBytes: 256 * MiB,
  cacheBytes: 256 * MiB,
};

/** Returns the stored bytes that one block is made from at most. */
export function maxBlockBytes({ blockBytes, convertedBytes }: HtsgetLimits, isConverted: boolean): number {
  return isConverted ? Math.min(blockBytes, convertedBytes) : blockBytes;
}

/**
 * Returns the stored bytes that one block with filtered or rewritten records is made from at most. A whole file has half of the
 * blocks.
 */
export function maxTransformedBytes({ convertedBytes, blocks }: HtsgetLimits, fileBytes: number): number {
  return Math.max(convertedBytes, Math.ceil((2 * fileBytes) / blocks));
}
