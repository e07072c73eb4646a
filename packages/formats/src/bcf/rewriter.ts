import { invalidData } from '../format-error.js';
import { createRecordRewriter, type RecordCopy, type RecordRewriter } from '../records/record-rewriter.js';
import type { RecordLimits } from '../records/record-splitter.js';
import { ADDED_AGGREGATES, type AggregateKey, AlleleCounts } from '../vcf/samples/allele-counts.js';
import { selectVariantKeys, type VariantSelection } from '../vcf/samples/sample-subset.js';
import { AggregateValues } from './aggregate-values.js';
import { NumberedKeys } from './numbered-keys.js';
import { BcfRecords, countMissing, LENGTHS_BYTES, MAX_SAMPLES, RECORD_FIELDS } from './record.js';
import { countGenotypeVectors, keepSampleValues } from './sample-vectors.js';
import { TypedValueReader } from './typed-value.js';

/** Options of a rewriter of BCF. */
interface BcfRewriterOptions extends RecordLimits {
  /** Whether rlen includes the lengths of alleles: the result of `hasAlleleLengths` for the header. Default: false. */
  readonly alleleLengths?: boolean;
}

const L_INDIV = 4;
const VALUES_START = 32;
/** n_fmt follows the three bytes of n_sample. */
const FORMAT_COUNT_SHIFT = 24;

/**
 * Creates a rewriter of uncompressed BCF records, without the header, that drops keys of INFO and FORMAT, and samples. One name
 * means both INFO and FORMAT (VCFv4.3 §6.3). `strings` is the header's dictionary, by which records refer to keys. A record whose
 * INFO loses END covers its REF, as in htslib, unless the lengths of its alleles count. Its methods throw `FormatError`
 * `INVALID_DATA` for a key that the header does not declare, for typed values that do not fill their part of the record, for a
 * record that lacks a kept sample, and for a counted genotype with an allele that the record lacks.
 *
 * @example
 * ```ts
 * import { createBcfRewriter, parseBcfHeader } from '@htskit/formats';
 * import { toOwned } from '@htskit/io';
 *
 * export function withoutDepth(data: Uint8Array): Uint8Array[] {
 *   const { strings, byteLength } = parseBcfHeader(data);
 *   const rewriter = createBcfRewriter({ notags: ['DP'] }, strings);
 *   return rewriter.push(data.subarray(byteLength)).map(toOwned); // complete records only
 * }
 * ```
 */
export function createBcfRewriter(
  selection: VariantSelection,
  strings: ReadonlyMap<number, string>,
  { alleleLengths = false, ...limits }: BcfRewriterOptions = {},
): RecordRewriter {
  const selected = selectVariantKeys(selection);
  const rules: EditorRules = {
    info: new NumberedKeys(selected.info, strings),
    format: new NumberedKeys(selected.format, strings),
    counted: selected.counted,
    samples: selection.subset?.samples,
    counts: new AlleleCounts(),
    aggregates: new AggregateValues(),
    alleleLengths,
  };
  return createRecordRewriter<BcfEditor>({
    isEndedByData: false,
    limits,
    open: (bytes) => new BcfEditor(bytes, rules),
    recordEnd: (editor, at) => editor.recordEnd(at),
    countMissing,
    edit: (editor, at, end, copy) => editor.edit(at, end, copy),
  });
}

/** The parts of a record that are kept. */
interface EditorRules {
  readonly info: NumberedKeys;
  readonly format: NumberedKeys;
  /** The INFO keys to count again. */
  readonly counted: readonly AggregateKey[];
  /** The indexes of the samples to keep. Default: all samples. */
  readonly samples: readonly number[] | undefined;
  readonly counts: AlleleCounts;
  readonly aggregates: AggregateValues;
  readonly alleleLengths: boolean;
}

/** The number of keys of INFO after an edit, and whether END was cut. */
interface EditedKeys {
  readonly count: number;
  readonly hasLostEnd: boolean;
}

/** Edits the records of one piece of data. */
class BcfEditor {
  readonly #records: BcfRecords;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #values: TypedValueReader;
  readonly #rules: EditorRules;

  constructor(bytes: Uint8Array, rules: EditorRules) {
    this.#records = new BcfRecords(bytes);
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#values = new TypedValueReader(this.#view);
    this.#rules = rules;
  }

  recordEnd(at: number): number | undefined {
    return this.#records.endAt(at);
  }

