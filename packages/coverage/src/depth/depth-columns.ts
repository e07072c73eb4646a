/** The values of a list for each record: those of record i are [offsets[i], offsets[i + 1]). */
interface Lists<Values> {
  readonly offsets: Int32Array;
  readonly values: Values;
}

/**
 * The columns of alignments that depth is computed from, in ascending order of position, as `columns` of `@htskit/records` yields them.
 * Coordinates are 0-based.
 */
export interface DepthColumns {
  /** The number of records. */
  readonly length: number;
  readonly referenceId: Int32Array;
  readonly start: Int32Array;
  readonly flags: Uint16Array;
  /** For a minimum mapping quality; without it, all records have 0. */
  readonly mappingQuality?: Uint8Array | undefined;
  /** The operations of CIGAR: the length times 16, plus the code of the type in `MIDNSHP=X`. */
  readonly cigar: Lists<Uint32Array>;
  /** Phred scores, for a minimum base quality. A record whose list is empty has no qualities. */
  readonly qualities?: Lists<Uint8Array> | undefined;
  /** For pairs whose overlap counts once: the names, and where the mates are. Without them, nothing is known to be a pair. */
  readonly names?: Lists<Uint8Array> | undefined;
  readonly mateReferenceId?: Int32Array | undefined;
  /** -1 if it is unknown. */
  readonly mateStart?: Int32Array | undefined;
}

/** Which records and bases count. The defaults are those of `samtools depth`. */
export interface DepthFilter {
  /** Records with one of these bits of FLAG are ignored. Default 0x704: UNMAP, SECONDARY, QCFAIL, DUP. */
  readonly excludeFlags?: number;
  /** Default 0. */
  readonly minMappingQuality?: number;
  /** Default 0. Bases without a quality count. */
  readonly minBaseQuality?: number;
  /** Whether deletions count, too. With a minimum base quality, the quality is that of the next base. Default false. */
  readonly countDeletions?: boolean;
  /** Whether bases that both reads of a pair cover count only for the first of them, as with `samtools depth -s`. Default false. */
  readonly countOverlapsOnce?: boolean;
}

/** The bits of FLAG that `samtools depth` excludes: UNMAP, SECONDARY, QCFAIL, DUP. */
export const DEFAULT_EXCLUDE_FLAGS = 0x704;
