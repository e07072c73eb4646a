import { encodeText } from '@htskit/io';
import { type ListSource, NO_VALUE } from '../../columns/byte-lists.js';
import { appendBytes, type ColumnConstructor, type ColumnValues, GrowingColumn } from '../../columns/growing-column.js';
import { GrowingValidity } from '../../columns/growing-validity.js';
import { GrowingList } from '../../columns/list-column.js';
import type { Parts } from '../../columns/wasm/part-copier.js';
import { FormatError } from '../../format-error.js';
import type { RecordData } from '../record-fields.js';
import { ARRAY_CONSTRUCTORS, parseNumber } from '../tags/tag-values.js';
import type { NumberTagColumn, TagColumn } from './tag-column.js';

// Value types (SAMv1 §4.2.4)
const [CHARACTER, ARRAY, STRING, HEX_STRING, FLOAT, DOUBLE] = [0x41, 0x42, 0x5a, 0x48, 0x66, 0x64];

/** Bytes of the type of a value, and of the end of a text. */
const [TYPE_BYTES, NUL_BYTES] = [1, 1];
/** Bytes before the elements of an array: their type and their count. */
const ELEMENTS_OFFSET = 5;
/** The types of the values of a number column. */
type TagNumbers = NumberTagColumn['values'];
type GrowingTexts = GrowingList<Uint8Array<ArrayBuffer>>;

const MAX_INT32 = 2 ** 31 - 1;
const SMALL_INTEGERS: readonly ColumnConstructor<ColumnValues>[] = [
  Int8Array,
  Uint8Array,
  Int16Array,
  Uint16Array,
  Int32Array,
];

/** The column of a tag, whose values are appended as BAM and CRAM store them. Its type is that of the first value. */
export class GrowingTag {
  readonly #name: string;
  /** The records so far. */
  #length = 0;
  #numbers: GrowingNumbers | undefined;
  #texts: GrowingTexts | undefined;
  #arrays: GrowingList<ColumnValues> | undefined;
  /** Columns that were taken, whose memory is used again. */
  #takenNumbers: GrowingNumbers | undefined;
  #takenTexts: GrowingTexts | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  /**
   * Appends the value [start, end) of a type. Its bounds are checked: `end` follows the NUL of a string. Throws `FormatError`
   * UNSUPPORTED if other records have a number where this one has a text or an array, or the like.
   */
  push(type: number, { bytes, view }: RecordData, start: number, end: number): void {
    if (type === ARRAY) this.#pushArray(view, start, end);
    else if (type === STRING || type === HEX_STRING) this.#pushText(bytes, start, end - 1);
    else if (type === CHARACTER) this.#pushCharacter(bytes[start] ?? 0);
    else this.#pushNumber(type, parseNumber(view, type, start) ?? 0);
    this.#length++;
  }

  /** Appends a record without the tag. */
  pushMissing(): void {
    this.#numbers?.pushMissing();
    this.#texts?.end(false);
    this.#arrays?.end(false);
    this.#length++;
  }

  /** Appends a value for each record, which starts at its type. Most tags are small integers or texts in all records. */
  pushAll(data: ListSource, parts: Parts): void {
    const { starts, ends } = parts;
    const kind = commonKind(data.view, starts);
    if (kind === 'integer' && this.#hasIntegers()) {
      this.#numbers ??= this.#startNumbers(Int32Array);
      this.#numbers.pushIntegers(data.view, starts);
      this.#length += starts.length;
    } else if (kind === 'text') {
      this.#texts ??= this.#startTexts();
      for (let i = 0; i < starts.length; i++) {
        if (starts[i] === NO_VALUE) continue;
        starts[i] = (starts[i] ?? 0) + TYPE_BYTES;
        ends[i] = (ends[i] ?? 0) - NUL_BYTES;
      }
      data.appendBytes(this.#texts, parts);
      this.#length += starts.length;
    } else {
      for (let i = 0; i < starts.length; i++) {
        const start = starts[i] ?? NO_VALUE;
        if (start === NO_VALUE) this.pushMissing();
        else this.push(data.view.getUint8(start), data, start + TYPE_BYTES, ends[i] ?? start);
      }
    }
  }

  /** Returns the column in memory of its own, undefined if no record has the tag, and starts again. */
  take(): TagColumn | undefined {
    const [numbers, texts, arrays] = [this.#numbers, this.#texts, this.#arrays];
    this.#length = 0;
    this.#numbers = undefined;
    this.#texts = undefined;
    this.#arrays = undefined;
    this.#takenNumbers = numbers;
    this.#takenTexts = texts;
    if (numbers !== undefined) return { type: 'number', ...numbers.take() };
    if (texts !== undefined) return { type: 'text', ...texts.take() };
    return arrays && { type: 'array', ...arrays.take() };
  }

  #pushNumber(type: number, value: number): void {
    const Values = type === FLOAT ? Float32Array : type === DOUBLE || value > MAX_INT32 ? Float64Array : Int32Array;
    this.#numbers ??= this.#startNumbers(Values);
    this.#numbers.push(Values, value);
  }

  #pushText(bytes: Uint8Array, start: number, end: number): void {
    this.#texts ??= this.#startTexts();
    appendBytes(this.#texts.values, bytes, start, end);
    this.#texts.end();
  }

  /** Appends a character, which is one of Latin-1 in the views of records as well. */
  #pushCharacter(code: number): void {
    const text = encodeText(String.fromCharCode(code));
    this.#pushText(text, 0, text.length);
  }

