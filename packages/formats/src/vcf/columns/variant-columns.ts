import type { ListColumn } from '../../columns/list-column.js';
import type { AlleleNumbers, GenotypeMatrix } from '../genotypes/genotype-matrix.js';

/** Texts of any number for each record: those of record i are the lists [offsets[i], offsets[i + 1]) of `values`. */
export interface TextListColumn {
  /** One more than the records. */
  readonly offsets: Int32Array<ArrayBuffer>;
  /** The bytes of each text. */
  readonly values: ListColumn<Uint8Array<ArrayBuffer>>;
}

/** A number for each record. */
export interface NumberColumn<Values extends Int32Array<ArrayBuffer> | Float32Array<ArrayBuffer>> {
  /** 0 for records without a number. */
  readonly values: Values;
  /** Bit i % 8 of byte i >> 3 is 1 if record i has a number; undefined if all have one. */
  readonly validity?: Uint8Array<ArrayBuffer>;
}

/** The column of each field of variants. Coordinates are 0-based and half-open. */
export interface VariantColumnTypes {
  /** The index of the contig in `header.contigs.entries`; −1 for one that neither the header nor the index of a VCF file has. */
  readonly referenceId: Int32Array<ArrayBuffer>;
  /** The first base of REF; −1 for a telomere, which is POS 0. */
  readonly start: Int32Array<ArrayBuffer>;
  /** The end of the bases that the record covers, as `VariantRecord.end`. */
  readonly end: Int32Array<ArrayBuffer>;
  /** The bytes of ID, with semicolons between several; not valid if it is missing. */
  readonly ids: ListColumn<Uint8Array<ArrayBuffer>>;
  /** REF and the alleles of ALT, if it is not missing. */
  readonly alleles: TextListColumn;
  /** QUAL; not valid if it is missing. */
  readonly quality: NumberColumn<Float32Array<ArrayBuffer>>;
  /** The bytes of FILTER, with semicolons between several; not valid if it is missing. */
  readonly filters: ListColumn<Uint8Array<ArrayBuffer>>;
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

/** The values of a key of INFO, by its declaration. Records without a value are not valid. */
export type InfoColumn = InfoNumberColumn | InfoListColumn | InfoTextColumn | InfoFlagColumn;

/** The first value of a key of `Number=1` and the type Integer or Float. */
export interface InfoNumberColumn extends NumberColumn<Int32Array<ArrayBuffer> | Float32Array<ArrayBuffer>> {
  readonly type: 'number';
}

/** The values of a key of another `Number` and the type Integer or Float. A missing one is −2^31 as an integer, otherwise NaN. */
export interface InfoListColumn extends ListColumn<Int32Array<ArrayBuffer> | Float32Array<ArrayBuffer>> {
  readonly type: 'list';
}

/** The bytes of a key of the type String or Character, with commas between several values, and of an undeclared key. */
export interface InfoTextColumn extends ListColumn<Uint8Array<ArrayBuffer>> {
  readonly type: 'text';
}

/** Whether records have a key of the type Flag. */
export interface InfoFlagColumn {
  readonly type: 'flag';
  /** 1 for records that have it, otherwise 0. */
  readonly values: Uint8Array<ArrayBuffer>;
}

/** Records as columns: one for each requested field, and one for each requested key of INFO. */
export type VariantColumns<Field extends VariantColumnField = VariantColumnField, Info extends string = never> = {
  /** The number of records. */
  readonly length: number;
} & Pick<VariantColumnTypes, Field> &
  ([Info] extends [never] ? unknown : { readonly info: { readonly [Name in Info]: InfoColumn } });

/** The requested columns. */
export interface VariantColumnSelection<Field extends VariantColumnField, Info extends string> {
  readonly fields: readonly Field[];
  /** Keys of INFO. Default: none. */
  readonly info?: readonly Info[];
  /** The columns of the samples of `genotypes` and `dosage`, by the header. Default: all. */
  readonly sampleColumns?: readonly number[];
  /** The maximum number of records of a batch. Default: 65,536, or as many as have 4 MiB of genotypes if those are fewer. */
  readonly maxRecords?: number;
}
