/** What is known of DEFLATE data before it is inflated: its uncompressed bytes, and its block's offset in the file. */
export interface Expected {
  readonly size: number;
  readonly coffset: number;
}

/** DEFLATE data that was read to its end. */
export interface InflatedData {
  /** Valid until the next call of the inflater that gave it. */
  readonly bytes: Uint8Array;
  /** Bytes of input up to the end of the final DEFLATE block; fewer than given if something follows it. */
  readonly consumed: number;
}

/** Inflates raw DEFLATE data (RFC 1951) of at most 65536 bytes, compressed and uncompressed. */
export interface RawInflater {
  /**
   * Inflates data that yields at most `size` bytes; more is noticed without being produced.
   * Throws BgzfError at `coffset`: INVALID_DATA if it is corrupt or incomplete, SIZE_MISMATCH if it yields more.
   */
  inflateRaw(data: Uint8Array, expected: Expected): InflatedData;
  /**
   * The first `size` bytes that the data yields, or all if it yields fewer; what lies behind them need not be read.
   * Valid until the next call. Throws INVALID_DATA if it is corrupt or incomplete before.
   */
  inflatePrefix(data: Uint8Array, expected: Expected): Uint8Array;
}

/** Raw DEFLATE (RFC 1951) and CRC32 (RFC 1952 §8). */
export interface CodecEngine {
  /** What does the work: `wasm`, `node:zlib`, `pako`, or whatever an engine of the caller's says. */
  readonly name: string;
  /** Each inflater has an output area of its own. */
  createInflater(): RawInflater;
  /**
   * Deflates `data`, at most 65536 bytes, at a level of 1 to 9. Valid until the next call; the same input always gives
   * the same bytes. May be undefined where they would be no fewer than those of the data stored as it is.
   */
  deflateRaw(data: Uint8Array, level: number): Uint8Array | undefined;
  /** The CRC32 as an unsigned number. */
  crc32(data: Uint8Array): number;
}

/** What every function that inflates or deflates takes. */
export interface EngineOptions {
  /** By default `defaultEngine()`. */
  readonly engine?: CodecEngine | undefined;
}
