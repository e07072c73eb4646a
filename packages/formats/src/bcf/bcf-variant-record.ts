import { decodeText } from '@htskit/io';
import { ByteWriter } from '../bytes/byte-writer.js';
import { BcfLineWriter } from '../convert/variants/bcf-to-vcf.js';
import { writeGenotype } from '../convert/variants/bcf-values.js';
import { FormatError, invalidData } from '../format-error.js';
import { GenotypeCall } from '../vcf/genotypes/genotype-call.js';
import type { Dictionary, VariantKey } from '../vcf/variant-header.js';
import { VariantRecord } from '../vcf/variant-record.js';
import { type Genotype, parseVariantText, toVariantValue, type VariantValue } from '../vcf/variant-values.js';
import { FormatVectors } from './format-vectors.js';
import { BcfRecords, LENGTHS_BYTES, RECORD_FIELDS } from './record.js';
import { hasFirstPhase, parseStoredGenotype } from './stored-genotype.js';
import { CHARACTER, FLOAT_MISSING, TypedValueReader } from './typed-value.js';
import { readNumbers, type ValueVector } from './value-vector.js';

/** Offsets of the fields of a record (VCFv4.3 §6.3.1). */
const [CHROM, POS, QUAL, VALUES_START] = [8, 12, 20, 32];
const GENOTYPE = 'GT';
const MISSING_CHARACTER = '\x07';
const NO_BYTES: Uint8Array = new Uint8Array(0);
const writer = new ByteWriter();
const call = new GenotypeCall();

/**
 * A view of one record of a BCF file. `at` must move it to a record before anything is read, and can move it again. Its floats are
 * 32-bit numbers.
 *
 * @example
 * ```ts
 * import { BcfVariantRecord, parseBcfHeader, VariantHeader } from '@htskit/formats';
 *
 * export function* depthsOf(data: Uint8Array): Generator<unknown> {
 *   const header = parseBcfHeader(data);
 *   const record = new BcfVariantRecord(new VariantHeader(header));
 *   for (let at = header.byteLength; at < data.length; at = record.byteEnd) yield record.at(data, at).info('DP');
 * }
 * ```
 */
export class BcfVariantRecord extends VariantRecord {
  #bytes = NO_BYTES;
  #records = new BcfRecords(NO_BYTES);
  #view = new DataView(NO_BYTES.buffer);
  #values = new TypedValueReader(this.#view);
  #at = 0;
  #byteEnd = 0;
  /** The values of FORMAT, which are found when one is read. */
  #format: FormatVectors | undefined;

