import { type KeySelection, SelectedKeys } from '../../records/key-selection.js';
import type { AggregateKey } from './allele-counts.js';

/** The samples that a rewriter of variants keeps, and what becomes of INFO. */
export interface SampleSubset {
  /** The indexes of the samples to keep, each once, in the order in which they are written. */
  readonly samples: readonly number[];
  /**
   * The INFO keys that are counted again: those that the header declares. A record gets AC and AN even if it lacks them, as by
   * `bcftools view -s`. Records without GT, and all records if no sample is kept, are not counted. Default: no keys.
   */
  readonly aggregates?: readonly AggregateKey[];
  /**
   * Whether INFO keeps only what says nothing of the samples that are left out: the counted keys, and those of sites and alleles. Default
   * false.
   */
  readonly hidesOthers?: boolean;
}

/** The keys and samples that a rewriter of variants keeps. */
export interface VariantSelection extends KeySelection {
  /** Default: all samples are kept, and INFO is not counted again. */
  readonly subset?: SampleSubset;
}

/**
 * The INFO keys that describe a site and its alleles, whatever the samples are: those of VCFv4.5 §1.6.1 and §3, and the annotations
 * of widely used programs.
 */
const SITE_KEYS: readonly string[] = [
  ...['AA', 'DB', 'H2', 'H3', '1000G', 'VALIDATED', 'CIGAR', 'END', 'IMPRECISE', 'NOVEL', 'SVTYPE', 'SVLEN', 'SVCLAIM'],
  ...['CIPOS', 'CIEND', 'CILEN', 'HOMLEN', 'HOMSEQ', 'BKPTID', 'MEINFO', 'METRANS', 'DGVID', 'DBVARID', 'DBRIPID'],
  ...['MATEID', 'PARID', 'EVENT', 'EVENTTYPE', 'CN', 'CICN', 'RN', 'RUS', 'RUL', 'RB', 'CIRUC', 'CIRB', 'RUB', 'RUC'],
  ...['ANN', 'BCSQ', 'CSQ', 'EFF', 'LOF', 'NMD', 'RS', 'dbSNPBuildID'],
];

/** The keys of INFO and FORMAT that a selection keeps. */
export interface SelectedVariantKeys {
  readonly info: SelectedKeys;
  readonly format: SelectedKeys;
  /** The INFO keys to count again. */
  readonly counted: readonly AggregateKey[];
}

/** Returns the keys that a selection keeps. */
export function selectVariantKeys({ tags, notags, subset }: VariantSelection): SelectedVariantKeys {
  const format = new SelectedKeys({ tags, notags });
  const { samples = [], aggregates = [], hidesOthers = false } = subset ?? {};
  const counted = samples.length === 0 ? [] : aggregates.filter((key) => format.hasName(key));
  if (!hidesOthers) return { info: format, format, counted };
  const shown = SITE_KEYS.filter((key) => format.hasName(key));
  return { info: new SelectedKeys({ tags: shown }), format, counted };
}
