import { FormatError } from '../format-error.js';

/** Bytes of an element by type: missing, int8, int16, int32, float, character (VCFv4.3 §6.3.3). Others are NaN. */
const ELEMENT_BYTES = [0, 1, 2, 4, Number.NaN, 4, Number.NaN, 1];
const [INT8, INT16, INT32] = [1, 2, 3];
/** In the high half of the type byte: one element. */
const SINGLE = 1;
/** In the high half of the type byte: the count follows as a typed integer. */
const LONG_COUNT = 15;

/** Reads typed values one behind another (VCFv4.3 §6.3.3). Throws `FormatError` INVALID_DATA for what is none. */
export class TypedValueReader {
  readonly #view: DataView;
  #at = 0;
  #end = 0;

  constructor(view: DataView) {
    this.#view = view;
  }

  /** Where the next value begins. */
  get at(): number {
    return this.#at;
  }

  /** Makes those of [start, end), which lies within the data, the next values. */
  enter(start: number, end: number): void {
    this.#at = start;
    this.#end = end;
  }

  /** Reads a single integer. */
  readInteger(): number {
    const start = this.#at;
    const descriptor = this.#readDescriptor();
    const type = descriptor >>> 4 === SINGLE ? descriptor & 0xf : 0;
    const valueStart = this.#at;
    this.#advance(ELEMENT_BYTES[type] ?? Number.NaN, start);
    if (type === INT8) return this.#view.getInt8(valueStart);
    if (type === INT16) return this.#view.getInt16(valueStart, true);
    if (type === INT32) return this.#view.getInt32(valueStart, true);
    throw invalid(start);
  }

  /** Passes over `rows` values that share a type, and returns how many bytes each has. */
  skip(rows = 1): number {
    const start = this.#at;
    const descriptor = this.#readDescriptor();
    const count = descriptor >>> 4 === LONG_COUNT ? this.readInteger() : descriptor >>> 4;
    if (count < 0) throw invalid(start);
    const byteLength = count * (ELEMENT_BYTES[descriptor & 0xf] ?? Number.NaN);
    this.#advance(rows * byteLength, start);
    return byteLength;
  }

  /** Throws unless all values have been read. */
  checkEnd(): void {
    if (this.#at === this.#end) return;
    throw new FormatError('INVALID_DATA', 'bytes of a record belong to no typed value', { offset: this.#at });
  }

  #readDescriptor(): number {
    const at = this.#at;
    this.#advance(1, at);
    return this.#view.getUint8(at);
  }

  /** Passes over the bytes of the value at `start`; NaN are none. */
  #advance(byteLength: number, start: number): void {
    const byteEnd = this.#at + byteLength;
    if (!(byteEnd <= this.#end)) throw invalid(start);
    this.#at = byteEnd;
  }
}

function invalid(at: number): FormatError {
  return new FormatError('INVALID_DATA', 'a typed value does not fit into its record', { offset: at });
}
