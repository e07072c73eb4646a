import type { VariantSite } from '../vcf/columns/growing-variants.js';
import type { GenotypeRows } from '../vcf/genotypes/genotype-matrix.js';
import type { SampleSelection } from '../vcf/genotypes/sample-selection.js';
import type { VariantHeader } from '../vcf/variant-header.js';
import { BcfGenotypes } from './bcf-genotypes.js';
import { type BcfRecordSpan, BcfRecords } from './record.js';

/** A record of a BCF file as columns need it. */
export class BcfSite implements VariantSite {
  readonly #header: VariantHeader;
  readonly #genotypes: BcfGenotypes;
  #bytes: Uint8Array = new Uint8Array(0);
  #records = new BcfRecords(this.#bytes);
  #at = 0;
  #span: BcfRecordSpan = { byteEnd: 0, referenceId: 0, baseStart: 0, baseEnd: 0 };

  constructor(header: VariantHeader, rows: GenotypeRows, samples: SampleSelection) {
    this.#header = header;
    this.#genotypes = new BcfGenotypes(rows, samples, header);
  }

  enter(bytes: Uint8Array, offset: number): void {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#records = new BcfRecords(bytes, this.#header);
    }
    this.#at = offset;
    this.#span = this.#records.spanAt(offset);
  }

  get byteEnd(): number {
    return this.#span.byteEnd;
  }

  get referenceId(): number {
    return this.#span.referenceId;
  }

  get start(): number {
    return this.#span.baseStart;
  }

  get end(): number {
    // A telomere counts as on the first base, as in the filters.
    return Math.max(1, this.#span.baseEnd);
  }

  addGenotypes(): boolean {
    return this.#genotypes.add(this.#bytes, this.#at, this.byteEnd);
  }
}
