import { findByte } from '#find-byte';
import { INT8 } from '../../bcf/typed-value.js';
import { writeInteger } from '../../bcf/typed-value-writer.js';
import type { ByteWriter } from '../../bytes/byte-writer.js';
import { invalidData } from '../../format-error.js';
import type { VariantHeader } from '../../vcf/variant-header.js';
import { MAX_ELEMENT_BYTES, tooManyValues } from '../element-list.js';
import type { NameLookup } from '../name-lookup.js';
import { writeFloatColumn, writeIntegerColumn, writeTextColumn } from './sample-columns.js';
import { type Kind, kindOf, MAX_KEYS, SampleValues } from './sample-values.js';

const [TAB, COLON, DOT] = [0x09, 0x3a, 0x2e];
/** FORMAT columns whose keys are remembered. */
const MAX_PLANS = 64;
/** The first version that stores the phase of the first allele (VCFv4.4 §6.3.3). */
const FIRST_PHASE_VERSION = 404;
const ascii = new TextDecoder('latin1');

/** The keys of a column FORMAT. */
interface FormatPlan {
  readonly format: Uint8Array;
  /** The numbers of the keys in the dictionary. */
  readonly indexes: readonly number[];
  readonly kinds: readonly Kind[];
  /** The types of the values of the keys that were written last. */
  readonly types: number[];
}

/**
 * Encodes the columns FORMAT and those of the samples (VCFv4.3 §6.3.3). The lines have the values of a sample together, the
 * records those of a key.
 */
export class FormatEncoder {
  readonly #names: NameLookup;
  readonly #sampleCount: number;
  readonly #values: SampleValues;
  readonly #plans = new Map<string, FormatPlan>();
  #plan: FormatPlan = { format: new Uint8Array(0), indexes: [], kinds: [], types: [] };

  constructor(names: NameLookup, { samples, version }: VariantHeader) {
    this.#names = names;
    this.#sampleCount = samples.length;
    this.#values = new SampleValues(version >= FIRST_PHASE_VERSION);
  }

  /** The number of keys that were encoded last. */
  get count(): number {
    return this.#plan.kinds.length;
  }

  /**
   * Writes the columns [start, end), the first of which is FORMAT. Columns that follow those of the samples are ignored. `bytes`
   * has a line end at `end`.
   */
  encode(writer: ByteWriter, bytes: Uint8Array, start: number, end: number): void {
    if (!isFormat(this.#plan, bytes, start, end)) this.#plan = this.#findPlan(bytes, start, end);
    const { format, kinds } = this.#plan;
    if (kinds.length === 0) return;
    const formatEnd = start + format.length;
    if (formatEnd === end) throw invalidData('record has a column FORMAT, but no samples', start);
    this.#values.read(kinds, this.#sampleCount, { bytes, start: formatEnd + 1, end });
    this.#checkSize(kinds, start);
    for (let key = 0; key < kinds.length; key++) this.#writeColumn(writer, bytes, key);
  }

  #writeColumn(writer: ByteWriter, bytes: Uint8Array, key: number): void {
    const { elements, starts } = this.#values;
    const { indexes, kinds, types } = this.#plan;
    const width = this.#width(key);
    // Spreading what columns share would take more time than writing a column of a few samples.
    const column = { elements, starts, first: key, step: kinds.length, sampleCount: this.#sampleCount, width };
    writeInteger(writer, indexes[key] ?? 0);
    if (kinds[key] === 'text') writeTextColumn(writer, bytes, column);
    else if (kinds[key] === 'float') writeFloatColumn(writer, column);
    else types[key] = writeIntegerColumn(writer, column, types[key] ?? INT8);
  }

  /** Returns the keys of the column FORMAT at `start`, which are mostly those of an earlier line. */
  #findPlan(bytes: Uint8Array, start: number, end: number): FormatPlan {
    const tab = findByte(bytes, TAB, start);
    const formatEnd = tab === -1 || tab > end ? end : tab;
    const format = bytes.slice(start, formatEnd);
    const text = ascii.decode(format);
    const known = this.#plans.get(text);
    if (known !== undefined) return known;
    if (this.#plans.size === MAX_PLANS) this.#plans.clear();
    const plan = { format, ...this.#readKeys(bytes, start, formatEnd) };
    this.#plans.set(text, plan);
    return plan;
  }

  #readKeys(bytes: Uint8Array, start: number, end: number): Omit<FormatPlan, 'format'> {
    const indexes: number[] = [];
    const kinds: Kind[] = [];
    const isMissing = end === start + 1 && bytes[start] === DOT;
    for (let at = start; at <= end && !isMissing; at++) {
      const keyStart = at;
      while (at < end && bytes[at] !== COLON) at++;
      const entry = this.#names.find(bytes, keyStart, at);
      if (kinds.length === MAX_KEYS) throw invalidData(`FORMAT has over ${MAX_KEYS} keys`, keyStart);
      kinds.push(kindOf(entry, keyStart));
      // Readers would take the values of both for those of one key.
      if (entry !== undefined && indexes.includes(entry.index)) {
        throw invalidData(`FORMAT has the key ${JSON.stringify(entry.name)} twice`, keyStart);
      }
      indexes.push(entry?.index ?? 0);
    }
    return { indexes, kinds, types: kinds.map(() => INT8) };
  }

  /** Throws if the values of all samples are too large. */
  #checkSize(kinds: readonly Kind[], offset: number): void {
    let rowBytes = 0;
    for (const [key, kind] of kinds.entries()) rowBytes += this.#width(key) * (kind === 'text' ? 1 : 4);
    if (rowBytes * this.#sampleCount > MAX_ELEMENT_BYTES) throw tooManyValues(offset);
  }

  /** Returns the elements or bytes that the samples have of a key. */
  #width(key: number): number {
    const width = this.#values.widths[key] ?? 0;
    const kind = this.#plan.kinds[key];
    return width === 0 && (kind === 'integer' || kind === 'float') ? 1 : width;
  }
}

/** Returns whether the column FORMAT at `start` is that of `plan`. */
function isFormat({ format }: FormatPlan, bytes: Uint8Array, start: number, end: number): boolean {
  const formatEnd = start + format.length;
  if (format.length === 0 || formatEnd > end || (formatEnd < end && bytes[formatEnd] !== TAB)) return false;
  for (let i = 0; i < format.length; i++) if (format[i] !== bytes[start + i]) return false;
  return true;
}
