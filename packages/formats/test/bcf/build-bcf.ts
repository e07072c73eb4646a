import { ascii, int32, join } from '../bam/build-bam.js';

/** The parts of a record to build. */
export interface BcfParts {
  /** Default 0. */
  readonly contig?: number;
  /** 0-based. Default 0. */
  readonly position?: number;
  /** Default 1. */
  readonly rlen?: number;
  /** Default 1. */
  readonly alleleCount?: number;
  /** Typed values after the fixed-size fields: ID, REF and so on. Default "." and "A". */
  readonly values?: Uint8Array;
  /** The key and value of each INFO entry. Default none. */
  readonly infos?: readonly Uint8Array[];
  /** Default 0. */
  readonly sampleCount?: number;
  /** The key and values of each FORMAT entry. Default none. */
  readonly formats?: readonly Uint8Array[];
  /** The bytes of the second part. Default those of `formats`. */
  readonly individual?: Uint8Array;
}

/** Builds a header (VCFv4.3 §6.2). */
export function buildBcfHeader(text: string): Uint8Array {
  return join([ascii('BCF\x02\x02'), int32(text.length), ascii(text)]);
}

/** Builds a record (VCFv4.3 §6.3.1). */
export function buildBcfRecord(parts: BcfParts = {}): Uint8Array {
  const { contig = 0, position = 0, rlen = 1, alleleCount = 1, infos = [], sampleCount = 0, formats = [] } = parts;
  const { values = Uint8Array.of(0x17, 0x2e, 0x17, 0x41), individual = join(formats) } = parts;
  const shared = join([
    int32(contig, position, rlen), // CHROM, POS, rlen
    int32(0x7f800001), // QUAL, missing
    int32((alleleCount << 16) | infos.length), // n_allele and n_info
    int32((formats.length << 24) | sampleCount), // n_fmt and n_sample
    values,
    ...infos,
  ]);
  return join([int32(shared.length, individual.length), shared, individual]);
}
