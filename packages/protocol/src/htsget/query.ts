/** What an endpoint serves; also its path segment. */
export type Datatype = 'reads' | 'variants';

/** The formats that can be asked for. VCFTEXT is uncompressed VCF. */
export type HtsgetFormat = 'BAM' | 'CRAM' | 'VCF' | 'BCF' | 'VCFTEXT';

/** The formats of each datatype; the first one is the default. */
export const FORMATS: Readonly<Record<Datatype, readonly [HtsgetFormat, ...HtsgetFormat[]]>> = {
  reads: ['BAM', 'CRAM'],
  variants: ['VCF', 'BCF', 'VCFTEXT'],
};

/** The names that `fields` may hold (htsget 1.3.1, "Field names for reads filtering"). */
export const FIELD_NAMES = [
  'QNAME',
  'FLAG',
  'RNAME',
  'POS',
  'MAPQ',
  'CIGAR',
  'RNEXT',
  'PNEXT',
  'TLEN',
  'SEQ',
  'QUAL',
] as const;

export type FieldName = (typeof FIELD_NAMES)[number];

/** The reference name that selects the unplaced unmapped reads. To variants it is an unknown one. */
export const UNPLACED = '*';

/** Bases of one reference, 0-based and half-open; without `start` from its first, without `end` to its last base. */
export interface HtsgetRegion {
  readonly referenceName: string;
  /** At most Number.MAX_SAFE_INTEGER: greater values are clamped to it. */
  readonly start?: number;
  /** As `start`. Unless `invalidRange` tells, never less than it, and greater in a POST; equal after clamping is possible. */
  readonly end?: number;
}

/** A checked request. What is undefined was not asked for. */
export interface HtsgetQuery {
  readonly datatype: Datatype;
  readonly format: HtsgetFormat;
  /** Only the header is asked for; then the query holds nothing of the following. */
  readonly class?: 'header';
  /** At least one, in the order of the request. Undefined means all records, mapped or not. */
  readonly regions?: readonly HtsgetRegion[];
  /** Why a region is none, to be told as InvalidRange once all references are known to exist. */
  readonly invalidRange?: string;
  /** Reads only: at least one, each once. Undefined means all. */
  readonly fields?: readonly FieldName[];
  /** Each once; empty means none. Undefined means all. */
  readonly tags?: readonly string[];
  /** Each once, none of them in `tags`. */
  readonly notags?: readonly string[];
}