  #pushArray(view: DataView, start: number, end: number): void {
    const type = view.getUint8(start);
    const Values = ARRAY_CONSTRUCTORS[type] ?? Uint8Array;
    this.#arrays ??= this.#start(new GrowingList<ColumnValues>(Values));
    const column = this.#arrays.values;
    if (column.type !== Values) column.convert(commonType(column.type, Values));
    const count = view.getUint32(start + 1, true);
    let to = column.reserve(count);
    const { values } = column;
    const elementBytes = count === 0 ? 0 : (end - start - ELEMENTS_OFFSET) / count;
    for (let at = start + ELEMENTS_OFFSET; at < end; at += elementBytes) {
      values[to++] = parseNumber(view, type, at) ?? view.getUint8(at);
    }
    this.#arrays.end();
  }

  #startNumbers(Values: ColumnConstructor<TagNumbers>): GrowingNumbers {
    this.#checkKind();
    const numbers = this.#takenNumbers?.type === Values ? this.#takenNumbers : new GrowingNumbers(Values);
    for (let i = 0; i < this.#length; i++) numbers.pushMissing();
    return numbers;
  }

  #startTexts(): GrowingTexts {
    return this.#start(this.#takenTexts ?? new GrowingList(Uint8Array));
  }

  /** Returns an empty list with the records so far, which have no value. */
  #start<Values extends ColumnValues>(list: GrowingList<Values>): GrowingList<Values> {
    this.#checkKind();
    for (let i = 0; i < this.#length; i++) list.end(false);
    return list;
  }

  /** Whether the numbers so far, if there are any, are integers of 32 bits. */
  #hasIntegers(): boolean {
    return (this.#numbers?.type ?? Int32Array) === Int32Array;
  }

  /** Checks that the column has no other kind of values. */
  #checkKind(): void {
    if ((this.#numbers ?? this.#texts ?? this.#arrays) === undefined) return;
    const message = `tag ${this.#name} has numbers, texts or arrays in different records, which no column holds`;
    throw new FormatError('UNSUPPORTED', message, { offset: 0 });
  }
}

/** Numbers, some of which are missing. */
class GrowingNumbers {
  readonly #column: GrowingColumn<TagNumbers>;
  readonly #validity = new GrowingValidity();

  constructor(Values: ColumnConstructor<TagNumbers>) {
    this.#column = new GrowingColumn(Values);
  }

  get type(): ColumnConstructor<TagNumbers> {
    return this.#column.type;
  }

  /** Appends integers of the types `cCsSi`, which start at their types. The column has the type `Int32Array`. */
  pushIntegers(view: DataView, starts: Int32Array): void {
    const count = starts.length;
    const to = this.#column.reserve(count);
    const { values } = this.#column;
    let hasAll = true;
    for (let i = 0; i < count; i++) {
      const start = starts[i] ?? NO_VALUE;
      if (start === NO_VALUE) hasAll = false;
      values[to + i] = start === NO_VALUE ? 0 : (parseNumber(view, view.getUint8(start), start + TYPE_BYTES) ?? 0);
    }
    if (hasAll) this.#validity.pushValid(count);
    else for (let i = 0; i < count; i++) this.#validity.push(starts[i] !== NO_VALUE);
  }

  push(Values: ColumnConstructor<TagNumbers>, value: number): void {
    const column = this.#column;
    if (column.type !== Values) column.convert(Float64Array);
    const at = column.reserve(1);
    column.values[at] = value;
    this.#validity.push(true);
  }

  pushMissing(): void {
    const at = this.#column.reserve(1);
    this.#column.values[at] = 0;
    this.#validity.push(false);
  }

  take(): Omit<NumberTagColumn, 'type'> {
    const validity = this.#validity.take();
    return { values: this.#column.take(), ...(validity !== undefined && { validity }) };
  }
}

/** The types of integers that 32 bits hold, `cCsSi`, and those of texts, `ZH`, each as the number of a kind. */
const [INTEGER_KIND, TEXT_KIND] = [1, 2];
const KINDS = Uint8Array.from({ length: 256 }, (_, type) => {
  if ('cCsSi'.includes(String.fromCharCode(type))) return INTEGER_KIND;
  return type === STRING || type === HEX_STRING ? TEXT_KIND : 0;
});

/** Returns the kind of all values, which start at their types; undefined for others, for several kinds, and without a value. */
function commonKind(view: DataView, starts: Int32Array): 'integer' | 'text' | undefined {
  let kinds = 0;
  for (let i = 0; i < starts.length; i++) {
    const start = starts[i] ?? NO_VALUE;
    if (start !== NO_VALUE) kinds |= KINDS[view.getUint8(start)] || 4;
  }
  return kinds === INTEGER_KIND ? 'integer' : kinds === TEXT_KIND ? 'text' : undefined;
}

/** Returns the type that holds the values of two types. */
function commonType(
  first: ColumnConstructor<ColumnValues>,
  second: ColumnConstructor<ColumnValues>,
): ColumnConstructor<ColumnValues> {
  return [first, second].every((type) => SMALL_INTEGERS.includes(type)) ? Int32Array : Float64Array;
}
