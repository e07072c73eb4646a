import { findByte } from '#find-byte';
import { FLOAT, FLOAT_MISSING, INT32, INT32_MISSING, MAX_INT32, MIN_INT32, MISSING } from '../../bcf/typed-value.js';
import {
  writeCharacters,
  writeDescriptor,
  writeInteger,
  writeIntegerAt,
  writeIntegers,
} from '../../bcf/typed-value-writer.js';
import type { ByteWriter } from '../../bytes/byte-writer.js';
import { NumberReader } from '../../bytes/number-reader.js';
import { invalidData } from '../../format-error.js';
import type { DictionaryEntry } from '../../vcf/variant-header.js';
import { ElementList } from '../element-list.js';
import type { NameLookup } from '../name-lookup.js';

const [SEMICOLON, EQUALS, COMMA] = [0x3b, 0x3d, 0x2c];
const MAX_ENTRIES = 65_535;

/** Encodes the column INFO (VCFv4.3 §6.3.1). */
export class InfoEncoder {
  readonly #names: NameLookup;
  readonly #numbers = new NumberReader();
  readonly #values = new ElementList();
  /** The keys that followed last, by the number of the key before plus one: most lines have the keys of the line before. */
  readonly #successors: (DictionaryEntry | undefined)[] = [];
  /** The entries of the column that was encoded last. */
  count = 0;
  /** The first END in the column that was encoded last, if it is after `position`. */
  baseEnd: number | undefined;
  #hasEnd = false;
  /** The 0-based position of the record. */
  position = 0;

  constructor(names: NameLookup) {
    this.#names = names;
  }

  /** Writes the entries of the column [start, end), which is not `.`. Empty entries are left out. `bytes` has a byte at `end`. */
  encode(writer: ByteWriter, bytes: Uint8Array, start: number, end: number): void {
    this.count = 0;
    this.baseEnd = undefined;
    this.#hasEnd = false;
    let before = 0;
    for (let at = start; at < end; at++) {
      if (bytes[at] === SEMICOLON) continue;
      const expected = this.#successors[before];
      const isExpected = expected !== undefined && hasKey(expected, bytes, at, end);
      const keyEnd = isExpected ? at + expected.bytes.length : findKeyEnd(bytes, at, end);
      const entry = isExpected ? expected : this.#find(bytes, at, keyEnd);
      this.#successors[before] = entry;
      before = entry.index + 1;
      if (++this.count > MAX_ENTRIES) throw invalidData(`INFO has over ${MAX_ENTRIES} entries`, at);
      at = this.#writeEntry(writer, bytes, keyEnd, end, entry);
    }
  }

  #find(bytes: Uint8Array, start: number, end: number): DictionaryEntry {
    if (start === end) throw invalidData('entry of INFO has no key', start);
    const entry = this.#names.find(bytes, start, end);
    if (entry?.info === undefined) throw invalidData('header does not declare a key of INFO', start);
    return entry;
  }

  /** Writes the entry whose key ends at `keyEnd`, and returns where it ends. */
  #writeEntry(writer: ByteWriter, bytes: Uint8Array, keyEnd: number, end: number, entry: DictionaryEntry): number {
    writeInteger(writer, entry.index);
    if (keyEnd === end || bytes[keyEnd] === SEMICOLON) {
      writer.uint8(MISSING);
      return keyEnd;
    }
    const type = entry.info?.type;
    if (type === 'Integer') return this.#writeIntegers(writer, bytes, keyEnd + 1, end, entry);
    if (type === 'Float') return this.#writeFloats(writer, bytes, keyEnd + 1, end);
    const entryEnd = findEntryEnd(bytes, keyEnd, end);
    writeCharacters(writer, bytes, keyEnd + 1, entryEnd);
    return entryEnd;
  }

  #writeIntegers(writer: ByteWriter, bytes: Uint8Array, start: number, end: number, entry: DictionaryEntry): number {
    const values = this.#values;
    values.clear(start);
    let at = start;
    for (; ; at++) {
      const value = this.#numbers.integer(bytes, at);
      const isNumber = this.#numbers.end > at && value >= MIN_INT32 && value <= MAX_INT32;
      values.push(isNumber ? value : INT32_MISSING);
      at = findValueEnd(bytes, this.#numbers.end, end);
      if (at === end || bytes[at] === SEMICOLON) break;
    }
    writeIntegers(writer, values.elements, values.length);
    if (entry.name === 'END' && !this.#hasEnd) {
      this.#hasEnd = true;
      const end = values.elements[0] ?? 0;
      if (end > this.position) this.baseEnd = end;
    }
    return at;
  }

  #writeFloats(writer: ByteWriter, bytes: Uint8Array, start: number, end: number): number {
    const values = this.#values;
    values.clear(start);
    let at = start;
    for (; ; at++) {
      const value = this.#numbers.float(bytes, at, end);
      if (this.#numbers.end > at) values.pushFloat(value);
      else values.push(FLOAT_MISSING);
      at = findValueEnd(bytes, this.#numbers.end, end);
      if (at === end || bytes[at] === SEMICOLON) break;
    }
    const { elements, length } = values;
    writeDescriptor(writer, length, FLOAT);
    let to = writer.reserve(4 * length);
    for (let i = 0; i < length; i++) to = writeIntegerAt(writer.memory, to, elements[i] ?? 0, INT32);
    return at;
  }
}

/** Returns whether the entry at `at` has the key `entry`. */
function hasKey({ bytes: name }: DictionaryEntry, bytes: Uint8Array, at: number, end: number): boolean {
  const keyEnd = at + name.length;
  if (keyEnd > end) return false;
  for (let i = 0; i < name.length; i++) if (name[i] !== bytes[at + i]) return false;
  return keyEnd === end || bytes[keyEnd] === EQUALS || bytes[keyEnd] === SEMICOLON;
}

function findKeyEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== EQUALS && bytes[at] !== SEMICOLON) at++;
  return at;
}

/** A native search is faster than a loop over at least this many bytes. */
const LONG_TEXT_BYTES = 128;

/** Does not search `bytes` as a whole: without another semicolon, each line would search all that follow. */
function findEntryEnd(bytes: Uint8Array, start: number, end: number): number {
  if (end - start > LONG_TEXT_BYTES) {
    const found = findByte(bytes.subarray(start, end), SEMICOLON, 0);
    return found === -1 ? end : start + found;
  }
  let at = start;
  while (at < end && bytes[at] !== SEMICOLON) at++;
  return at;
}

function findValueEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== COMMA && bytes[at] !== SEMICOLON) at++;
  return at;
}
