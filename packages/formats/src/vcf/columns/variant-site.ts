import type { GrowingList } from '../../columns/list-column.js';
import type { GenotypeRows } from '../genotypes/genotype-matrix.js';
import type { SampleSelection } from '../genotypes/sample-selection.js';
import type { VariantHeader } from '../variant-header.js';
import type { GrowingInfo } from './growing-info.js';

/** Texts that are appended, one for each record or for each allele. */
export type GrowingTexts = GrowingList<Uint8Array<ArrayBuffer>>;

/** A record of VCF or BCF as columns need it. */
export interface VariantSite {
  /** The offset just after the record. */
  readonly byteEnd: number;
  readonly referenceId: number;
  readonly start: number;
  readonly end: number;
  /** QUAL; null if it is missing. */
  readonly quality: number | null;
  /** Moves to the record at an offset. */
  enter(bytes: Uint8Array, offset: number): void;
  /** Appends ID. */
  pushId(list: GrowingTexts): void;
  /** Appends FILTER. */
  pushFilters(list: GrowingTexts): void;
  /** Appends each allele to `list`, and returns their number. */
  pushAlleles(list: GrowingTexts): number;
  /** Appends the value of a key of INFO. */
  pushInfo(name: string, column: GrowingInfo): void;
  /** Adds the genotypes of the record. Returns false if the batch must be taken first. */
  addGenotypes(): boolean;
}

/** Creates the site whose genotypes are added to `rows`. */
export type CreateSite = (header: VariantHeader, rows: GenotypeRows, samples: SampleSelection) => VariantSite;
