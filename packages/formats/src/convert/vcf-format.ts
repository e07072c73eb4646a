import {
  CHARACTER,
  FLOAT,
  FLOAT_END,
  FLOAT_MISSING,
  INT32_END,
  INT32_MISSING,
  MAX_INT32,
  MIN_INT32,
} from '../bcf/typed-value.js';
import { FormatError, invalidData } from '../format-error.js';
import type { VariantHeader } from '../vcf/variant-header.js';
import type { ByteWriter } from './byte-writer.js';
import { type FormatField, kindOf, measureFields } from './format-fields.js';
import { NameLookup } from './name-lookup.js';
import { NumberReader } from './number-reader.js';
import { writeDescriptor, writeInteger, writeIntegers } from './typed-value-writer.js';

const [TAB, COLON, COMMA, DOT, SLASH, PIPE] = [0x09, 0x3a, 0x2c, 0x2e, 0x2f, 0x7c];
const [ZERO, NINE] = [0x30, 0x39];
const MAX_KEYS = 255;
/** The most bytes that the values of one record may take. */
const MAX_VALUE_BYTES = 2 ** 28;
/** The largest index of an allele that fits into a genotype. */
const MAX_ALLELE = 2 ** 30 - 2;
/** The version from which on the phase of the first allele is stored (VCFv4.4 §6.3.3). */
const FIRST_PHASE_VERSION = 404;

/**
 * Encodes the columns FORMAT and those of the samples (VCFv4.3 §6.3.3). The lines have the values of a sample together, the
 * records those of a key. A first pass finds the widths of the vectors, a second one fills them.
 */
export class FormatEncoder {
  readonly #names: NameLookup;
  readonly #sampleCount: number;
  readonly #hasFirstPhase: boolean;
  readonly #numbers = new NumberReader();
  #fields: FormatField[] = [];
  /** The column FORMAT whose keys the fields are. */
  #format: Uint8Array | undefined;
  #integers = new Int32Array(0);
  #bytes = new Uint8Array(0);
  #floats = new Float32Array(0);

  constructor({ strings, samples, version }: VariantHeader) {
    this.#names = new NameLookup(strings);
    this.#sampleCount = samples.length;
    this.#hasFirstPhase = version >= FIRST_PHASE_VERSION;
  }

  /** The number of keys that were encoded last. */
  get count(): number {
    return this.#fields.length;
  }

  /** Writes the columns [start, end), the first of which is FORMAT. Columns that follow those of the samples are ignored. */
  encode(writer: ByteWriter, bytes: Uint8Array, start: number, end: number): void {
    const formatEnd = indexOrEnd(bytes, TAB, start, end);
    if (!this.#isLastFormat(bytes, start, formatEnd)) this.#readKeys(bytes, start, formatEnd);
    if (this.#fields.length === 0) return;
    if (formatEnd === end) throw invalidData('record has a column FORMAT, but no samples', start);
    measureFields(this.#fields, this.#sampleCount, { bytes, start: formatEnd + 1, end });
    this.#allocate(start);
    for (let sample = 0, at = formatEnd + 1; sample < this.#sampleCount; sample++) {
      at = this.#readSample(bytes, { at, end }, sample) + 1;
    }
    for (const field of this.#fields) this.#write(writer, field);
  }

  /** Returns whether FORMAT is that of the line before, as it mostly is. */
  #isLastFormat(bytes: Uint8Array, start: number, end: number): boolean {
    const format = this.#format;
    if (format?.length !== end - start) return false;
    for (let i = 0; i < format.length; i++) if (format[i] !== bytes[start + i]) return false;
    return true;
  }

  #readKeys(bytes: Uint8Array, start: number, end: number): void {
    this.#format = undefined;
    this.#fields = [];
    if (end !== start + 1 || bytes[start] !== DOT) {
      for (let at = start; at <= end; at++) {
        const keyEnd = indexOrEnd(bytes, COLON, at, end);
        const entry = this.#names.find(bytes, at, keyEnd);
        if (this.#fields.length === MAX_KEYS) throw invalidData(`FORMAT has over ${MAX_KEYS} keys`, at);
        this.#fields.push({ index: entry?.index ?? 0, kind: kindOf(entry, at), width: 0, start: 0 });
        at = keyEnd;
      }
    }
    this.#format = bytes.slice(start, end);
  }

  /** Sets the place of each field in the memory. */
  #allocate(offset: number): void {
    let elements = 0;
    for (const field of this.#fields) {
      if (field.width === 0 && (field.kind === 'integer' || field.kind === 'float')) field.width = 1;
      field.start = elements;
      const values = field.width * this.#sampleCount;
      elements += field.kind === 'text' ? Math.ceil(values / 4) : values;
      if (4 * elements > MAX_VALUE_BYTES) {
        const message = `values of the samples take over ${MAX_VALUE_BYTES} bytes`;
        throw new FormatError('LIMIT_EXCEEDED', message, { offset });
      }
    }
    if (elements <= this.#integers.length) return;
    this.#integers = new Int32Array(2 * elements);
    this.#bytes = new Uint8Array(this.#integers.buffer);
    this.#floats = new Float32Array(this.#integers.buffer);
  }

  /** Reads the sample at `at`, and returns where it ends. */
  #readSample(
    bytes: Uint8Array,
    { at: sampleStart, end }: { readonly at: number; readonly end: number },
    sample: number,
  ): number {
    let at = sampleStart;
    let index = 0;
    for (; index < this.#fields.length; index++) {
      const field = this.#fields[index];
      if (field === undefined) break;
      const valueEnd = this.#readValue(bytes, { at, end, field, sample });
      const byte = valueEnd < end ? bytes[valueEnd] : TAB;
      at = valueEnd;
      if (byte === TAB) break;
      if (byte !== COLON) throw invalidData('sample has an invalid value', valueEnd);
      at++;
    }
    for (index++; index < this.#fields.length; index++) this.#fillMissing(this.#fields[index], sample);
    return at;
  }

  #readValue(bytes: Uint8Array, value: ValuePlace): number {
    const { kind } = value.field;
    if (kind === 'genotype') return this.#readGenotype(bytes, value);
    if (kind === 'integer') return this.#readIntegers(bytes, value);
    return kind === 'float' ? this.#readFloats(bytes, value) : this.#readText(bytes, value);
  }

  #readText(bytes: Uint8Array, { at, end, field, sample }: ValuePlace): number {
    const start = 4 * field.start + field.width * sample;
    let from = at;
    let to = start;
    for (let byte = bytes[from]; from < end && byte !== COLON && byte !== TAB; byte = bytes[++from]) {
      this.#bytes[to++] = byte ?? 0;
    }
    this.#bytes.fill(0, to, start + field.width);
    return from;
  }

  #readIntegers(bytes: Uint8Array, { at, end, field, sample }: ValuePlace): number {
    const start = field.start + field.width * sample;
    let to = start;
    let from = at;
    for (;;) {
      if (bytes[from] === DOT) {
        this.#integers[to++] = INT32_MISSING;
        from++;
      } else {
        const value = this.#numbers.integer(bytes, from);
        const isNumber = this.#numbers.end > from && value >= MIN_INT32 && value <= MAX_INT32;
        this.#integers[to++] = isNumber ? value : INT32_MISSING;
        from = this.#numbers.end;
      }
      if (from >= end || bytes[from] !== COMMA) break;
      from++;
    }
    this.#integers.fill(INT32_END, to, start + field.width);
    return from;
  }

