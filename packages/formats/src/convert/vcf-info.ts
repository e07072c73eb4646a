import { FLOAT, FLOAT_MISSING, INT32_MISSING, MAX_INT32, MIN_INT32, MISSING } from '../bcf/typed-value.js';
import { invalidData } from '../format-error.js';
import type { DictionaryEntry, VariantHeader } from '../vcf/variant-header.js';
import type { ByteWriter } from './byte-writer.js';
import { NameLookup } from './name-lookup.js';
import { NumberReader } from './number-reader.js';
import { writeCharacters, writeDescriptor, writeInteger, writeIntegers } from './typed-value-writer.js';

const [SEMICOLON, EQUALS, COMMA] = [0x3b, 0x3d, 0x2c];
const MAX_ENTRIES = 65_535;

/** Encodes the column INFO (VCFv4.3 §6.3.1). */
export class InfoEncoder {
  readonly #names: NameLookup;
  readonly #numbers = new NumberReader();
  #integers = new Int32Array(16);
  /** The entries of the column that was encoded last. */
  count = 0;
  /** The last END after `position` in the column that was encoded last. */
  baseEnd: number | undefined;
  /** The 0-based position of the record. */
  position = 0;

  constructor({ strings }: VariantHeader) {
    this.#names = new NameLookup(strings);
  }

  /** Writes the entries of the column [start, end), which is not `.`. Empty entries are left out. */
  encode(writer: ByteWriter, bytes: Uint8Array, start: number, end: number): void {
    this.count = 0;
    this.baseEnd = undefined;
    for (let at = start; at < end; at++) {
      const keyStart = at;
      let byte = bytes[at];
      while (at < end && byte !== SEMICOLON && byte !== EQUALS) byte = bytes[++at];
      const keyEnd = at;
      while (at < end && bytes[at] !== SEMICOLON) at++;
      if (keyEnd > keyStart) this.#writeEntry(writer, bytes, { keyStart, keyEnd, end: at });
      else if (keyEnd < at) throw invalidData('entry of INFO has no key', keyStart);
    }
  }

  #writeEntry(
    writer: ByteWriter,
    bytes: Uint8Array,
    { keyStart, keyEnd, end }: { readonly keyStart: number; readonly keyEnd: number; readonly end: number },
  ): void {
    const entry = this.#names.find(bytes, keyStart, keyEnd);
    if (entry?.info === undefined) throw invalidData('header does not declare a key of INFO', keyStart);
    if (++this.count > MAX_ENTRIES) throw invalidData(`INFO has over ${MAX_ENTRIES} entries`, keyStart);
    writeInteger(writer, entry.index);
    const { type } = entry.info;
    if (keyEnd === end) writer.uint8(MISSING);
    else if (type === 'Integer') this.#writeIntegers(writer, bytes, { start: keyEnd + 1, end, entry });
    else if (type === 'Float') this.#writeFloats(writer, bytes, keyEnd + 1, end);
    else writeCharacters(writer, bytes, keyEnd + 1, end);
  }

  #writeIntegers(
    writer: ByteWriter,
    bytes: Uint8Array,
    { start, end, entry }: { readonly start: number; readonly end: number; readonly entry: DictionaryEntry },
  ): void {
    const count = countValues(bytes, start, end);
    if (count > this.#integers.length) this.#integers = new Int32Array(2 * count);
    for (let i = 0, at = start; i < count; i++, at++) {
      const value = this.#numbers.integer(bytes, at);
      const isNumber = this.#numbers.end > at && value >= MIN_INT32 && value <= MAX_INT32;
      this.#integers[i] = isNumber ? value : INT32_MISSING;
      while (at < end && bytes[at] !== COMMA) at++;
    }
    writeIntegers(writer, this.#integers, count);
    const [first = 0] = this.#integers;
    if (count === 1 && first > this.position && entry.name === 'END') this.baseEnd = first;
  }

  #writeFloats(writer: ByteWriter, bytes: Uint8Array, start: number, end: number): void {
    const count = countValues(bytes, start, end);
    writeDescriptor(writer, count, FLOAT);
    for (let i = 0, at = start; i < count; i++, at++) {
      const value = this.#numbers.float(bytes, at, end);
      if (this.#numbers.end > at) writer.float32(value);
      else writer.int32(FLOAT_MISSING);
      while (at < end && bytes[at] !== COMMA) at++;
    }
  }
}

function countValues(bytes: Uint8Array, start: number, end: number): number {
  let count = 1;
  for (let at = start; at < end; at++) if (bytes[at] === COMMA) count++;
  return count;
}
