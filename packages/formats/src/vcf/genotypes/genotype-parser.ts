import { decodeText } from '@htskit/io';

const [TAB, SLASH, COLON, PIPE, ZERO, NINE] = [0x09, 0x2f, 0x3a, 0x7c, 0x30, 0x39];
/** Digits whose value a double holds exactly. */
const EXACT_DIGITS = 15;

/** The number of an unknown allele. */
export const UNKNOWN_ALLELE = -1;

/** Parses the text of GT where it is in a line (VCFv4.3 §1.6.2, VCFv4.4 §1.6.2). */
export class GenotypeParser {
  /** The alleles of the genotype that was parsed last. Those that are not numbers are unknown. */
  readonly alleles: number[] = [];
  /** Whether a `|` is before each allele but the first one. */
  readonly phases: boolean[] = [];
  /** Whether the first allele is phased, if it has a separator. */
  firstPhase: boolean | undefined;

  /** Whether all alleles are phased. A haploid genotype without a separator is phased if its allele is known. */
  get isPhased(): boolean {
    const { phases, firstPhase } = this;
    for (let i = 0; i < phases.length; i++) if (phases[i] === false) return false;
    return firstPhase ?? (phases.length > 0 || this.alleles[0] !== UNKNOWN_ALLELE);
  }

  /** Parses the value that begins at `start` and ends before a colon, a tab or `limit`, and returns the offset of its end. */
  parse(bytes: Uint8Array, start: number, limit: number): number {
    this.alleles.length = 0;
    this.phases.length = 0;
    const prefix = start < limit ? bytes[start] : undefined;
    const hasPrefix = prefix === PIPE || prefix === SLASH;
    this.firstPhase = hasPrefix ? prefix === PIPE : undefined;
    for (let at = hasPrefix ? start + 1 : start; ; at++) {
      at = this.#parseAllele(bytes, at, limit);
      const separator = at < limit ? bytes[at] : undefined;
      if (separator !== PIPE && separator !== SLASH) return at;
      this.phases.push(separator === PIPE);
    }
  }

  #parseAllele(bytes: Uint8Array, start: number, limit: number): number {
    let at = start;
    let value = 0;
    let isNumber = true;
    for (; at < limit; at++) {
      const byte = bytes[at] ?? 0;
      if (byte >= ZERO && byte <= NINE) value = 10 * value + byte - ZERO;
      else if (byte === SLASH || byte === PIPE || byte === COLON || byte === TAB) break;
      else isNumber = false;
    }
    if (at - start > EXACT_DIGITS && isNumber) value = Number(decodeText(bytes, start, at));
    this.alleles.push(isNumber && at > start ? value : UNKNOWN_ALLELE);
    return at;
  }
}
