import type { SequenceIdentifier } from '@htskit/digest';
import { toByteStream } from '@htskit/io';

/** A half-open range `[start, end)` of bases, 0-based, of the sequence as one string without line breaks. */
export interface BaseRange {
  readonly start: number;
  readonly end: number;
}

/** A name that an authority other than refget gave to a sequence. */
export interface SequenceAlias {
  readonly alias: string;
  readonly namingAuthority: string;
}

/** The metadata of a sequence (refget 2.0.0, "Metadata document"). */
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

interface BaseReadOptions {
  /** Aborts the read. */
  readonly signal?: AbortSignal;
}

export interface ReadBasesOptions extends BaseReadOptions {
  /**
   * Memory for the bases. A sequence that uses it returns a view of it, not necessarily of its start; the caller must not use the
   * memory until the read has ended. It must have room for the bases as they are stored, line ends included, and eight bytes more.
   * Reading 1 Mb into memory that is kept takes half of the time: new memory costs as much as reading the page cache.
   */
  readonly into?: Uint8Array | undefined;
}

interface LocateSequenceOptions extends BaseReadOptions {
  /**
   * The bases that the query parameters `start` and `end` select. Undefined for a whole sequence, and for a part selected
   * by a Range header, which clients send again to the URL that they are redirected to.
   */
  readonly range?: BaseRange;
}

/**
 * One stored sequence. Bases are upper-case ASCII letters. `read` and `stream` return exactly `end - start` of them or fail,
 * and throw RangeError at once for a range that does not lie within the sequence.
 */
export interface Sequence {
  readonly metadata: SequenceMetadata;
  /** Reads the bases of a short range into memory. */
  read(range: BaseRange, options?: ReadBasesOptions): Promise<Uint8Array>;
  /** Streams the bases of a range of any length as fast as the consumer reads. */
  stream(range: BaseRange, options?: BaseReadOptions): ReadableStream<Uint8Array>;
  /**
   * Returns an absolute URL at which clients get the same bases, or undefined if they must be read through this object. The
   * URL needs no credentials, stays valid for the time a download takes, and answers GET with the bare bases.
   */
  locate?(options: LocateSequenceOptions): Promise<string | undefined>;
}

/** Reads the bases of ranges that lie within a sequence. */
export interface BaseReader {
  read(range: BaseRange, options: ReadBasesOptions): Promise<Uint8Array>;
  chunks(range: BaseRange, signal?: AbortSignal): AsyncGenerator<Uint8Array, void>;
}

/** Returns a sequence whose ranges are checked before its bases are read. */
export function toSequence(metadata: SequenceMetadata, reader: BaseReader): Sequence {
  return {
    metadata,
    read(range, options = {}) {
      checkBaseRange(range, metadata.length);
      return reader.read(range, options);
    },
    stream(range, { signal } = {}) {
      checkBaseRange(range, metadata.length);
      return toByteStream(reader.chunks(range, signal));
    },
  };
}

/** One sequence of a file. */
export interface NamedSequence extends Sequence {
  /** The name in the file: in FASTA, the text after `>` up to the first white space. */
  readonly name: string;
}

/** Finds sequences by their identifiers. */
export interface SequenceCatalogue {
  /**
   * Returns the sequences that an identifier names: an empty list for an unknown identifier, and more than one only for an
   * ambiguous one, such as the CURIE of a name that two sequences share.
   */
  find(identifier: SequenceIdentifier): readonly Sequence[] | Promise<readonly Sequence[]>;
  /** The namespaces of the CURIEs that `find` may know, for service-info. */
  readonly namingAuthorities?: readonly string[];
}

/** How much of a file has been read while it is opened, in stored bytes. */
export interface OpenProgress {
  readonly bytesRead: number;
  readonly size: number;
}

/** Throws RangeError unless both ends of the range are whole numbers and it lies within `length` bases. */
function checkBaseRange({ start, end }: BaseRange, length: number): void {
  const isRange = Number.isSafeInteger(start) && Number.isSafeInteger(end) && 0 <= start && start <= end;
  if (isRange && end <= length) return;
  throw new RangeError(`bases [${start}, ${end}) are not within a sequence of ${length} bases`);
}
