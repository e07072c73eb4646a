import { findByte } from '#find-byte';
import { invalidData } from '../format-error.js';
import { contentEnd } from './record.js';

const [LINE_FEED, TAB] = [0x0a, 0x09];

/** The indexes of the columns of a line (VCFv4.3 §1.6). */
export const CHROM = 0;
export const POS = 1;
export const ID = 2;
export const REF = 3;
export const ALT = 4;
export const QUAL = 5;
export const FILTER = 6;
export const INFO = 7;
export const FORMAT = 8;
export const FIRST_SAMPLE = 9;

/** A line of a VCF file, and where its columns begin. */
export class VcfLine {
  bytes: Uint8Array = new Uint8Array(0);
  /** The offset just after the line. */
  byteEnd = 0;
  /** The end of the line without its line end. */
  end = 0;
  /** The offset of each column up to the first sample; past the end for columns that the line lacks. */
  readonly starts: Int32Array = new Int32Array(FIRST_SAMPLE + 1);

  /** Moves to the line that starts at `offset`. Throws `FormatError` `INVALID_DATA` for a line of fewer than eight columns. */
  enter(bytes: Uint8Array, offset: number): void {
    const lineFeed = findByte(bytes, LINE_FEED, offset);
    const byteEnd = lineFeed === -1 ? bytes.length : lineFeed + 1;
    const end = contentEnd(bytes, offset, byteEnd);
    const { starts } = this;
    this.bytes = bytes;
    this.byteEnd = byteEnd;
    this.end = end;
    let start = offset;
    for (let column = CHROM; column <= FIRST_SAMPLE; column++) {
      starts[column] = start;
      while (start < end && bytes[start] !== TAB) start++;
      if (start >= end && column < INFO) throw invalidData('record has fewer than eight columns', offset);
      start++;
    }
  }

  /** Returns the start of a column up to the first sample. */
  start(column: number): number {
    return this.starts[column] ?? 0;
  }

  /** Returns the end of a column up to FORMAT. */
  columnEnd(column: number): number {
    return Math.min(this.start(column + 1) - 1, this.end);
  }
}