  edit(at: number, end: number, copy: RecordCopy): void {
    const view = this.#view;
    const { samples, alleleLengths } = this.#rules;
    const start = copy.positionOf(at);
    const individualStart = at + LENGTHS_BYTES + view.getUint32(at, true);
    const sampleCount = view.getUint32(at + RECORD_FIELDS.sampleCount, true) & MAX_SAMPLES;
    const counts = this.#countAlleles(at, end, sampleCount);
    this.#values.enter(at + VALUES_START, individualStart);
    const refLength = this.#skipSite(view.getUint16(at + RECORD_FIELDS.alleleCount, true));
    const info = this.#editInfo(view.getUint16(at + RECORD_FIELDS.infoCount, true), counts, copy);
    const sharedLength = copy.positionOf(individualStart) - start - LENGTHS_BYTES;
    this.#values.enter(individualStart, end);
    const keptCount = samples?.length ?? sampleCount;
    const formatCount = this.#editFormat(view.getUint8(at + RECORD_FIELDS.formatCount), sampleCount, copy);
    if (copy.positionOf(end) - start === end - at && keptCount === sampleCount && counts === undefined) return;
    copy.keepTo(end);
    copy.view.setUint32(start, sharedLength, true);
    copy.view.setUint32(start + L_INDIV, copy.positionOf(end) - start - LENGTHS_BYTES - sharedLength, true);
    copy.view.setUint16(start + RECORD_FIELDS.infoCount, info.count, true);
    copy.view.setUint32(
      start + RECORD_FIELDS.sampleCount,
      (keptCount | (formatCount << FORMAT_COUNT_SHIFT)) >>> 0,
      true,
    );
    // The lengths of symbolic alleles remain true without END.
    if (info.hasLostEnd && !alleleLengths) copy.view.setInt32(start + RECORD_FIELDS.rlen, refLength, true);
  }

  /** Skips ID, the alleles and FILTER, and returns the length of REF. */
  #skipSite(alleleCount: number): number {
    const values = this.#values;
    values.skip();
    const refLength = alleleCount === 0 ? 0 : values.skip();
    for (let allele = 1; allele < alleleCount; allele++) values.skip();
    values.skip();
    return refLength;
  }

  /** Counts the genotypes of the kept samples. Returns undefined if nothing is counted, or the record has no GT. */
  #countAlleles(at: number, end: number, sampleCount: number): AlleleCounts | undefined {
    const { counted, counts, format, samples } = this.#rules;
    if (counted.length === 0 || samples === undefined) return undefined;
    const [view, values] = [this.#view, this.#values];
    checkSamples(samples, sampleCount, at);
    values.enter(at + LENGTHS_BYTES + view.getUint32(at, true), end);
    for (let left = view.getUint8(at + RECORD_FIELDS.formatCount); left > 0; left--) {
      const isGenotype = format.nameOf(values.readInteger()) === 'GT';
      values.read(sampleCount);
      if (!isGenotype) continue;
      counts.begin(view.getUint16(at + RECORD_FIELDS.alleleCount, true));
      countGenotypeVectors(counts, view, values, samples);
      return counts;
    }
    return undefined;
  }

  /** Cuts the keys of INFO that are not kept, and writes those that were counted. */
  #editInfo(infoCount: number, counts: AlleleCounts | undefined, copy: RecordCopy): EditedKeys {
    const values = this.#values;
    const { info, counted, aggregates } = this.#rules;
    const written = new Set<AggregateKey>();
    let count = 0;
    let hasLostEnd = false;
    for (let i = 0; i < infoCount; i++) {
      const start = values.at;
      const number = values.readInteger();
      values.skip();
      const isKept = info.isKept(number);
      if (isKept === undefined) throw invalidData(`header does not declare key ${number}`, start);
      const key = counts && counted.find((name) => name === info.nameOf(number));
      if (key !== undefined && counts !== undefined) {
        if (aggregates.replace({ start, end: values.at }, { key, number, counts }, copy)) count++;
        written.add(key);
      } else if (isKept) count++;
      else {
        copy.cut(start, values.at);
        hasLostEnd ||= info.nameOf(number) === 'END';
      }
    }
    values.checkEnd();
    return { count: count + this.#addAggregates(counts, written, copy), hasLostEnd };
  }

  /** Writes, after INFO, the counted keys that it lacks. Returns their number. */
  #addAggregates(counts: AlleleCounts | undefined, written: ReadonlySet<AggregateKey>, copy: RecordCopy): number {
    if (counts === undefined) return 0;
    const { info, counted, aggregates } = this.#rules;
    const end = this.#values.at;
    let count = 0;
    for (const key of ADDED_AGGREGATES) {
      const number = written.has(key) || !counted.includes(key) ? undefined : info.numberOf(key);
      if (number === undefined) continue;
      if (aggregates.replace({ start: end, end }, { key, number, counts }, copy)) count++;
    }
    return count;
  }

  /** Cuts the keys of FORMAT that are not kept, and the values of samples that are not. Returns the number of keys. */
  #editFormat(formatCount: number, sampleCount: number, copy: RecordCopy): number {
    const values = this.#values;
    const { format, samples } = this.#rules;
    const start = values.at;
    if (samples !== undefined) checkSamples(samples, sampleCount, start);
    let count = 0;
    for (let i = 0; i < formatCount; i++) {
      const keyStart = values.at;
      const number = values.readInteger();
      values.read(sampleCount);
      const isKept = format.isKept(number);
      if (isKept === undefined) throw invalidData(`header does not declare key ${number}`, keyStart);
      if (!isKept || samples?.length === 0) {
        copy.cut(keyStart, values.at);
        continue;
      }
      count++;
      if (samples !== undefined) keepSampleValues(this.#bytes, values, samples, copy);
    }
    values.checkEnd();
    return count;
  }
}

/** Throws `FormatError` `INVALID_DATA` unless the record at `at` has all samples that are kept. */
function checkSamples(samples: readonly number[], sampleCount: number, at: number): void {
  const missing = samples.find((sample) => sample >= sampleCount);
  if (missing !== undefined) throw invalidData(`record lacks sample ${missing}`, at);
}
