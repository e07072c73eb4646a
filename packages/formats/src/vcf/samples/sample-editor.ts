import { invalidData } from '../../format-error.js';
import type { RecordCopy } from '../../records/record-rewriter.js';
import { type ColumnRange, type ColumnTarget, FormatColumns } from '../format-columns.js';
import { columnAfter, valueStart } from '../genotypes/format-text.js';
import { ALT, FORMAT, INFO } from '../line-columns.js';
import { LAST_LINE_CONTROL } from '../record.js';
import { AlleleCounts } from './allele-counts.js';
import { countGenotype } from './genotype-counting.js';
import { countedInfoLength, writeInfo } from './info-writer.js';
import type { SampleSubset, SelectedVariantKeys } from './sample-subset.js';

const [TAB, COMMA, DOT] = [0x09, 0x2c, 0x2e];

/** Rewrites lines so that they have some of the samples only, and counts the alleles of these. */
export class SampleEditor {
  readonly #samples: readonly number[];
  readonly #keys: SelectedVariantKeys;
  readonly #format: FormatColumns;
  readonly #counts = new AlleleCounts();
  /** The start of each column from CHROM to FORMAT. */
  readonly #starts = new Int32Array(FORMAT + 1);
  /** The start of the column of each kept sample. */
  readonly #sampleStarts: Int32Array;
  /** The kept samples in the order of their columns, by their indexes in `#samples`. */
  readonly #order: readonly number[];
  #bytes: Uint8Array = new Uint8Array(0);
  #view = new DataView(this.#bytes.buffer);

  constructor({ samples }: SampleSubset, keys: SelectedVariantKeys) {
    this.#samples = samples;
    this.#keys = keys;
    this.#format = new FormatColumns(keys.format);
    this.#sampleStarts = new Int32Array(samples.length);
    this.#order = [...samples.keys()].sort((a, b) => (samples[a] ?? 0) - (samples[b] ?? 0));
  }

  /**
   * Rewrites the line [at, end), which is passed without its line end. Throws `FormatError` `INVALID_DATA` for a line that lacks a
   * kept sample, for control characters in what is kept, and for genotypes with alleles that the record lacks.
   */
  edit(bytes: Uint8Array, at: number, end: number, copy: RecordCopy): void {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    }
    const infoEnd = this.#findColumns(at, end);
    const info = { bytes, start: this.#start(INFO), end: infoEnd };
    const hasSamples = this.#samples.length > 0;
    const formatEnd = hasSamples ? this.#findSamples(end) : infoEnd;
    const counts = this.#countAlleles(end);
    const position = copy.replace(info.start, end, end - info.start + countedInfoLength(counts));
    let to = writeInfo(info, { ...this.#keys, counts }, { bytes: copy.bytes, position });
    if (hasSamples) to = this.#writeSamples(formatEnd, end, { bytes: copy.bytes, position: to });
    copy.shrinkTo(to);
  }

  #start(column: number): number {
    return this.#starts[column] ?? 0;
  }

  /** Finds the columns up to FORMAT, and returns the end of INFO. */
  #findColumns(at: number, end: number): number {
    const starts = this.#starts;
    let start = at;
    for (let column = 0; column <= FORMAT; column++) {
      if (column <= INFO && start > end) throw invalidData('record has fewer than eight columns', at);
      starts[column] = start;
      start = start > end ? start : columnAfter(this.#view, start, end);
    }
    return Math.min(this.#start(FORMAT) - 1, end);
  }

  /** Finds the columns of the kept samples, and returns the end of FORMAT. */
  #findSamples(end: number): number {
    const formatStart = this.#start(FORMAT);
    if (formatStart > end) throw invalidData('record has no samples', end);
    const formatEnd = this.#format.enter(this.#bytes, formatStart, end);
    const [view, starts] = [this.#view, this.#sampleStarts];
    let [column, start] = [0, formatEnd + 1];
    for (const i of this.#order) {
      const sample = this.#samples[i] ?? 0;
      for (; column < sample && start <= end; column++) start = columnAfter(view, start, end);
      if (start > end) throw invalidData(`record lacks sample ${sample}`, end);
      starts[i] = start;
    }
    return formatEnd;
  }

  /** Counts the genotypes of the kept samples. Returns undefined if nothing is counted, or the record has no GT. */
  #countAlleles(end: number): AlleleCounts | undefined {
    const index = this.#format.genotypeIndex;
    if (this.#keys.counted.length === 0 || index === -1) return undefined;
    const [bytes, counts] = [this.#bytes, this.#counts];
    counts.begin(this.#countListed());
    for (const start of this.#sampleStarts) {
      countGenotype(counts, bytes, index === 0 ? start : valueStart(bytes, { start, end, index }), end);
    }
    return counts;
  }

  /** Returns the number of alleles of REF and ALT. */
  #countListed(): number {
    const [bytes, start, end] = [this.#bytes, this.#start(ALT), this.#start(ALT + 1) - 1];
    if (end - start === 1 && bytes[start] === DOT) return 1;
    let count = 2;
    for (let at = start; at < end; at++) if (bytes[at] === COMMA) count++;
    return count;
  }

  /** Writes FORMAT and the kept samples, each after a tab, and returns the end of what it wrote. */
  #writeSamples(formatEnd: number, end: number, { bytes: out, position }: ColumnTarget): number {
    const bytes = this.#bytes;
    let to = this.#writeColumn({ bytes, start: this.#start(FORMAT), end: formatEnd }, { bytes: out, position });
    for (const start of this.#sampleStarts) {
      let at = start;
      while (at < end && (bytes[at] ?? 0) > LAST_LINE_CONTROL) at++;
      if (at < end && bytes[at] !== TAB) throw invalidData('control character in a sample', at);
      to = this.#writeColumn({ bytes, start, end: at }, { bytes: out, position: to });
    }
    return to;
  }

  #writeColumn(column: ColumnRange, { bytes: out, position }: ColumnTarget): number {
    out[position] = TAB;
    let to = position + 1;
    if (!this.#format.keepsAll) return this.#format.write(column, { bytes: out, position: to });
    const { bytes, start, end } = column;
    for (let at = start; at < end; at++) out[to++] = bytes[at] ?? 0;
    return to;
  }
}