  #readFloats(bytes: Uint8Array, { at, end, field, sample }: ValuePlace): number {
    const start = field.start + field.width * sample;
    let to = start;
    let from = at;
    for (;;) {
      const next = bytes[from + 1] ?? 0;
      if (bytes[from] === DOT && !(next >= ZERO && next <= NINE)) {
        this.#integers[to++] = FLOAT_MISSING;
        from++;
      } else {
        // An empty value is 0, as in htslib.
        this.#floats[to++] = this.#numbers.float(bytes, from, end);
        from = this.#numbers.end;
      }
      if (from >= end || bytes[from] !== COMMA) break;
      from++;
    }
    this.#integers.fill(FLOAT_END, to, start + field.width);
    return from;
  }

  /** Reads alleles as (index + 1) << 1 | phase, where the phase is that of the separator before the allele. */
  #readGenotype(bytes: Uint8Array, { at, end, field, sample }: ValuePlace): number {
    const start = field.start + field.width * sample;
    let from = at;
    const hasPrefix = this.#hasFirstPhase && from < end && (bytes[from] === PIPE || bytes[from] === SLASH);
    let phase = hasPrefix && bytes[from] === PIPE ? 1 : 0;
    if (hasPrefix) from++;
    let to = start;
    let isPhased = true;
    for (;;) {
      let allele = 0;
      if (bytes[from] === DOT) from++;
      else {
        allele = this.#numbers.integer(bytes, from) + 1;
        if (this.#numbers.end === from || !(allele > 0) || allele > MAX_ALLELE + 1) {
          throw invalidData('GT has an allele that is not "." or an index', from);
        }
        from = this.#numbers.end;
      }
      this.#integers[to] = 2 * allele + phase;
      if (to++ > start && phase === 0) isPhased = false;
      const separator = from < end ? bytes[from] : TAB;
      if (separator !== PIPE && separator !== SLASH) break;
      phase = separator === PIPE ? 1 : 0;
      from++;
    }
    const first = this.#integers[start] ?? 0;
    // Without a prefix, the first allele is phased if all others are; a single allele, if it is known.
    if (this.#hasFirstPhase && !hasPrefix && isPhased && (to > start + 1 || first > 0))
      this.#integers[start] = first + 1;
    this.#integers.fill(INT32_END, to, start + field.width);
    return from;
  }

  /** Fills in a value that the sample lacks at its end. */
  #fillMissing(field: FormatField | undefined, sample: number): void {
    if (field === undefined || field.width === 0) return;
    const { kind, width } = field;
    if (kind === 'text') {
      const start = 4 * field.start + width * sample;
      this.#bytes.fill(0, start, start + width);
      this.#bytes[start] = DOT;
      return;
    }
    const start = field.start + width * sample;
    const [missing, end] = kind === 'float' ? [FLOAT_MISSING, FLOAT_END] : [INT32_MISSING, INT32_END];
    this.#integers.fill(end, start, start + width);
    this.#integers[start] = missing;
  }

  #write(writer: ByteWriter, { index, kind, width, start }: FormatField): void {
    const length = width * this.#sampleCount;
    writeInteger(writer, index);
    if (kind === 'text') {
      writeDescriptor(writer, width, CHARACTER);
      writer.copy(this.#bytes, 4 * start, 4 * start + length);
    } else if (kind === 'float') {
      writeDescriptor(writer, width, FLOAT);
      const at = writer.reserve(4 * length);
      const { view } = writer;
      for (let i = 0; i < length; i++) view.setInt32(at + 4 * i, this.#integers[start + i] ?? 0, true);
    } else {
      writeIntegers(writer, this.#integers.subarray(start, start + length), length, width);
    }
  }
}

/** A value of a sample that starts at `at`. */
interface ValuePlace {
  readonly at: number;
  readonly end: number;
  readonly field: FormatField;
  readonly sample: number;
}

function indexOrEnd(bytes: Uint8Array, byte: number, start: number, end: number): number {
  for (let at = start; at < end; at++) if (bytes[at] === byte) return at;
  return end;
}
