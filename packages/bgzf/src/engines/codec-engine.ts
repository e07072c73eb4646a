/** Bounds of one call of a `RawInflater`. */
export interface RawInflateOptions {
  /** Number of uncompressed bytes to produce. */
  readonly size: number;
  /** Offset of the block in the file, reported by errors. */
  readonly coffset: number;
}

/** The result of inflating DEFLATE data to its end. */
export interface InflatedData {
  /** Valid until the next call of the inflater. */
  readonly bytes: Uint8Array;
  /** Bytes of input up to the end of the final DEFLATE block, which other bytes may follow. */
  readonly consumed: number;
}

/** Inflates raw DEFLATE data (RFC 1951) of at most 65536 bytes, compressed and uncompressed. */
export interface RawInflater {
  /**
   * Inflates data that yields at most `size` bytes, without producing more. Throws BgzfError at `coffset`: INVALID_DATA
   * if the data is corrupt or incomplete, SIZE_MISMATCH if it yields more.
   */
  inflateRaw(data: Uint8Array, options: RawInflateOptions): InflatedData;
  /**
   * Returns the first `size` bytes that the data yields, or all if it yields fewer. The result is valid until the next
   * call. The rest of the data is not verified. Throws BgzfError INVALID_DATA if the data is corrupt or incomplete
   * before that.
   */
  inflatePrefix(data: Uint8Array, options: RawInflateOptions): Uint8Array;
}

/** An implementation of the inflation of raw DEFLATE (RFC 1951), and of CRC32 (RFC 1952 §8). */
export interface InflateEngine {
  /** `wasm`, `node:zlib`, `javascript` or `pako`, or the name of an engine of the caller. */
  readonly name: string;
  /** Creates an inflater with an output area of its own. */
  createInflater(): RawInflater;
  /** Returns the CRC32 as an unsigned number. */
  crc32(data: Uint8Array): number;
}

/** An implementation of the compression to raw DEFLATE, and of CRC32. */
export interface DeflateEngine extends Pick<InflateEngine, 'name' | 'crc32'> {
  /**
   * Deflates at most 65536 bytes at a level from 1 to 9. The result is valid until the next call, and the same for the
   * same input. It may be undefined if it would not be smaller than a stored block.
   */
  deflateRaw(data: Uint8Array, level: number): Uint8Array | undefined;
}

/** An engine that inflates and deflates. */
export type CodecEngine = InflateEngine & DeflateEngine;

/** Options of every function that inflates. */
export interface EngineOptions {
  /** Default: the fastest of this runtime, like `defaultEngine()`. */
  readonly engine?: InflateEngine;
}
