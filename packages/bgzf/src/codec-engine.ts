/** What is known of DEFLATE data before it is inflated: its uncompressed bytes, and its block's offset in the file. */
export interface Expected {
  readonly size: number;
  readonly coffset: number;
}

/** DEFLATE data that was read to its end. */
export interface InflatedData {
  /** Owned by the caller: it shares no memory with any other result. */
  readonly bytes: Uint8Array;
  /** Bytes of input up to the end of the final DEFLATE block; fewer than given if something follows it. */
  readonly consumed: number;
}

/** Raw DEFLATE (RFC 1951) and CRC32 (RFC 1952 §8). `#engine` chooses one: node:zlib in Node, pako elsewhere. */
export interface CodecEngine {
  /**
   * Inflates DEFLATE data that yields at most `size` bytes; more is noticed without being produced.
   * Throws BgzfError at `coffset`: INVALID_DATA if it is corrupt or incomplete, SIZE_MISMATCH if it yields more.
   */
  inflateRaw(data: Uint8Array, expected: Expected): InflatedData;
  /** Deflates `data` at a level of 1 to 9. The same input always gives the same bytes. */
  deflateRaw(data: Uint8Array, level: number): Uint8Array;
  /** The CRC32 as an unsigned number. */
  crc32(data: Uint8Array): number;
}
