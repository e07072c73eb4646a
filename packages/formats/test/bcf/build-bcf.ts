import { ascii, int32, join } from '../bam/build-bam.js';

/** What a record is built of; it has no INFO and no samples. */
export interface BcfParts {
  /** Default 0. */
  readonly contig?: number;
  /** 0-based. Default 0. */
  readonly position?: number;
  /** Default 1. */
  readonly rlen?: number;
  /** Typed values behind the fixed fields, ID and REF first. Default "." and "A". */
  readonly values?: Uint8Array;
  /** Bytes of the second part. Default none. */
  readonly individual?: Uint8Array;
}

/** A header as VCFv4.3 §6.2 lays it out. */
export function buildBcfHeader(text: string): Uint8Array {
  return join([ascii('BCF\x02\x02'), int32(text.length), ascii(text)]);
}

/** A record as VCFv4.3 §6.3.1 lays it out. */
export function buildBcfRecord(parts: BcfParts = {}): Uint8Array {
  const { contig = 0, position = 0, rlen = 1, individual = new Uint8Array(0) } = parts;
  const values = parts.values ?? Uint8Array.of(0x17, 0x2e, 0x17, 0x41);
  const shared = join([
    int32(contig, position, rlen), // CHROM, POS, rlen
    int32(0x7f800001), // QUAL, missing
    int32(0x00010000, 0), // n_allele and n_info, n_fmt and n_sample
    values,
  ]);
  return join([int32(shared.length, individual.length), shared, individual]);
}
