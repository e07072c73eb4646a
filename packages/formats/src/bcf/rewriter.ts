import { invalidData } from '../format-error.js';
import { type KeySelection, SelectedKeys } from '../records/key-selection.js';
import { createRecordRewriter, type RecordCopy, type RecordRewriter } from '../records/record-rewriter.js';
import type { RecordLimits } from '../records/record-splitter.js';
import { BcfRecords, countMissing, LENGTHS_BYTES, MAX_SAMPLES, RECORD_FIELDS } from './record.js';
import { TypedValueReader } from './typed-value.js';

/** Options of a rewriter of BCF. */
interface BcfRewriterOptions extends RecordLimits {
  /** Whether rlen includes the lengths of alleles: the result of `hasAlleleLengths` for the header. Default: false. */
  readonly alleleLengths?: boolean;
}

const L_INDIV = 4;
const VALUES_START = 32;

/**
 * Creates a rewriter of uncompressed BCF records, without the header, that drops keys of INFO and FORMAT. One name means both
 * (VCFv4.3 §6.3). `strings` is the header's dictionary, by which records refer to keys. A record whose INFO loses END covers
 * its REF, as in htslib, unless the lengths of its alleles count. Its methods throw `FormatError` `INVALID_DATA` for a key that
 * the header does not declare and for typed values that do not fill their part of the record.
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
  selection: KeySelection,
  strings: ReadonlyMap<number, string>,
  { alleleLengths = false, ...limits }: BcfRewriterOptions = {},
): RecordRewriter {
  const keys = new NumberedKeys(selection, strings);
  return createRecordRewriter<BcfEditor>({
    isEndedByData: false,
    limits,
    open: (bytes) => new BcfEditor(bytes, { keys, alleleLengths }),
    recordEnd: (editor, at) => editor.recordEnd(at),
    countMissing,
    edit: (editor, at, end, copy) => editor.edit(at, end, copy),
  });
}

/** The keys that a selection keeps, by their numbers in the dictionary. */
class NumberedKeys {
  readonly #strings: ReadonlyMap<number, string>;
  readonly #selected: SelectedKeys;
  /** Filled on demand: a header may declare many more keys than its records use. */
  readonly #isKept = new Map<number, boolean>();

  constructor(selection: KeySelection, strings: ReadonlyMap<number, string>) {
    this.#strings = strings;
    this.#selected = new SelectedKeys(selection);
  }

  /** Returns whether a key is kept, or undefined if the header does not declare it. */
  isKept(key: number): boolean | undefined {
    const known = this.#isKept.get(key);
    const name = known === undefined ? this.#strings.get(key) : undefined;
    if (name === undefined) return known;
    const isKept = this.#selected.hasName(name);
    this.#isKept.set(key, isKept);
    return isKept;
  }

  isEnd(key: number): boolean {
    return this.#strings.get(key) === 'END';
  }
}

/** The keys that were cut from INFO or FORMAT. */
interface CutKeys {
  readonly count: number;
  readonly hasEnd: boolean;
}

/** Edits the records of one piece of data. */
class BcfEditor {
  readonly #records: BcfRecords;
  readonly #view: DataView;
  readonly #values: TypedValueReader;
  readonly #keys: NumberedKeys;
  readonly #alleleLengths: boolean;

  constructor(bytes: Uint8Array, { keys, alleleLengths }: { keys: NumberedKeys; alleleLengths: boolean }) {
    this.#records = new BcfRecords(bytes);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#values = new TypedValueReader(this.#view);
    this.#keys = keys;
    this.#alleleLengths = alleleLengths;
  }

  recordEnd(at: number): number | undefined {
    return this.#records.endAt(at);
  }

  edit(at: number, end: number, copy: RecordCopy): void {
    const view = this.#view;
    const start = copy.positionOf(at);
    const individualStart = at + LENGTHS_BYTES + view.getUint32(at, true);
    this.#values.enter(at + VALUES_START, individualStart);
    const refLength = this.#skipSite(view.getUint16(at + RECORD_FIELDS.alleleCount, true));
    const infoCount = view.getUint16(at + RECORD_FIELDS.infoCount, true);
    const info = this.#cutKeys(infoCount, 1, copy);
    const sharedLength = copy.positionOf(individualStart) - start - LENGTHS_BYTES;
    this.#values.enter(individualStart, end);
    const formatCount = view.getUint8(at + RECORD_FIELDS.formatCount);
    const format = this.#cutKeys(formatCount, view.getUint32(at + RECORD_FIELDS.sampleCount, true) & MAX_SAMPLES, copy);
    if (info.count + format.count === 0) return;
    // Something after these fields was cut, so they are already copied.
    copy.view.setUint32(start, sharedLength, true);
    copy.view.setUint32(start + L_INDIV, copy.positionOf(end) - start - LENGTHS_BYTES - sharedLength, true);
    copy.view.setUint16(start + RECORD_FIELDS.infoCount, infoCount - info.count, true);
    copy.view.setUint8(start + RECORD_FIELDS.formatCount, formatCount - format.count);
    // The lengths of symbolic alleles remain true without END.
    if (info.hasEnd && !this.#alleleLengths) copy.view.setInt32(start + RECORD_FIELDS.rlen, refLength, true);
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

  /** Cuts the keys that are not kept. There are `count` keys, each with a value for each of `rows` samples. */
  #cutKeys(count: number, rows: number, copy: RecordCopy): CutKeys {
    const values = this.#values;
    let cutCount = 0;
    let hasEnd = false;
    for (let i = 0; i < count; i++) {
      const start = values.at;
      const key = values.readInteger();
      values.skip(rows);
      const isKept = this.#keys.isKept(key);
      if (isKept === undefined) throw invalidData(`header does not declare key ${key}`, start);
      if (isKept) continue;
      copy.cut(start, values.at);
      cutCount++;
      hasEnd ||= this.#keys.isEnd(key);
    }
    values.checkEnd();
    return { count: cutCount, hasEnd };
  }
}
