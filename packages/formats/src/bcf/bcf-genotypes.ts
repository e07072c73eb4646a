import { FormatError, invalidData, relocateError } from '../format-error.js';
import { GenotypeCall } from '../vcf/genotypes/genotype-call.js';
import type { GenotypeRows } from '../vcf/genotypes/genotype-matrix.js';
import type { SampleSelection } from '../vcf/genotypes/sample-selection.js';
import type { VariantHeader } from '../vcf/variant-header.js';
import { LENGTHS_BYTES, MAX_SAMPLES, RECORD_FIELDS } from './record.js';
import { hasFirstPhase, parseStoredGenotype } from './stored-genotype.js';
import { INT8, TypedValueReader } from './typed-value.js';

/** The bits of two 8-bit alleles that are 0 unless they are reserved values. */
const RESERVED_BITS = 0x8080;
/** The same bits of two calls. */
const PAIR_RESERVED_BITS = 0x8080_8080 | 0;

/** Reads GT from the typed vectors of BCF records (VCFv4.3 §6.3.3). The results are those of `BcfVariantRecord.genotype`. */
export class BcfGenotypes {
  readonly #rows: GenotypeRows;
  readonly #columns: Int32Array;
  readonly #sampleEnd: number;
  /** Whether the samples are those of the header, in its order. */
  readonly #hasAllColumns: boolean;
  /** The number of GT in the header's dictionary; undefined if it is not declared. */
  readonly #key: number | undefined;
  readonly #hasFirstPhase: boolean;
  /** The bits of two 8-bit alleles that are 1 if the call is phased. */
  readonly #phaseBits: number;
  #bytes: Uint8Array = new Uint8Array(0);
  #view: DataView = new DataView(this.#bytes.buffer);
  #values: TypedValueReader = new TypedValueReader(this.#view);
  /** A view of the alleles of the batch. */
  #target: DataView = this.#view;
  readonly #call = new GenotypeCall();

  constructor(
    rows: GenotypeRows,
    { columns, samples }: SampleSelection,
    header: Pick<VariantHeader, 'version' | 'strings'>,
  ) {
    this.#rows = rows;
    this.#columns = columns;
    this.#sampleEnd = samples.length;
    this.#hasAllColumns = columns.every((column, sample) => column === sample);
    this.#key = header.strings.byName.get('GT')?.index;
    this.#hasFirstPhase = hasFirstPhase(header);
    this.#phaseBits = this.#hasFirstPhase ? 0x0101 : 0x0100;
  }

