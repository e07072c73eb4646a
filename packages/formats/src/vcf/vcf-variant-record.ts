import { decodeText } from '@htskit/io';
import { findByte } from '#find-byte';
import { NumberReader } from '../bytes/number-reader.js';
import { invalidData } from '../format-error.js';
import { ALT, CHROM, FILTER, FIRST_SAMPLE, FORMAT, ID, INFO, POS, QUAL, REF, VcfLine } from './line-columns.js';
import { parseVcfRecordSpan } from './record.js';
import { VariantRecord } from './variant-record.js';
import { type Genotype, parseGenotype, parseVariantText, type VariantValue } from './variant-values.js';

const TAB = 0x09;
const numbers = new NumberReader();

/**
 * A view of one line of a VCF file. `at` must move it to a line before anything is read, and can move it again.
 *
 * @example
 * ```ts
 * import { parseVcfHeader, VariantHeader, VcfVariantRecord } from '@htskit/formats';
 *
 * export function* depthsOf(data: Uint8Array): Generator<unknown> {
 *   const header = parseVcfHeader(data);
 *   const record = new VcfVariantRecord(new VariantHeader(header));
 *   for (let at = header.byteLength; at < data.length; at = record.byteEnd) yield record.at(data, at).info('DP');
 * }
 * ```
 */
export class VcfVariantRecord extends VariantRecord {
  readonly #line = new VcfLine();
  /** The offsets of the samples, which are found when one is read. */
  #sampleStarts: readonly number[] | undefined;
  /** The entries of INFO, the keys of FORMAT, and the values of the sample that was read last. */
  #entries: readonly string[] | undefined;
  #keys: readonly string[] | undefined;
  #sample = -1;
  #values: readonly string[] = [];

  /** Moves the view to the line that starts at `offset`, and returns it. Throws for a line of fewer than eight columns. */
  at(bytes: Uint8Array, offset: number): this {
    this.#line.enter(bytes, offset);
    this.#sampleStarts = undefined;
    this.#entries = undefined;
    this.#keys = undefined;
    this.#sample = -1;
    return this;
  }

  override get byteEnd(): number {
    return this.#line.byteEnd;
  }

  override get referenceName(): string {
    return this.#column(CHROM);
  }

  override get start(): number {
    const at = this.#line.start(POS);
    const position = numbers.integer(this.#line.bytes, at);
    if (numbers.end === at) throw invalidData('POS is not an integer', at);
    return position - 1;
  }

  override get end(): number {
    const line = this.#line.bytes.subarray(this.#line.start(CHROM), this.#line.end);
    return parseVcfRecordSpan(line).baseEnd;
  }

  override get id(): string | undefined {
    return this.#valueOf(ID);
  }

  override get ref(): string {
    return this.#column(REF);
  }

  override get alt(): readonly string[] {
    return this.#valueOf(ALT)?.split(',') ?? [];
  }

  override get quality(): number | undefined {
    const at = this.#line.start(QUAL);
    return this.#valueOf(QUAL) === undefined
      ? undefined
      : numbers.float(this.#line.bytes, at, this.#line.start(FILTER) - 1);
  }

  override get filters(): readonly string[] | undefined {
    return this.#valueOf(FILTER)?.split(';');
  }

  override get infoKeys(): readonly string[] {
    return this.#infoEntries().map((entry) => {
      const equals = entry.indexOf('=');
      return equals === -1 ? entry : entry.slice(0, equals);
    });
  }

  override info(name: string): VariantValue | undefined {
    const key = this.header.strings.byName.get(name)?.info;
    for (const entry of this.#infoEntries()) {
      if (entry === name) return true;
      if (entry.startsWith(name) && entry[name.length] === '=')
        return parseVariantText(entry.slice(name.length + 1), key);
    }
    return undefined;
  }

  override get formatKeys(): readonly string[] {
    this.#keys ??= this.#line.start(FORMAT) > this.#line.end ? [] : (this.#valueOf(FORMAT)?.split(':') ?? []);
    return this.#keys;
  }

  override formatValue(sample: number, key: string): VariantValue | undefined {
    const text = this.#formatText(sample, key);
    return text === undefined ? undefined : parseVariantText(text, this.header.strings.byName.get(key)?.format);
  }

  override genotype(sample: number): Genotype | undefined {
    const text = this.#formatText(sample, 'GT');
    return text === undefined ? undefined : parseGenotype(text);
  }

  override toVcf(): string {
    return decodeText(this.#line.bytes, this.#line.start(CHROM), this.#line.end);
  }

  #column(column: number): string {
    return decodeText(this.#line.bytes, this.#line.start(column), this.#line.columnEnd(column));
  }

  /** Returns a column, or undefined for `.`. */
  #valueOf(column: number): string | undefined {
    const text = this.#column(column);
    return text === '.' ? undefined : text;
  }

  #infoEntries(): readonly string[] {
    this.#entries ??=
      this.#valueOf(INFO)
        ?.split(';')
        .filter((entry) => entry !== '') ?? [];
    return this.#entries;
  }

  /** Returns the text of a value; `.` for one that the sample lacks at its end. */
  #formatText(sample: number, key: string): string | undefined {
    const index = this.formatKeys.indexOf(key);
    if (index === -1) return undefined;
    if (sample !== this.#sample) this.#enterSample(sample);
    return this.#values[index] ?? '.';
  }

  #enterSample(sample: number): void {
    this.#sampleStarts ??= this.#findSamples();
    const start = this.#sampleStarts[sample];
    if (start === undefined) throw invalidData(`record lacks sample ${sample}`, this.#line.start(CHROM));
    const end = (this.#sampleStarts[sample + 1] ?? this.#line.end + 1) - 1;
    this.#values = decodeText(this.#line.bytes, start, end).split(':');
    this.#sample = sample;
  }

  #findSamples(): readonly number[] {
    const starts: number[] = [];
    for (let at = this.#line.start(FIRST_SAMPLE); at <= this.#line.end; ) {
      starts.push(at);
      const tab = findByte(this.#line.bytes, TAB, at);
      if (tab === -1 || tab >= this.#line.end) break;
      at = tab + 1;
    }
    return starts;
  }
}
