/** The two endpoints of htsget. The name is also the first segment of an endpoint's path. */
export type Datatype = 'reads' | 'variants';

/** The formats that a client can request. VCFTEXT is uncompressed VCF. */
export type HtsgetFormat = 'BAM' | 'CRAM' | 'VCF' | 'BCF' | 'VCFTEXT';

/** The formats of each datatype. The first is the default. */
export const FORMATS: Readonly<Record<Datatype, readonly [HtsgetFormat, ...HtsgetFormat[]]>> = {
  reads: ['BAM', 'CRAM'],
  variants: ['VCF', 'BCF', 'VCFTEXT'],
};

/** The values of the `fields` parameter (htsget 1.3.1, "Field names for reads filtering"). */
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

/** One of the `FIELD_NAMES`. */
export type FieldName = (typeof FIELD_NAMES)[number];

/** The reference name that selects unplaced unmapped reads. For variants it is an unknown reference. */
export const UNPLACED = '*';

/** The parameters that the protocol defines (htsget 1.3.1, "GET query parameters"). Others are ignored. */
export const QUERY_PARAMETERS = [
  'format',
  'class',
  'referenceName',
  'start',
  'end',
  'fields',
  'tags',
  'notags',
] as const;

/**
 * A region of one reference in 0-based, half-open coordinates. Without `start` it begins at the first base of the
 * reference, without `end` it extends to the last.
 */
export interface HtsgetRegion {
  readonly referenceName: string;
  /** At most Number.MAX_SAFE_INTEGER: greater values are clamped. */
  readonly start?: number;
  /**
   * At most Number.MAX_SAFE_INTEGER: greater values are clamped. Unless the query has an `invalidRange`, `end` is at least
   * `start` in a GET and greater than it in a POST, where the two can become equal only by clamping.
   */
  readonly end?: number;
}

/** A validated request. A property is undefined if the request does not contain the parameter. */
export interface HtsgetQuery {
  readonly datatype: Datatype;
  readonly format: HtsgetFormat;
  /** Set if only the header is requested. The properties below are then undefined. */
  readonly class?: 'header';
  /** At least one region, in the order of the request. Undefined selects all records, mapped or not. */
  readonly regions?: readonly HtsgetRegion[];
  /** The message of the InvalidRange error to answer with once all references are known to exist. */
  readonly invalidRange?: string;
  /** Reads only: at least one field, without duplicates. Undefined selects all fields. */
  readonly fields?: readonly FieldName[];
  /** The tags to keep, without duplicates; an empty list keeps none. Undefined keeps all. */
  readonly tags?: readonly string[];
  /** The tags to remove, without duplicates and disjoint from `tags`. */
  readonly notags?: readonly string[];
}
