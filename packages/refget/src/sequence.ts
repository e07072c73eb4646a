/** Half-open `[start, end)` in bases, 0-based, of the sequence as one string without line breaks. */
export interface BaseRange {
  readonly start: number;
  readonly end: number;
}

/** A name that an authority other than refget gave to a sequence. */
export interface SequenceAlias {
  readonly alias: string;
  readonly namingAuthority: string;
}

/** What is known of a sequence (refget 2.0.0, "Metadata document"). */
export interface SequenceMetadata {
  /** Bases. */
  readonly length: number;
  /** 32 lower-case hexadecimal digits. */
  readonly md5: string;
  /** With its prefix `SQ.`. */
  readonly sha512t24u: string;
  /** 48 lower-case hexadecimal digits. */
  readonly trunc512: string;
  readonly aliases: readonly SequenceAlias[];
  readonly circular: boolean;
}

/** One stored sequence. */
export interface Sequence {
  readonly metadata: SequenceMetadata;
  /**
   * The bases of the range, as upper-case ASCII letters and nothing else, read as they are asked for. Yields exactly
   * `end - start` bytes or fails. Throws RangeError for a range that does not lie within the sequence.
   */
  stream(range: BaseRange, options?: { readonly signal?: AbortSignal }): ReadableStream<Uint8Array>;
}
