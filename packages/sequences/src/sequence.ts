import type { SequenceIdentifier } from '@htskit/digest';

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

export interface BaseReadOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface LocateOptions extends BaseReadOptions {
  /**
   * The bases that start and end ask for. Missing where all of them are asked for, and for a part by the Range header,
   * which clients send again to where they are redirected.
   */
  readonly range?: BaseRange | undefined;
}

/**
 * One stored sequence. Bases are upper-case ASCII letters and nothing else; both ways to read them give exactly
 * `end - start` of them or fail, and throw RangeError at once for a range that does not lie within the sequence.
 */
export interface Sequence {
  readonly metadata: SequenceMetadata;
  /** The bases of a range, all at once: for ranges that are short. */
  read(range: BaseRange, options?: BaseReadOptions): Promise<Uint8Array>;
  /** The bases of a range of any length, read as they are asked for. */
  stream(range: BaseRange, options?: BaseReadOptions): ReadableStream<Uint8Array>;
  /**
   * Where clients get the same bases: an absolute URL that needs no credentials, is valid for as long as a client takes,
   * and answers GET with these bases as they are and nothing else. Undefined where they are to be read from here.
   */
  locate?(options: LocateOptions): Promise<string | undefined>;
}

/** One sequence of a file. */
export interface NamedSequence extends Sequence {
  /** What the file calls it: of FASTA what stands behind `>`, up to the first white space. */
  readonly name: string;
}

/** Finds sequences by their identifiers. */
export interface SequenceCatalogue {
  /**
   * Returns the sequences of an identifier: none if it is unknown, several only for an identifier that is not unique, such
   * as the CURIE of a name that is used twice.
   */
  find(identifier: SequenceIdentifier): readonly Sequence[] | Promise<readonly Sequence[]>;
  /** The namespaces of the CURIEs that `find` may know, for service-info. */
  readonly namingAuthorities?: readonly string[];
}
