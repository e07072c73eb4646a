import { decodeText, encodeText } from '@htskit/io';
import { NumberReader } from '../bytes/number-reader.js';
import { invalidData } from '../format-error.js';
import { valueEnd, valueStart } from './genotypes/format-text.js';
import { GenotypeCall } from './genotypes/genotype-call.js';
import { parseGenotypeText } from './genotypes/genotype-text.js';
import { SampleColumns } from './genotypes/sample-columns.js';
import { ALT, CHROM, FILTER, FORMAT, ID, INFO, POS, QUAL, REF, VcfLine } from './line-columns.js';
import { parseVcfRecordSpan } from './record.js';
import { VariantRecord } from './variant-record.js';
import { type Genotype, parseVariantValue, type VariantValue } from './variant-values.js';

const [DOT, SEMICOLON, EQUALS] = [0x2e, 0x3b, 0x3d];
const numbers = new NumberReader();
const call = new GenotypeCall();

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
  /** The offsets of the entries of INFO, the keys of FORMAT and the columns of the samples, which are found when one is read. */
  #entries: readonly number[] | undefined;
  #keys: readonly string[] | undefined;
  #samples: SampleColumns | undefined;
  #isEntered = false;

  /** Moves the view to the line that starts at `offset`, and returns it. Throws for a line of fewer than eight columns. */
  at(bytes: Uint8Array, offset: number): this {
    this.#line.enter(bytes, offset);
    this.#entries = undefined;
    this.#keys = undefined;
    this.#isEntered = false;
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
    const { bytes } = this.#line;
    return this.#infoEntries().map((start) => {
      const end = this.#entryEnd(start);
      const equals = bytes.subarray(start, end).indexOf(EQUALS);
      return decodeText(bytes, start, equals === -1 ? end : start + equals);
    });
  }

  override info(name: string): VariantValue | undefined {
    const { bytes } = this.#line;
    const entry = this.header.strings.byName.get(name);
    const nameBytes = entry?.bytes ?? encodeText(name);
    for (const start of this.#infoEntries()) {
      if (!startsWith(bytes, nameBytes, start)) continue;
      const nameEnd = start + nameBytes.length;
      const end = this.#entryEnd(start);
      if (nameEnd === end) return true;
      if (nameEnd < end && bytes[nameEnd] === EQUALS) return parseVariantValue(bytes, nameEnd + 1, end, entry?.info);
    }
    return undefined;
  }

  override get formatKeys(): readonly string[] {
    this.#keys ??= this.#line.start(FORMAT) > this.#line.end ? [] : (this.#valueOf(FORMAT)?.split(':') ?? []);
    return this.#keys;
  }

  override formatValue(sample: number, key: string): VariantValue | undefined {
    const index = this.formatKeys.indexOf(key);
    if (index === -1) return undefined;
    const { bytes, end } = this.#line;
    const start = valueStart(bytes, { start: this.#sampleStart(sample), end, index });
    return parseVariantValue(bytes, start, valueEnd(bytes, start, end), this.header.strings.byName.get(key)?.format);
  }

  override genotype(sample: number): Genotype | undefined {
    const index = this.formatKeys.indexOf('GT');
    if (index === -1) return undefined;
    const { bytes, end } = this.#line;
    parseGenotypeText(call, bytes, valueStart(bytes, { start: this.#sampleStart(sample), end, index }), end);
    return call.toGenotype();
  }

  override toVcf(): string {
    return decodeText(this.#line.bytes, this.#line.start(CHROM), this.#line.end);
  }

  #column(column: number): string {
    return decodeText(this.#line.bytes, this.#line.start(column), this.#line.columnEnd(column));
  }

  /** Returns a column, or undefined for `.` and an empty one. */
  #valueOf(column: number): string | undefined {
    const text = this.#column(column);
    return text === '.' || text === '' ? undefined : text;
  }

  /** Returns where the entries of INFO begin, without those that are empty. */
  #infoEntries(): readonly number[] {
    if (this.#entries !== undefined) return this.#entries;
    const { bytes } = this.#line;
    const [start, end] = [this.#line.start(INFO), this.#line.columnEnd(INFO)];
    const entries: number[] = [];
    for (let at = start; at < end; at = this.#entryEnd(at) + 1) if (bytes[at] !== SEMICOLON) entries.push(at);
    const isMissing = end - start === 1 && bytes[start] === DOT;
    this.#entries = isMissing ? [] : entries;
    return this.#entries;
  }

  /** Returns the end of the entry of INFO at `start`. */
  #entryEnd(start: number): number {
    const { bytes } = this.#line;
    const end = this.#line.columnEnd(INFO);
    let at = start;
    while (at < end && bytes[at] !== SEMICOLON) at++;
    return at;
  }

  #sampleStart(sample: number): number {
    this.#samples ??= new SampleColumns();
    if (!this.#isEntered) this.#samples.enter(this.#line, this.header.samples.length);
    this.#isEntered = true;
    const start = this.#samples.start(sample);
    if (start === undefined) throw invalidData(`record lacks sample ${sample}`, this.#line.start(CHROM));
    return start;
  }
}

function startsWith(bytes: Uint8Array, start: Uint8Array, at: number): boolean {
  for (let i = 0; i < start.length; i++) if (bytes[at + i] !== start[i]) return false;
  return true;
}
