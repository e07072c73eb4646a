import type { AlleleNumbers, GenotypeMatrix } from '../genotypes/genotype-matrix.js';

/** The column of each field of variants. Coordinates are 0-based and half-open. */
export interface VariantColumnTypes {
  /** The index of the contig in `header.contigs.entries`; −1 for one that neither the header nor the index of a VCF file has. */
  readonly referenceId: Int32Array<ArrayBuffer>;
  /** The first base of REF; −1 for a telomere, which is POS 0. */
  readonly start: Int32Array<ArrayBuffer>;
  /** The end of the bases that the record covers, as `VariantRecord.end`. */
  readonly end: Int32Array<ArrayBuffer>;
  /** GT of the samples. */
  readonly genotypes: GenotypeMatrix;
  /**
   * The number of alleles other than REF in the calls of `genotypes`; −1 if an allele is unknown and without GT. 16-bit only if a
   * call has more than 127 alleles.
   */
  readonly dosage: AlleleNumbers;
}

/** A field that columns can hold. */
export type VariantColumnField = keyof VariantColumnTypes;

/** Records as columns: one for each requested field. */
export type VariantColumns<Field extends VariantColumnField = VariantColumnField> = {
  /** The number of records. */
  readonly length: number;
} & Pick<VariantColumnTypes, Field>;

/** The requested columns. */
export interface VariantColumnSelection<Field extends VariantColumnField> {
  readonly fields: readonly Field[];
  /** The columns of the samples of `genotypes` and `dosage`, by the header. Default: all. */
  readonly sampleColumns?: readonly number[];
  /** The maximum number of records of a batch. Default: 65,536, or fewer if the genotypes would take over 4 MiB. */
  readonly maxRecords?: number;
}
