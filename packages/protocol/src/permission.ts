import type { HtsgetFormat } from './htsget/query.js';
import type { HtsgetRegion } from './htsget/region.js';

/** The samples that may be seen: those of a list, or all that are not in a list. */
export type PermittedSamples = readonly string[] | { readonly except: readonly string[] };

/**
 * The part of an object that a request may see: everything; nothing, because the token is missing or invalid (401); nothing for
 * this client (403); or only the header and the records that overlap some regions, and that are of some samples, in some formats. The region `*`
 * stands for unplaced reads.
 * Freeze an array of many regions that serves many requests: it is sorted once, and neither it nor its regions may change
 * afterwards.
 */
export type Permission = 'all' | 'unauthenticated' | 'forbidden' | PartialPermission;

/** A permission for a part of an object, or for all of it with what audits name. */
export interface PartialPermission {
  readonly regions: 'all' | readonly HtsgetRegion[];
  /**
   * The samples: columns of variants, and SM of the read groups of reads. Names that a file does not have are skipped. Default: all
   * samples, and reads without a read group.
   */
  readonly samples?: PermittedSamples;
  /** The formats in which the object may be answered. Default: all. */
  readonly formats?: readonly HtsgetFormat[];
  /** Identifies the requester in access events, in at most 255 characters. Block URLs contain it unencrypted. */
  readonly subject?: string;
  /** The ids of at most ten visas that the permission rests on, for access events. Block URLs contain them unencrypted. */
  readonly visas?: readonly string[];
}