  /**
   * Adds a row for the record [at, byteEnd). Returns false if the batch must be taken first. Throws `FormatError` `INVALID_DATA`
   * for a malformed record and one that lacks a sample, and `LIMIT_EXCEEDED` for more than 1,024 alleles of a sample and for numbers
   * over 32,767.
   */
  add(bytes: Uint8Array, at: number, byteEnd: number): boolean {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      this.#values = new TypedValueReader(this.#view);
    }
    const sampleCount = this.#view.getUint32(at + RECORD_FIELDS.sampleCount, true) & MAX_SAMPLES;
    if (!this.#find(at, byteEnd, sampleCount)) {
      this.#rows.skip();
      return true;
    }
    if (this.#sampleEnd > sampleCount) throw invalidData(`record lacks sample ${sampleCount}`, at);
    if (!this.#readRow()) return false;
    this.#rows.end();
    return true;
  }

  /** Enters the values of GT of the record. Returns false if it has none. */
  #find(at: number, byteEnd: number, sampleCount: number): boolean {
    const [view, values] = [this.#view, this.#values];
    values.enter(at + LENGTHS_BYTES + view.getUint32(at, true), byteEnd);
    for (let key = view.getUint8(at + RECORD_FIELDS.formatCount); key > 0; key--) {
      const isGenotype = values.readInteger() === this.#key;
      values.read(sampleCount);
      if (isGenotype) return true;
    }
    return false;
  }

  /** Reads the calls of a record: those that `#readDiploids` leaves out one by one. */
  #readRow(): boolean {
    const { type, count, elementBytes, start } = this.#values;
    const [rows, columns] = [this.#rows, this.#columns];
    const first = rows.begin();
    const isDiploid = type === INT8 && count === 2;
    for (let sample = 0; ; sample++) {
      if (isDiploid && rows.stride === 2) sample = this.#readDiploids(sample, first);
      const column = columns[sample];
      if (column === undefined) return true;
      if (!this.#readCall(start + column * count * elementBytes, first + sample)) return false;
    }
  }

  /** Reads calls of two 8-bit numbers until one has a reserved value, and returns the sample of that. */
  #readDiploids(from: number, first: number): number {
    const { length } = this.#columns;
    const { alleles } = this.#rows;
    let sample = from;
    if (this.#hasAllColumns && alleles.BYTES_PER_ELEMENT === 1) {
      // The phases of a pair are in one byte.
      if (isOdd(first + sample)) sample = this.#readSingles(sample, Math.min(sample + 1, length), first);
      if (!isOdd(first + sample)) sample = this.#readPairs(sample, first);
    }
    return this.#readSingles(sample, length, first);
  }

  /** Reads the calls of two samples at once, in half of the time of `#readSingles`, until one of a pair has a reserved value. */
  #readPairs(from: number, first: number): number {
    const [view, end, { start }] = [this.#view, this.#columns.length - 1, this.#values];
    const { alleles, phased } = this.#rows;
    if (this.#target.buffer !== alleles.buffer) this.#target = new DataView(alleles.buffer);
    const target = this.#target;
    const ignoredPhases = this.#hasFirstPhase ? 0 : -1;
    let sample = from;
    for (; sample < end; sample += 2) {
      const word = view.getInt32(start + 2 * sample, true);
      if ((word & PAIR_RESERVED_BITS) !== 0) break;
      const call = first + sample;
      // Half of each number, minus 1: the highest bits take what the subtraction borrows.
      const halves = ((word >>> 1) & 0x3f3f_3f3f) | PAIR_RESERVED_BITS;
      target.setInt32(2 * call, (halves - 0x0101_0101) ^ PAIR_RESERVED_BITS, true);
      // The lowest bit of the second number of each call, and of the first one if it has a phase, too. A branch is mispredicted.
      const phases = word & ((word << 8) | ignoredPhases);
      const bits = ((phases >>> 8) & 1) | ((phases >>> 23) & 2);
      phased[call >> 3] = (phased[call >> 3] ?? 0) | (bits << (call & 7));
    }
    return sample;
  }

  /**
   * Reads calls up to the sample `end` until one has a reserved value. The memory of the alleles is the same for all, which takes half
   * of the time of a loop over all calls.
   */
  #readSingles(from: number, end: number, first: number): number {
    const [columns, view] = [this.#columns, this.#view];
    const { start } = this.#values;
    const { alleles, phased } = this.#rows;
    const phaseBits = this.#phaseBits;
    let sample = from;
    for (; sample < end; sample++) {
      const word = view.getUint16(start + 2 * (columns[sample] ?? 0), true);
      if ((word & RESERVED_BITS) !== 0) break;
      const call = first + sample;
      alleles[2 * call] = ((word & 0xff) >> 1) - 1;
      alleles[2 * call + 1] = (word >> 9) - 1;
      if ((word & phaseBits) === phaseBits) phased[call >> 3] = (phased[call >> 3] ?? 0) | (1 << (call & 7));
    }
    return sample;
  }

  /** Reads the call whose elements begin at `start`. Returns false if the batch has no room for it. */
  #readCall(start: number, call: number): boolean {
    const { type, count, elementBytes } = this.#values;
    const parsed = this.#call;
    parseStoredGenotype(parsed, this.#view, { type, count, elementBytes, start, hasFirstPhase: this.#hasFirstPhase });
    try {
      return this.#rows.put(call, parsed);
    } catch (error) {
      throw error instanceof FormatError ? relocateError(error, start) : error;
    }
  }
}

function isOdd(call: number): boolean {
  return (call & 1) === 1;
}
