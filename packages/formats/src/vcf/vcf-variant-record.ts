import { decodeText } from '@htskit/io';
import { findByte } from '#find-byte';
import { NumberReader } from '../bytes/number-reader.js';
import { invalidData } from '../format-error.js';
import { contentEnd, parseVcfRecordSpan } from './record.js';
import { VariantRecord } from './variant-record.js';
import { type Genotype, parseGenotype, parseVariantText, type VariantValue } from './variant-values.js';

const [LINE_FEED, TAB] = [0x0a, 0x09];
const [CHROM, POS, ID, REF, ALT, QUAL, FILTER, INFO, FORMAT] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const NO_BYTES: Uint8Array = new Uint8Array(0);
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
  #bytes = NO_BYTES;
  #byteEnd = 0;
  /** The end of the line without its line end. */
  #end = 0;
  /** The offset of each column up to FORMAT, and that of the first sample; past the end for columns that the line lacks. */
  readonly #starts = new Int32Array(FORMAT + 2);
  /** The offsets of the samples, which are found when one is read. */
  #sampleStarts: readonly number[] | undefined;
  /** The entries of INFO, the keys of FORMAT, and the values of the sample that was read last. */
  #entries: readonly string[] | undefined;
  #keys: readonly string[] | undefined;
  #sample = -1;
  #values: readonly string[] = [];

  /** Moves the view to the line that starts at `offset`, and returns it. Throws for a line of fewer than eight columns. */
  at(bytes: Uint8Array, offset: number): this {
    const lineFeed = findByte(bytes, LINE_FEED, offset);
    this.#bytes = bytes;
    this.#byteEnd = lineFeed === -1 ? bytes.length : lineFeed + 1;
    this.#end = contentEnd(bytes, offset, this.#byteEnd);
    this.#sampleStarts = undefined;
    this.#entries = undefined;
    this.#keys = undefined;
    this.#sample = -1;
    let start = offset;
    for (let column = CHROM; column <= FORMAT + 1; column++) {
      this.#starts[column] = start;
      while (start < this.#end && bytes[start] !== TAB) start++;
      if (start >= this.#end && column < INFO) throw invalidData('record has fewer than eight columns', offset);
      start++;
    }
    return this;
  }

  override get byteEnd(): number {
    return this.#byteEnd;
  }

  override get referenceName(): string {
    return this.#column(CHROM);
  }

  override get start(): number {
    const at = this.#start(POS);
    const position = numbers.integer(this.#bytes, at);
    if (numbers.end === at) throw invalidData('POS is not an integer', at);
    return position - 1;
  }

  override get end(): number {
    const line = this.#bytes.subarray(this.#start(CHROM), this.#end);
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
    const at = this.#start(QUAL);
    return this.#valueOf(QUAL) === undefined ? undefined : numbers.float(this.#bytes, at, this.#start(FILTER) - 1);
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
    this.#keys ??= this.#start(FORMAT) > this.#end ? [] : (this.#valueOf(FORMAT)?.split(':') ?? []);
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
    return decodeText(this.#bytes, this.#start(CHROM), this.#end);
  }

  #start(column: number): number {
    return this.#starts[column] ?? 0;
  }

  #column(column: number): string {
    return decodeText(this.#bytes, this.#start(column), Math.min(this.#start(column + 1) - 1, this.#end));
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
    if (start === undefined) throw invalidData(`record lacks sample ${sample}`, this.#start(CHROM));
    const end = (this.#sampleStarts[sample + 1] ?? this.#end + 1) - 1;
    this.#values = decodeText(this.#bytes, start, end).split(':');
    this.#sample = sample;
  }

  #findSamples(): readonly number[] {
    const starts: number[] = [];
    for (let at = this.#start(FORMAT + 1); at <= this.#end; ) {
      starts.push(at);
      const tab = findByte(this.#bytes, TAB, at);
      if (tab === -1 || tab >= this.#end) break;
      at = tab + 1;
    }
    return starts;
  }
}
