import { printAsJson } from '../records/print-as-json.js';
import type { VariantHeader } from './variant-header.js';
import { toVariantJson, type VariantJson } from './variant-json.js';
import type { Genotype, VariantValue } from './variant-values.js';

/** The values of one sample. */
export interface VariantSample {
  readonly name: string;
  /** GT; undefined without it. */
  readonly genotype: Genotype | undefined;
  /** Returns the value of a key of FORMAT; undefined if the record does not have the key. */
  value(key: string): VariantValue | undefined;
}

/**
 * A record of a VCF or BCF file. Nothing is decoded before it is read. `VcfVariantRecord` and `BcfVariantRecord` are views of
 * lines and of BCF records; their properties throw `FormatError` `INVALID_DATA` for malformed parts of a record.
 */
export abstract class VariantRecord {
  static {
    printAsJson('VariantRecord', VariantRecord.prototype);
  }

  readonly header: VariantHeader;

  constructor(header: VariantHeader) {
    this.header = header;
  }

  /** The offset just after the record. */
  abstract get byteEnd(): number;

  /** CHROM. */
  abstract get referenceName(): string;

  /** The first base of REF, 0-based; −1 for a telomere, which is POS 0. */
  abstract get start(): number;

  /** The end of the bases that the record covers, exclusive, as the filters determine it. */
  abstract get end(): number;

  /** ID, with semicolons between several; undefined if it is missing. */
  abstract get id(): string | undefined;

  /** REF. */
  abstract get ref(): string;

  /** ALT; empty if it is missing. */
  abstract get alt(): readonly string[];

  /** QUAL; undefined if it is missing. */
  abstract get quality(): number | undefined;

  /** FILTER: `['PASS']` for a record that passed all filters; undefined if it is missing. */
  abstract get filters(): readonly string[] | undefined;

  /** The keys of INFO in their order. */
  abstract get infoKeys(): readonly string[];

  /** Returns the value of a key of INFO; undefined if the record does not have the key. */
  abstract info(name: string): VariantValue | undefined;

  /** The keys of FORMAT in their order. */
  abstract get formatKeys(): readonly string[];

  /** Returns the value of a key of FORMAT of the sample with an index; undefined if the record does not have the key. */
  abstract formatValue(sample: number, key: string): VariantValue | undefined;

  /** Returns GT of the sample with an index; undefined without it. */
  abstract genotype(sample: number): Genotype | undefined;

  /** Returns the record as a VCF line without its line feed. That of a BCF record is as bcftools prints it. */
  abstract toVcf(): string;

  /** The genotypes of all samples, in the order of the header. */
  get genotypes(): readonly (Genotype | undefined)[] {
    return this.header.samples.map((_, sample) => this.genotype(sample));
  }

  /** Returns the values of a sample; undefined for a name that the header does not have. */
  sample(name: string): VariantSample | undefined {
    const index = this.header.sampleIndex(name);
    if (index === undefined) return undefined;
    const genotype = (): Genotype | undefined => this.genotype(index);
    return {
      name,
      get genotype() {
        return genotype();
      },
      value: (key) => this.formatValue(index, key),
    };
  }

  /** Returns the columns as plain values, for `JSON.stringify`. Throws `FormatError` `INVALID_DATA` for malformed parts. */
  toJSON(): VariantJson {
    return toVariantJson(this);
  }
}
