import { FormatError } from '../format-error.js';
import { KeyNames } from '../key-names.js';
import type { RecordCopy } from '../record-copy.js';
import { type KeySelection, type RecordEditing, type RecordEditor, RecordRewriter } from '../record-rewriter.js';
import { BcfRecords, countMissing, LENGTHS_BYTES } from './record.js';
import { TypedValueReader } from './typed-value.js';

/** Where fields stand in a record (VCFv4.3 §6.3.1). */
const L_INDIV = 4;
const RLEN = 16;
const N_INFO = 24;
const N_ALLELE = 26;
const N_SAMPLE = 28;
const N_FMT = 31;
const VALUES_START = 32;
/** n_sample has three bytes, and n_fmt the fourth. */
const MAX_SAMPLES = 2 ** 24 - 1;

/**
 * Leaves keys of INFO and FORMAT out of uncompressed BCF records that come in pieces cut anywhere; one name means both
 * (VCFv4.3 §6.3). `strings` is the dictionary of the header, by which records name keys. A record whose INFO loses END covers
 * its REF, as for HTSlib. INVALID_DATA are keys that the header lacks, and typed values that do not fill their part of the
 * record.
 */
export class BcfRecordRewriter extends RecordRewriter {
  constructor(selection: KeySelection, strings: ReadonlyMap<number, string>) {
    super(new BcfEditing(selection, strings));
  }
}

class BcfEditing implements RecordEditing {
  readonly countMissing = countMissing;
  readonly isEndedByData = false;
  readonly #keys: NumberedKeys;

  constructor(selection: KeySelection, strings: ReadonlyMap<number, string>) {
    this.#keys = new NumberedKeys(selection, strings);
  }

  read(bytes: Uint8Array): RecordEditor {
    return new BcfEditor(bytes, this.#keys);
  }
}

/** The keys that a selection keeps, by number. */
class NumberedKeys {
  readonly #strings: ReadonlyMap<number, string>;
  readonly #names: KeyNames;
  /** Those that were asked for: a header may have many more than its records use. */
  readonly #isKept = new Map<number, boolean>();

  constructor(selection: KeySelection, strings: ReadonlyMap<number, string>) {
    this.#strings = strings;
    this.#names = new KeyNames(selection);
  }

  /** Whether a key is kept; undefined for one that the header lacks. */
  isKept(key: number): boolean | undefined {
    const known = this.#isKept.get(key);
    const name = known === undefined ? this.#strings.get(key) : undefined;
    if (name === undefined) return known;
    const isKept = this.#names.keepsName(name);
    this.#isKept.set(key, isKept);
    return isKept;
  }

  isEnd(key: number): boolean {
    return this.#strings.get(key) === 'END';
  }
}

/** What was cut of INFO or FORMAT. */
interface CutKeys {
  readonly count: number;
  readonly hasEnd: boolean;
}

class BcfEditor implements RecordEditor {
  readonly #records: BcfRecords;
  readonly #view: DataView;
  readonly #values: TypedValueReader;
  readonly #keys: NumberedKeys;

  constructor(bytes: Uint8Array, keys: NumberedKeys) {
    this.#records = new BcfRecords(bytes);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#values = new TypedValueReader(this.#view);
    this.#keys = keys;
  }

  recordEnd(at: number): number | undefined {
    return this.#records.endAt(at);
  }

  edit(at: number, end: number, copy: RecordCopy): void {
    const view = this.#view;
    const start = copy.positionOf(at);
    const individualStart = at + LENGTHS_BYTES + view.getUint32(at, true);
    this.#values.enter(at + VALUES_START, individualStart);
    const refLength = this.#passAlleles(view.getUint16(at + N_ALLELE, true));
    const infoCount = view.getUint16(at + N_INFO, true);
    const info = this.#cutKeys(infoCount, 1, copy);
    const sharedLength = copy.positionOf(individualStart) - start - LENGTHS_BYTES;
    this.#values.enter(individualStart, end);
    const formatCount = view.getUint8(at + N_FMT);
    const format = this.#cutKeys(formatCount, view.getUint32(at + N_SAMPLE, true) & MAX_SAMPLES, copy);
    if (info.count + format.count === 0) return;
    // Behind these fields something was cut, so they have been copied
    copy.view.setUint32(start, sharedLength, true);
    copy.view.setUint32(start + L_INDIV, copy.positionOf(end) - start - LENGTHS_BYTES - sharedLength, true);
    copy.view.setUint16(start + N_INFO, infoCount - info.count, true);
    copy.view.setUint8(start + N_FMT, formatCount - format.count);
    if (info.hasEnd) copy.view.setInt32(start + RLEN, refLength, true);
  }

  /** Passes over ID, REF, ALT and FILTER, and returns how many bytes REF has. */
  #passAlleles(count: number): number {
    const values = this.#values;
    values.skip();
    const refLength = count === 0 ? 0 : values.skip();
    for (let rank = 1; rank < count; rank++) values.skip();
    values.skip();
    return refLength;
  }

  /** Cuts keys that are not kept, of `count` with a value in each of `rows`, which fill their part of the record. */
  #cutKeys(count: number, rows: number, copy: RecordCopy): CutKeys {
    const values = this.#values;
    let cutCount = 0;
    let hasEnd = false;
    for (let rank = 0; rank < count; rank++) {
      const start = values.at;
      const key = values.readInteger();
      values.skip(rows);
      const isKept = this.#keys.isKept(key);
      if (isKept === undefined) {
        throw new FormatError('INVALID_DATA', `the header has no key of the number ${key}`, { offset: start });
      }
      if (isKept) continue;
      copy.cut(start, values.at);
      cutCount++;
      hasEnd ||= this.#keys.isEnd(key);
    }
    values.checkEnd();
    return { count: cutCount, hasEnd };
  }
}
