import { FormatError } from '../../format-error.js';
import { type GenotypeCall, UNKNOWN_ALLELE } from './genotype-call.js';

/** Numbers of alleles, or counts of them. */
export type AlleleNumbers = Int8Array<ArrayBuffer> | Int16Array<ArrayBuffer>;

/** The genotypes of some samples in consecutive records. */
export interface GenotypeMatrix {
  readonly sampleCount: number;
  /** The numbers that each call has in `alleles`: at least 2, and more if a call has more alleles. */
  readonly ploidy: number;
  /**
   * The numbers of alleles: 0 is REF. Those of sample s in record r begin at `(r * sampleCount + s) * ploidy`. −1 is an unknown
   * allele. −2 fills calls of fewer alleles, and the calls of a record without GT. 16-bit only if a number is over 127.
   */
  readonly alleles: AlleleNumbers;
  /**
   * Whether all alleles of a call are phased, as `Genotype.isPhased`: that of sample s in record r is bit `i % 8`, counted from
   * the least significant one, of byte `i >> 3`, where i is `r * sampleCount + s`.
   */
  readonly phased: Uint8Array<ArrayBuffer>;
}

/** Fills calls of fewer alleles than the ploidy. */
const NO_ALLELE = -2;
const DIPLOID = 2;
const MAX_INT8 = 127;
const MAX_ALLELE = 2 ** 15 - 1;
const MAX_PLOIDY = 1024;
/** Up to this ploidy, memory is as wide as the longest call. Then it doubles, so that hostile calls do not copy it for each allele. */
const EXACT_PLOIDY = 8;
/** The maximum number of alleles of a matrix. */
const MAX_CELLS = 2 ** 28;
/** Alleles of a matrix by default. */
const DEFAULT_CELLS = 2 ** 22;
/** Alleles that the memory of a batch has room for at first. */
const FIRST_CELLS = 2 ** 18;
const GROWTH = 4;

/** The genotypes of a batch, which grow record by record. */
export class GenotypeRows {
  readonly sampleCount: number;
  /** The rows after which a batch is full. */
  readonly #maxRows: number;
  #rowCount = 0;
  /** The rows that the memory has room for, and those that it gets at first. */
  #capacity = 0;
  #firstCapacity: number;
  #ploidy = DIPLOID;
  #stride = DIPLOID;
  #alleles: AlleleNumbers = new Int8Array(0);
  #phased: Uint8Array<ArrayBuffer> = new Uint8Array(0);

  /** Without `maxRows`, a batch has up to 4 MiB of diploid calls. */
  constructor(sampleCount: number, maxRows?: number) {
    this.sampleCount = sampleCount;
    this.#maxRows = maxRows ?? Math.max(1, Math.floor(DEFAULT_CELLS / Math.max(1, DIPLOID * sampleCount)));
    this.#firstCapacity = Math.max(1, Math.floor(FIRST_CELLS / Math.max(1, DIPLOID * sampleCount)));
  }

  /** The alleles of all rows, `stride` for each call. Other memory after `begin` and `put`. */
  get alleles(): AlleleNumbers {
    return this.#alleles;
  }

  /** The phases of all rows, as in a matrix. */
  get phased(): Uint8Array<ArrayBuffer> {
    return this.#phased;
  }

  /** The alleles that the memory of each call has room for. */
  get stride(): number {
    return this.#stride;
  }

  /** The rows that were ended. */
  get length(): number {
    return this.#rowCount;
  }

  /** Whether the batch must be taken before the next row. */
  get isFull(): boolean {
    return this.#rowCount > 0 && (this.#rowCount >= this.#maxRows || this.#cells(this.#rowCount + 1) > MAX_CELLS);
  }

