import { FormatError } from '../format-error.js';
import { KeyNames } from '../key-names.js';
import type { RecordCopy } from '../record-copy.js';
import { type KeySelection, type RecordEditing, type RecordEditor, RecordRewriter } from '../record-rewriter.js';
import { BcfRecords, countMissing } from './record.js';
import { TypedValueReader } from './typed-value.js';

/** Bytes of l_shared and l_indiv, which do not count themselves. */
const LENGTHS_BYTES = 8;
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
  /** By number of a key, whether it is kept. */
  readonly #isKept: ReadonlyMap<number, boolean>;
  /** The number of END, if the header has it. */
  readonly #endKey: number | undefined;

  constructor(selection: KeySelection, strings: ReadonlyMap<number, string>) {
    const names = new KeyNames(selection);
    this.#isKept = new Map(Array.from(strings, ([number, name]) => [number, names.keepsName(name)]));
    this.#endKey = Array.from(strings).find(([, name]) => name === 'END')?.[0];
  }

  read(bytes: Uint8Array): RecordEditor {
    return new BcfEditor(bytes, this.#isKept, this.#endKey);
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
  readonly #isKept: ReadonlyMap<number, boolean>;
  readonly #endKey: number | undefined;

  constructor(bytes: Uint8Array, isKept: ReadonlyMap<number, boolean>, endKey: number | undefined) {
    this.#records = new BcfRecords(bytes);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#values = new TypedValueReader(this.#view);
    this.#isKept = isKept;
    this.#endKey = endKey;
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
      const isKept = this.#isKept.get(key);
      if (isKept === undefined) {
        throw new FormatError('INVALID_DATA', `the header has no key of the number ${key}`, { offset: start });
      }
      if (isKept) continue;
      copy.cut(start, values.at);
      cutCount++;
      hasEnd ||= key === this.#endKey;
    }
    values.checkEnd();
    return { count: cutCount, hasEnd };
  }
}
