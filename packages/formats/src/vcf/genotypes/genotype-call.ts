import type { Genotype } from '../variant-values.js';

/** The number of an unknown allele. */
export const UNKNOWN_ALLELE = -1;

/** Diploid genotypes of alleles below this number are shared: creating them takes twice as long as parsing. */
const MAX_COMMON = 8;
const COMMON: (Genotype | undefined)[] = [];

/** A genotype that a parser fills, and that the next one replaces. Its memory stays: shortening arrays takes longer than parsing. */
export class GenotypeCall {
  /** The number of alleles. */
  count = 0;
  /** The numbers of alleles, then those of earlier genotypes. */
  readonly alleles: number[] = [];
  /** Whether each allele is phased. That of the first one counts with `hasFirstPhase`. */
  readonly #phases: boolean[] = [];
  /** Whether the first allele has a phase that does not follow from the others (VCFv4.4 §1.6.2). */
  #hasFirstPhase = false;

  /** Begins a genotype. `firstPhase`: whether the first allele is phased; undefined if it follows from the others. */
  begin(firstPhase: boolean | undefined): void {
    this.count = 0;
    this.#hasFirstPhase = firstPhase !== undefined;
    this.#phases[0] = firstPhase === true;
  }

  /** Adds an allele. The phase of the first one is that of `begin`. */
  add(allele: number, isPhased: boolean): void {
    const at = this.count++;
    this.alleles[at] = allele;
    if (at > 0) this.#phases[at] = isPhased;
  }

  /** Whether all alleles are phased. */
  get isPhased(): boolean {
    return this.#isFirstPhased && this.#areOthersPhased;
  }

  /** Returns the genotype as a value that does not change. */
  toGenotype(): Genotype {
    const [first = UNKNOWN_ALLELE, second = UNKNOWN_ALLELE] = this.alleles;
    const isPhased = this.#areOthersPhased;
    const isCommon = first < MAX_COMMON && second < MAX_COMMON && this.#isFirstPhased === isPhased;
    if (this.count !== 2 || !isCommon) return this.#createGenotype();
    const index = ((first + 1) << 5) | ((second + 1) << 1) | (isPhased ? 1 : 0);
    COMMON[index] ??= Object.freeze(this.#createGenotype());
    return COMMON[index];
  }

  #createGenotype(): Genotype {
    const alleles = this.alleles.slice(0, this.count).map((allele) => (allele === UNKNOWN_ALLELE ? null : allele));
    const phases = [this.#isFirstPhased, ...this.#phases.slice(1, this.count)];
    return { alleles: Object.freeze(alleles), phases: Object.freeze(phases), isPhased: this.isPhased };
  }

  /** Without a phase of its own, the first allele is phased if the others are, and a haploid one if it is known. */
  get #isFirstPhased(): boolean {
    if (this.#hasFirstPhase) return this.#phases[0] === true;
    return this.count > 1 ? this.#areOthersPhased : this.alleles[0] !== UNKNOWN_ALLELE;
  }

  get #areOthersPhased(): boolean {
    for (let i = 1; i < this.count; i++) if (this.#phases[i] === false) return false;
    return true;
  }
}