  /** Begins a row after those that were ended, and returns the index of its first call. */
  begin(): number {
    if (this.#rowCount === this.#capacity) this.#grow();
    return this.#rowCount * this.sampleCount;
  }

  /**
   * Writes the alleles of a call. Returns false if the batch has no room for so many alleles, and must be taken
   * before the row begins. Throws `FormatError` `LIMIT_EXCEEDED`, with an offset of 0, for more than 1,024 alleles and for a number
   * over 32,767.
   */
  put(index: number, { count, alleles, isPhased }: Pick<GenotypeCall, 'count' | 'alleles' | 'isPhased'>): boolean {
    if (count > this.#stride && !this.#widen(count)) return false;
    if (count > this.#ploidy) this.#ploidy = count;
    const at = index * this.#stride;
    for (let i = 0; i < count; i++) {
      const allele = alleles[i] ?? UNKNOWN_ALLELE;
      if (allele > MAX_INT8) this.#useInt16(allele);
      this.#alleles[at + i] = allele;
    }
    for (let i = count; i < this.#stride; i++) this.#alleles[at + i] = NO_ALLELE;
    if (isPhased) this.#phased[index >> 3] = (this.#phased[index >> 3] ?? 0) | (1 << (index & 7));
    return true;
  }

  /** Ends the row. */
  end(): void {
    this.#rowCount++;
  }

  /** Adds a row without genotypes. */
  skip(): void {
    const at = this.begin() * this.#stride;
    this.#alleles.fill(NO_ALLELE, at, at + this.sampleCount * this.#stride);
    this.end();
  }

  /** Returns the rows that were ended, each array in memory of its own, and begins an empty batch. */
  take(): GenotypeMatrix {
    const { sampleCount } = this;
    const ploidy = this.#ploidy;
    const callCount = this.#rowCount * sampleCount;
    const alleles = this.#takeAlleles(callCount, ploidy);
    const byteLength = (callCount + 7) >> 3;
    const phased = byteLength === this.#phased.length ? this.#phased : this.#phased.slice(0, byteLength);
    // A row that was begun and not ended may have left bits.
    if ((callCount & 7) !== 0) phased[byteLength - 1] = (phased[byteLength - 1] ?? 0) & ((1 << (callCount & 7)) - 1);
    this.#firstCapacity = Math.max(1, this.#rowCount);
    this.#rowCount = 0;
    this.#capacity = 0;
    this.#ploidy = DIPLOID;
    // Written only if it changes: V8 compiles a field that has one value all the time as a constant.
    if (this.#stride !== DIPLOID) this.#stride = DIPLOID;
    this.#alleles = new Int8Array(0);
    this.#phased = new Uint8Array(0);
    return { sampleCount, ploidy, alleles, phased };
  }

  #takeAlleles(callCount: number, ploidy: number): AlleleNumbers {
    const isWhole = callCount * ploidy === this.#alleles.length;
    if (isWhole) return this.#alleles;
    if (ploidy === this.#stride) return this.#alleles.slice(0, callCount * ploidy);
    return this.#restride(callCount, { stride: ploidy, length: callCount * ploidy });
  }

  #cells(rows: number): number {
    return rows * this.sampleCount * this.#stride;
  }

  #grow(): void {
    const { length } = this.#alleles;
    const capacity = this.#capacity === 0 ? this.#firstCapacity : GROWTH * this.#capacity;
    this.#capacity = Math.min(capacity, this.#maxRows);
    const alleles = this.#create(this.#cells(this.#capacity));
    alleles.set(this.#alleles.subarray(0, length));
    this.#alleles = alleles;
    const phased = new Uint8Array((this.#capacity * this.sampleCount + 7) >> 3);
    phased.set(this.#phased);
    this.#phased = phased;
  }

  #create(length: number): AlleleNumbers {
    return this.#alleles instanceof Int8Array ? new Int8Array(length) : new Int16Array(length);
  }

  #useInt16(allele: number): void {
    if (allele > MAX_ALLELE) throw overLimit(`allele number ${allele} is over the limit of ${MAX_ALLELE}`);
    if (this.#alleles instanceof Int8Array) this.#alleles = Int16Array.from(this.#alleles);
  }

  /** Makes room for calls of `count` alleles. Returns false if that takes too much memory for the rows of the batch. */
  #widen(count: number): boolean {
    if (count > MAX_PLOIDY) throw overLimit(`genotype has more than ${MAX_PLOIDY} alleles`);
    const stride = count <= EXACT_PLOIDY ? count : 2 ** Math.ceil(Math.log2(count));
    const callCount = (this.#rowCount + 1) * this.sampleCount;
    if (callCount * stride > MAX_CELLS) {
      if (this.#rowCount > 0) return false;
      throw overLimit(`${this.sampleCount} genotypes of ${count} alleles are over the limit of ${MAX_CELLS} alleles`);
    }
    this.#alleles = this.#restride(callCount, { stride, length: this.#capacity * this.sampleCount * stride });
    this.#stride = stride;
    return true;
  }

  /** Returns the first `callCount` calls with another stride. */
  #restride(
    callCount: number,
    { stride, length }: { readonly stride: number; readonly length: number },
  ): AlleleNumbers {
    const source = this.#alleles;
    const target = this.#create(length);
    const kept = Math.min(stride, this.#stride);
    for (let call = 0; call < callCount; call++) {
      const [from, to] = [call * this.#stride, call * stride];
      for (let i = 0; i < kept; i++) target[to + i] = source[from + i] ?? NO_ALLELE;
      for (let i = kept; i < stride; i++) target[to + i] = NO_ALLELE;
    }
    return target;
  }
}

function overLimit(message: string): FormatError {
  return new FormatError('LIMIT_EXCEEDED', message, { offset: 0 });
}

/**
 * Returns the number of alleles other than REF of each call of a matrix, in its order; −1 if an allele is unknown and for a call
 * without alleles. 16-bit only if the ploidy is over 127.
 */
export function countDosage({ alleles, ploidy }: GenotypeMatrix): AlleleNumbers {
  const callCount = alleles.length / ploidy;
  const dosage = ploidy > MAX_INT8 ? new Int16Array(callCount) : new Int8Array(callCount);
  for (let call = 0, at = 0; call < callCount; call++, at += ploidy) {
    let count = alleles[at] === NO_ALLELE ? UNKNOWN_ALLELE : 0;
    for (let i = 0; i < ploidy; i++) {
      const allele = alleles[at + i] ?? NO_ALLELE;
      if (allele > 0) count++;
      else if (allele === UNKNOWN_ALLELE) {
        count = UNKNOWN_ALLELE;
        break;
      }
    }
    dosage[call] = count;
  }
  return dosage;
}
