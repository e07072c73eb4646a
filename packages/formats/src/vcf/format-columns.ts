import { invalidData } from '../format-error.js';
import type { SelectedKeys } from '../records/key-selection.js';
import type { RecordCopy } from '../records/record-rewriter.js';
import { LAST_LINE_CONTROL } from './record.js';

const TAB = 0x09;
const DOT = 0x2e;
const COLON = 0x3a;
/** "GT" as bytes. */
const [G, T] = [0x47, 0x54];

/** Columns of a line: the bytes [start, end). */
export interface ColumnRange {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** The place that columns are written to: `bytes` from `position` on. */
export interface ColumnTarget {
  readonly bytes: Uint8Array;
  readonly position: number;
}

/** Drops keys from the column FORMAT, and their values from the sample columns that follow it. */
export class FormatColumns {
  readonly #keys: SelectedKeys;
  /** The FORMAT that was entered last; most lines have that of the line before. */
  #format = new Uint8Array(0);
  /** For each key of FORMAT, 1 if it is kept, otherwise 0. */
  #kept = new Uint8Array(0);
  #keepsAll = true;
  #genotypeIndex = -1;

  constructor(keys: SelectedKeys) {
    this.#keys = keys;
  }

  /** Whether the FORMAT that was entered last loses no key. */
  get keepsAll(): boolean {
    return this.#keepsAll;
  }

  /** The index of GT in the FORMAT that was entered last; −1 if it lacks GT. */
  get genotypeIndex(): number {
    return this.#genotypeIndex;
  }

  /**
   * Rewrites the columns [start, end), the first of which is FORMAT. Throws `FormatError` `INVALID_DATA` for a sample with more
   * values than FORMAT has keys, and for control characters.
   */
  edit(bytes: Uint8Array, start: number, end: number, copy: RecordCopy): void {
    this.enter(bytes, start, end);
    if (this.#keepsAll) return;
    const position = copy.replace(start, end, end - start);
    copy.shrinkTo(this.write({ bytes, start, end }, { bytes: copy.bytes, position }));
  }

  /** Enters the column FORMAT, with which the bytes [start, end) begin. Returns its end. */
  enter(bytes: Uint8Array, start: number, end: number): number {
    if (!this.#isEntered(bytes, start, end)) this.#enter(bytes, start, end);
    return start + this.#format.length;
  }

  /** Writes columns without the values that are not kept, and returns the end of what it wrote. Throws what `edit` throws. */
  write(columns: ColumnRange, target: ColumnTarget): number {
    return writeKept(columns, this.#kept, target);
  }

  #isEntered(bytes: Uint8Array, start: number, end: number): boolean {
    const format = this.#format;
    for (let i = 0; i < format.length; i++) {
      if (bytes[start + i] !== format[i]) return false;
    }
    const formatEnd = start + format.length;
    return format.length > 0 && (formatEnd === end || (formatEnd < end && bytes[formatEnd] === TAB));
  }

  #enter(bytes: Uint8Array, start: number, end: number): void {
    const columns = bytes.subarray(start, end);
    const tab = columns.indexOf(TAB);
    const format = columns.slice(0, tab === -1 ? columns.length : tab);
    const kept = new Uint8Array(format.length + 1);
    let count = 0;
    this.#genotypeIndex = -1;
    for (let at = 0; at <= format.length; count++) {
      const colon = format.indexOf(COLON, at);
      const keyEnd = colon === -1 ? format.length : colon;
      kept[count] = this.#keys.has(format, at, keyEnd) ? 1 : 0;
      if (keyEnd === at + 2 && format[at] === G && format[at + 1] === T) this.#genotypeIndex = count;
      at = keyEnd + 1;
    }
    this.#format = format;
    this.#kept = kept.subarray(0, count);
    // A missing FORMAT, `.`, has no keys.
    this.#keepsAll = !this.#kept.includes(0) || (format.length === 1 && format[0] === DOT);
  }
}

/**
 * Writes columns without the values that are not kept, and returns the end of what it wrote, which is never longer than the
 * input. A column that loses everything becomes `.`, but an empty column stays empty.
 *
 * Values have a few bytes: copying them in the loop that finds their ends takes 0.7 of the time of cutting runs.
 */
function writeKept(columns: ColumnRange, kept: Uint8Array, target: ColumnTarget): number {
  const { bytes, end } = columns;
  const out = target.bytes;
  const firstKept = kept.indexOf(1);
  let at = columns.start;
  let to = target.position;
  for (;;) {
    const columnStart = at;
    const columnTo = to;
    let byte = 0;
    for (let key = 0; ; key++, at++) {
      if (key === kept.length) throw invalidData('sample has more values than FORMAT has keys', columnStart);
      if (kept[key] === 1) {
        if (key > firstKept) out[to++] = COLON;
        for (byte = bytes[at] ?? 0; byte > LAST_LINE_CONTROL && byte !== COLON; byte = bytes[++at] ?? 0)
          out[to++] = byte;
      } else {
        for (byte = bytes[at] ?? 0; byte > LAST_LINE_CONTROL && byte !== COLON; byte = bytes[++at] ?? 0);
      }
      if (byte !== COLON) break;
    }
    if (to === columnTo && at > columnStart) out[to++] = DOT;
    if (at === end) return to;
    if (byte !== TAB) throw invalidData('control character in FORMAT or a sample', at);
    out[to++] = TAB;
    at++;
  }
}
