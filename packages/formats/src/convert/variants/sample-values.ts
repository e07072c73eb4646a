import { FLOAT_MISSING, INT32_MISSING, MAX_INT32, MIN_INT32 } from '../../bcf/typed-value.js';
import { NumberReader } from '../../bytes/number-reader.js';
import { invalidData } from '../../format-error.js';
import type { DictionaryEntry } from '../../vcf/variant-header.js';
import { ElementList, MAX_ELEMENT_BYTES, tooManyValues } from '../element-list.js';

const [TAB, COLON, COMMA, DOT, SLASH, PIPE] = [0x09, 0x3a, 0x2c, 0x2e, 0x2f, 0x7c];
const [ZERO, NINE] = [0x30, 0x39];
/** The maximum number of keys of a record. */
export const MAX_KEYS = 255;
/** The largest index of an allele that fits into a genotype. */
const MAX_ALLELE = 2 ** 30 - 2;

/** Imported constants of hot loops: a local one is compiled into the code, an imported one is loaded and checked at each use. */
const [LEAST, GREATEST, ABSENT] = [MIN_INT32, MAX_INT32, INT32_MISSING];

/** How the values of a key are stored. */
export type Kind = 'genotype' | 'integer' | 'float' | 'text';

/** Returns how the values of a key are stored. Throws `FormatError` `INVALID_DATA` for a key that the header does not declare. */
export function kindOf(entry: DictionaryEntry | undefined, at: number): Kind {
  if (entry?.format === undefined) throw invalidData('header does not declare a key of FORMAT', at);
  // Readers take the values of GT for alleles, whatever the header declares.
  if (entry.name === 'GT') return 'genotype';
  const { type } = entry.format;
  if (type === 'Flag') throw invalidData('key of FORMAT has the type Flag', at);
  if (type === 'Integer') return 'integer';
  if (type === 'Float') return 'float';
  return 'text';
}

/** The columns [start, end) of the samples. `bytes` has a byte at `end`, which no value contains. */
export interface SampleColumns {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** The values of the samples of a record, read in the order of the line: all values of a sample, then those of the next one. */
export class SampleValues {
  readonly #hasFirstPhase: boolean;
  readonly #numbers = new NumberReader();
  readonly #list = new ElementList();
  #starts = new Int32Array(64);
  readonly #widths = new Int32Array(MAX_KEYS);

  /** `hasFirstPhase` says whether the phase of the first allele is stored (VCFv4.4 §6.3.3). */
  constructor(hasFirstPhase: boolean) {
    this.#hasFirstPhase = hasFirstPhase;
  }

  /** Integers, the bits of floats, alleles as they are stored, or the start and the end of a text. */
  get elements(): Int32Array {
    return this.#list.elements;
  }

  /** For each value of each sample, the index of its first element; for a value that the sample lacks, that of the next one. */
  get starts(): Int32Array {
    return this.#starts;
  }

  /** For each key, the maximum number of elements that a sample has, or bytes for a text. */
  get widths(): Int32Array {
    return this.#widths;
  }

  /** Reads the columns of `sampleCount` samples, whose values have `kinds`. Columns that follow them are ignored. */
  read(kinds: readonly Kind[], sampleCount: number, { bytes, start, end }: SampleColumns): void {
    const total = sampleCount * kinds.length;
    if (4 * total > MAX_ELEMENT_BYTES) throw tooManyValues(start);
    if (total >= this.#starts.length) this.#starts = new Int32Array(total + 1);
    const starts = this.#starts;
    const widths = this.#widths.fill(0, 0, kinds.length);
    this.#list.clear(start);
    let at = start;
    for (let sample = 0, index = 0; sample < sampleCount; sample++, at++) {
      if (at > end) throw invalidData(`record has ${sample} samples, but the header ${sampleCount}`, start);
      const next = index + kinds.length;
      for (let key = 0; ; key++, at++) {
        const kind = kinds[key];
        if (kind === undefined) throw invalidData('sample has more values than FORMAT has keys', at);
        const first = this.#list.length;
        const valueStart = at;
        starts[index++] = first;
        at = this.#readValue(kind, bytes, at, end);
        // A text that is not the first value takes a byte more, as in htslib.
        const width = kind === 'text' ? at - valueStart + (key > 0 ? 1 : 0) : this.#list.length - first;
        if (width > (widths[key] ?? 0)) widths[key] = width;
        const byte = bytes[at];
        if (byte === TAB || at === end) break;
        if (byte !== COLON) throw invalidData('sample has an invalid value', at);
      }
      while (index < next) starts[index++] = this.#list.length;
    }
    starts[total] = this.#list.length;
  }

  /** Reads a value, and returns where it ends. */
  #readValue(kind: Kind, bytes: Uint8Array, at: number, end: number): number {
    if (kind === 'integer') return this.#readIntegers(bytes, at);
    if (kind === 'genotype') return this.#readGenotype(bytes, at, end);
    return kind === 'float' ? this.#readFloats(bytes, at, end) : this.#readText(bytes, at, end);
  }

