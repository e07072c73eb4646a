import { invalidData } from '../../format-error.js';

/** The INFO keys that summarise all samples and that can be counted for some of them (VCFv4.3 §1.6.1). */
export const AGGREGATE_KEYS = ['AC', 'AN', 'AF', 'NS'] as const;

export type AggregateKey = (typeof AGGREGATE_KEYS)[number];

/** The aggregates that a record gets even if it lacks them, as by `bcftools view -s`. */
export const ADDED_AGGREGATES: readonly AggregateKey[] = ['AC', 'AN'];

/** Counts the alleles of a record that some samples have. */
export class AlleleCounts {
  /** The alleles of the record, REF included. */
  alleleCount = 0;
  /** Called alleles of all samples: the value of AN. */
  total = 0;
  /** Samples with a called allele: the value of NS. */
  calledSamples = 0;
  #counts = new Int32Array(16);

  /** Starts with a record that has `alleleCount` alleles. */
  begin(alleleCount: number): void {
    if (alleleCount > this.#counts.length) this.#counts = new Int32Array(alleleCount);
    else this.#counts.fill(0, 0, alleleCount);
    this.alleleCount = alleleCount;
    this.total = 0;
    this.calledSamples = 0;
  }

  /** Counts a called allele. Throws `FormatError` `INVALID_DATA` at `offset` if the record lacks the allele. */
  add(allele: number, offset: number): void {
    if (allele >= this.alleleCount) throw invalidData(`genotype has allele ${allele}, which the record lacks`, offset);
    this.#counts[allele] = (this.#counts[allele] ?? 0) + 1;
    this.total++;
  }

  /** Returns how often an allele was called. */
  count(allele: number): number {
    return this.#counts[allele] ?? 0;
  }

  /** Returns the share of an allele among those that were called, as a 32-bit float; undefined if there are none. */
  frequency(allele: number): number | undefined {
    return this.total === 0 ? undefined : Math.fround(this.count(allele) / this.total);
  }

  /** Returns the number of values of a key. */
  valueCount(key: AggregateKey): number {
    return key === 'AC' || key === 'AF' ? this.alleleCount - 1 : 1;
  }
}