  /**
   * Moves the view to the record that starts at `offset`, and returns it. Throws `FormatError` `TRUNCATED` if the record is
   * incomplete, `INVALID_DATA` if its shared part is too short, and `LIMIT_EXCEEDED` if it is over 256 MiB.
   */
  at(bytes: Uint8Array, offset: number): this {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#records = new BcfRecords(bytes, this.header);
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      this.#values = new TypedValueReader(this.#view);
    }
    const byteEnd = this.#records.endAt(offset);
    if (byteEnd === undefined) throw new FormatError('TRUNCATED', 'data ends within a record', { offset });
    this.#at = offset;
    this.#byteEnd = byteEnd;
    this.#format = undefined;
    return this;
  }

  override get byteEnd(): number {
    return this.#byteEnd;
  }

  override get referenceName(): string {
    return this.#nameOf(this.header.contigs, this.#view.getInt32(this.#at + CHROM, true));
  }

  override get start(): number {
    return this.#view.getInt32(this.#at + POS, true);
  }

  override get end(): number {
    // A telomere counts as on the first base, as in the filters.
    return Math.max(1, this.#records.spanAt(this.#at).baseEnd);
  }

  override get id(): string | undefined {
    this.#enterSite(0);
    this.#values.read();
    if (this.#values.count === 0) return undefined;
    const text = this.#readText();
    return text === '.' || text === '' ? undefined : text;
  }

  override get ref(): string {
    if (this.#alleleCount === 0) throw invalidData('record has no REF', this.#at);
    this.#enterSite(1);
    this.#values.read();
    return this.#readText();
  }

  override get alt(): readonly string[] {
    this.#enterSite(2);
    return Array.from({ length: Math.max(0, this.#alleleCount - 1) }, () => {
      this.#values.read();
      return this.#readText();
    });
  }

  override get quality(): number | undefined {
    const at = this.#at + QUAL;
    return this.#view.getUint32(at, true) === FLOAT_MISSING ? undefined : this.#view.getFloat32(at, true);
  }

  override get filters(): readonly string[] | undefined {
    this.#enterSite(1 + this.#alleleCount);
    this.#values.read();
    return this.#values.count === 0
      ? undefined
      : this.#readNumbers().map((index) => this.#nameOf(this.header.strings, index ?? -1));
  }

  override get infoKeys(): readonly string[] {
    this.#enterInfo();
    return this.#readKeys(this.#view.getUint16(this.#at + RECORD_FIELDS.infoCount, true));
  }

  override info(name: string): VariantValue | undefined {
    this.#enterInfo();
    const entry = this.header.strings.byName.get(name);
    const count = this.#view.getUint16(this.#at + RECORD_FIELDS.infoCount, true);
    if (entry === undefined || !this.#find(entry.index, count)) return undefined;
    return this.#values.count === 0 ? true : this.#readValue(entry.info, this.#values, 0);
  }

  override get formatKeys(): readonly string[] {
    return this.#formatVectors.keys().map((index) => this.#nameOf(this.header.strings, index));
  }

  override formatValue(sample: number, key: string): VariantValue | undefined {
    const vector = this.#findFormat(sample, key);
    if (vector === undefined) return undefined;
    const declared = this.header.strings.byName.get(key)?.format;
    return key === GENOTYPE
      ? parseVariantText(this.#genotypeText(vector, sample), declared)
      : this.#readValue(declared, vector, sample);
  }

  override genotype(sample: number): Genotype | undefined {
    const vector = this.#findFormat(sample, GENOTYPE);
    if (vector === undefined) return undefined;
    const { type, count, elementBytes } = vector;
    const start = vector.start + sample * count * elementBytes;
    parseStoredGenotype(call, this.#view, { type, count, elementBytes, start, hasFirstPhase: this.#hasFirstPhase });
    return call.toGenotype();
  }

  override toVcf(): string {
    writer.shrinkTo(0);
    new BcfLineWriter(this.#bytes, this.header).writeLine(writer, this.#at, this.#byteEnd);
    writer.shrinkTo(writer.length - 1);
    return writer.takeText();
  }

  get #alleleCount(): number {
    return this.#view.getUint16(this.#at + RECORD_FIELDS.alleleCount, true);
  }

  get #hasFirstPhase(): boolean {
    return hasFirstPhase(this.header);
  }

  get #sharedEnd(): number {
    return this.#at + LENGTHS_BYTES + this.#view.getUint32(this.#at, true);
  }

  #nameOf(dictionary: Dictionary, index: number): string {
    const entry = dictionary.entries[index];
    if (entry === undefined) throw invalidData(`header does not declare number ${index}`, this.#at);
    return entry.name;
  }

  /** Enters the values of the shared part after the first `count`: ID, the alleles, FILTER. */
  #enterSite(count: number): void {
    this.#values.enter(this.#at + VALUES_START, this.#sharedEnd);
    for (let i = 0; i < count; i++) this.#values.skip();
  }

  #enterInfo(): void {
    this.#enterSite(2 + this.#alleleCount);
  }

  get #formatVectors(): FormatVectors {
    this.#format ??= new FormatVectors(this.#values, { view: this.#view, at: this.#at, byteEnd: this.#byteEnd });
    return this.#format;
  }

  /** Reads the names of `count` keys, each with a value. */
  #readKeys(count: number): readonly string[] {
    return Array.from({ length: count }, () => {
      const name = this.#nameOf(this.header.strings, this.#values.readInteger());
      this.#values.skip();
      return name;
    });
  }

  /** Reads up to the values of the key with the number `index`. Returns false if the record does not have it. */
  #find(index: number, count: number): boolean {
    for (let i = 0; i < count; i++) {
      const key = this.#values.readInteger();
      this.#values.read();
      if (key === index) return true;
    }
    return false;
  }

  /** Returns the values of a key of FORMAT; undefined if the record does not have it. */
  #findFormat(sample: number, key: string): ValueVector | undefined {
    const entry = this.header.strings.byName.get(key);
    const format = this.#formatVectors;
    const vector = entry && format.find(entry.index);
    if (vector !== undefined && !(sample >= 0 && sample < format.sampleCount))
      throw invalidData(`record lacks sample ${sample}`, this.#at);
    return vector;
  }

  /** Returns the value of a row of a vector. */
  #readValue(key: VariantKey | undefined, vector: ValueVector, row: number): VariantValue {
    return vector.type === CHARACTER
      ? parseVariantText(this.#readText(vector, row), key)
      : toVariantValue(this.#readNumbers(vector, row), key);
  }

  /** Returns the text of a genotype in a row of a vector. */
  #genotypeText({ type, count, elementBytes, start }: ValueVector, row: number): string {
    const elements = { type, count, elementBytes, start: start + row * count * elementBytes };
    writer.shrinkTo(0);
    writeGenotype(writer, this.#view, elements, this.#hasFirstPhase);
    return writer.takeText();
  }

  /** Returns a text without the NULs that pad it. */
  #readText({ type, count, start }: ValueVector = this.#values, row = 0): string {
    if (type !== CHARACTER) throw invalidData('value is not a text', start);
    const bytes = this.#bytes.subarray(start + row * count, start + (row + 1) * count);
    const nul = bytes.indexOf(0);
    if (count === 0) return '.';
    return decodeText(nul === -1 ? bytes : bytes.subarray(0, nul)).replaceAll(MISSING_CHARACTER, '.');
  }

  #readNumbers(vector: ValueVector = this.#values, row = 0): (number | null)[] {
    return readNumbers(this.#view, vector, row);
  }
}