  #readText(bytes: Uint8Array, start: number, end: number): number {
    let at = start;
    for (let byte = bytes[at]; at < end && byte !== COLON && byte !== TAB; byte = bytes[++at]);
    this.#list.push(start);
    this.#list.push(at);
    return at;
  }

  #readIntegers(bytes: Uint8Array, start: number): number {
    let at = start;
    for (; ; at++) {
      const value = this.#numbers.integer(bytes, at);
      const isNumber = this.#numbers.end > at && value >= LEAST && value <= GREATEST;
      this.#list.push(isNumber ? value : ABSENT);
      at = bytes[at] === DOT ? at + 1 : this.#numbers.end;
      if (bytes[at] !== COMMA) return at;
    }
  }

  #readFloats(bytes: Uint8Array, start: number, end: number): number {
    let at = start;
    for (; ; at++) {
      const next = bytes[at + 1] ?? 0;
      if (bytes[at] === DOT && !(next >= ZERO && next <= NINE)) {
        this.#list.push(FLOAT_MISSING);
        at++;
      } else {
        const value = this.#numbers.float(bytes, at, end);
        // An empty value is missing. htslib takes it for 0.
        if (this.#numbers.end > at) this.#list.pushFloat(value);
        else this.#list.push(FLOAT_MISSING);
        at = this.#numbers.end;
      }
      if (at >= end || bytes[at] !== COMMA) return at;
    }
  }

  /** Reads alleles as (index + 1) << 1 | phase, where the phase is that of the separator before the allele. */
  #readGenotype(bytes: Uint8Array, start: number, end: number): number {
    // Mostly two alleles of a digit each.
    if (start + 3 <= end) {
      const first = (bytes[start] ?? 0) - ZERO;
      const second = (bytes[start + 2] ?? 0) - ZERO;
      const separator = bytes[start + 1];
      const byte = bytes[start + 3];
      const isShort = first >= 0 && first <= 9 && second >= 0 && second <= 9;
      if (isShort && (separator === SLASH || separator === PIPE) && (byte === COLON || byte === TAB)) {
        const phase = separator === PIPE ? 1 : 0;
        this.#list.push(2 * first + 2 + (this.#hasFirstPhase ? phase : 0));
        this.#list.push(2 * second + 2 + phase);
        return start + 3;
      }
    }
    return this.#readAlleles(bytes, start, end);
  }

  #readAlleles(bytes: Uint8Array, start: number, end: number): number {
    const firstIndex = this.#list.length;
    let at = start;
    const hasPrefix = this.#hasFirstPhase && at < end && (bytes[at] === PIPE || bytes[at] === SLASH);
    let phase = hasPrefix && bytes[at] === PIPE ? 1 : 0;
    if (hasPrefix) at++;
    let isPhased = true;
    for (;;) {
      let allele = 0;
      if (bytes[at] === DOT) at++;
      else {
        allele = this.#numbers.integer(bytes, at) + 1;
        if (this.#numbers.end === at || !(allele > 0) || allele > MAX_ALLELE + 1) {
          throw invalidData('GT has an allele that is not "." or an index', at);
        }
        at = this.#numbers.end;
      }
      if (this.#list.length > firstIndex && phase === 0) isPhased = false;
      this.#list.push(2 * allele + phase);
      const separator = at < end ? bytes[at] : TAB;
      if (separator !== PIPE && separator !== SLASH) break;
      phase = separator === PIPE ? 1 : 0;
      at++;
    }
    const { elements } = this.#list;
    const first = elements[firstIndex] ?? 0;
    // Without a prefix, the first allele is phased if all others are; a single allele, if it is known.
    const isImplied = isPhased && (this.#list.length > firstIndex + 1 || first > 0);
    if (this.#hasFirstPhase && !hasPrefix && isImplied) elements[firstIndex] = first + 1;
    return at;
  }
}
