import { CHARACTER, FLOAT, FLOAT_END, FLOAT_MISSING, INT8, INT16, INT32 } from '../../bcf/typed-value.js';
import { type ByteWriter, writeDecimalAt } from '../../bytes/byte-writer.js';
import { MAX_FLOAT_LENGTH, writeFloatAt } from '../../bytes/float-text.js';
import { type FormatError, invalidData } from '../../format-error.js';

const [COMMA, DOT, SLASH, PIPE, ZERO] = [0x2c, 0x2e, 0x2f, 0x7c, 0x30];
/** The byte of a missing character. */
const MISSING_CHARACTER = 0x07;
const NAN_SIGN = 0x8000_0000;
const NAN_TEXT = new TextEncoder().encode('-nan');
/** The maximum number of characters of an element with its separator, by type: missing, int8, int16, int32, float, character. */
const ELEMENT_LENGTHS = [0, 5, 7, 12, 0, 1 + MAX_FLOAT_LENGTH, 0, 1];
/** A stored allele of a single digit is below this: twice the number of the allele plus one, and its phase. */
const SINGLE_DIGIT_LIMIT = 22;

/**
 * The imported constants of hot loops. A local constant is compiled into the code, while an imported one is loaded and checked
 * at each use.
 */
const [BYTE, SHORT, INT, REAL, TEXT, REAL_END, REAL_MISSING] = [
  INT8,
  INT16,
  INT32,
  FLOAT,
  CHARACTER,
  FLOAT_END,
  FLOAT_MISSING,
];

/** Reads an element of one of the integer types, with "missing" and "end of vector" like those of 8 bits in 32 bits. */
export function readElement(view: DataView, at: number, type: number): number {
  if (type === BYTE) return view.getInt8(at);
  return type === SHORT ? view.getInt16(at, true) : view.getInt32(at, true);
}

/** The least value of each integer type, which is a missing value; the next one ends a vector. */
export const LEAST: readonly number[] = [0, -(2 ** 7), -(2 ** 15), -(2 ** 31)];

/** The type, number and offset of the elements of a value. */
interface Elements {
  readonly type: number;
  readonly count: number;
  readonly elementBytes: number;
  readonly start: number;
}

/** Returns the maximum number of bytes of a value as text, with a separator: what must be free where it is written. */
export function maxTextLength({ type, count }: Pick<Elements, 'type' | 'count'>): number {
  return 2 + count * (ELEMENT_LENGTHS[type] ?? 0);
}

/** Writes a vector as `writeVectorAt` does. */
export function writeVector(writer: ByteWriter, view: DataView, elements: Elements): void {
  const at = writer.reserve(maxTextLength(elements));
  writer.shrinkTo(writeVectorAt(writer.memory, at, view, elements));
}

/**
 * Writes a vector as in VCF at `at`: `.` without elements, also if it ends before the first one, and for a missing one. Readers
 * would take an empty value for 0. Returns the offset just after it. Throws
 * `FormatError` `INVALID_DATA` for other types. `target` must have room for `maxTextLength` bytes.
 */
export function writeVectorAt(target: Uint8Array, at: number, view: DataView, elements: Elements): number {
  const { type, count, start } = elements;
  if (count === 0) return writeDot(target, at);
  if (type === BYTE || type === SHORT || type === INT) return writeIntegersAt(target, at, view, elements);
  if (type === REAL) return writeFloatsAt(target, at, view, elements);
  if (type === TEXT) return writeTextAt(target, at, view, elements);
  throw invalidType(start);
}

function writeTextAt(target: Uint8Array, at: number, view: DataView, { start, count }: Elements): number {
  let to = at;
  for (let from = start; from < start + count; from++) {
    const byte = view.getUint8(from);
    if (byte === 0) break;
    target[to++] = byte === MISSING_CHARACTER ? DOT : byte;
  }
  return to > at ? to : writeDot(target, at);
}

function writeIntegersAt(target: Uint8Array, at: number, view: DataView, elements: Elements): number {
  const { type, count, start, elementBytes } = elements;
  const missing = LEAST[type] ?? 0;
  const end = start + count * elementBytes;
  let to = at;
  for (let from = start; from < end; from += elementBytes) {
    const value = readElement(view, from, type);
    if (value > missing + 1) to = writeDecimalAt(target, to, value);
    else if (value === missing) target[to++] = DOT;
    else break;
    target[to++] = COMMA;
  }
  // The last comma is written over.
  return to > at ? to - 1 : writeDot(target, at);
}

function writeFloatsAt(target: Uint8Array, at: number, view: DataView, { start, count }: Elements): number {
  let to = at;
  for (let i = 0, from = start; i < count; i++, from += 4) {
    if (view.getUint32(from, true) === REAL_END) break;
    if (i > 0) target[to++] = COMMA;
    to = writeFloatBitsAt(target, to, view, from);
  }
  return to > at ? to : writeDot(target, at);
}

function writeDot(target: Uint8Array, at: number): number {
  target[at] = DOT;
  return at + 1;
}

/** Writes the float at `from`, and returns the offset just after it. */
function writeFloatBitsAt(target: Uint8Array, at: number, view: DataView, from: number): number {
  const bits = view.getUint32(from, true);
  if (bits === REAL_MISSING) {
    target[at] = DOT;
    return at + 1;
  }
  const value = view.getFloat32(from, true);
  if (!Number.isNaN(value) || bits < NAN_SIGN) return writeFloatAt(target, at, value);
  // C writes the sign of NaN.
  target.set(NAN_TEXT, at);
  return at + NAN_TEXT.length;
}

/** Writes the float at `from`. */
export function writeFloatBits(writer: ByteWriter, view: DataView, from: number): void {
  const at = writer.reserve(MAX_FLOAT_LENGTH);
  writer.shrinkTo(writeFloatBitsAt(writer.memory, at, view, from));
}

/** Writes a genotype as `writeGenotypeAt` does. */
export function writeGenotype(writer: ByteWriter, view: DataView, elements: Elements, hasFirstPhase: boolean): void {
  const at = writer.reserve(maxTextLength(elements));
  writer.shrinkTo(writeGenotypeAt(writer.memory, at, view, { ...elements, hasFirstPhase }));
}

/** The elements of a genotype. */
interface StoredGenotype extends Elements {
  /** Whether the first allele gets a separator if its phase is not the one that follows from the others (VCF 4.4). */
  readonly hasFirstPhase: boolean;
}

/**
 * Writes a genotype at `at`: `.` without alleles. Returns the offset just after it. `target` must have room for `maxTextLength`
 * bytes.
 */
export function writeGenotypeAt(target: Uint8Array, at: number, view: DataView, genotype: StoredGenotype): number {
  const { type, start, count, hasFirstPhase } = genotype;
  if (type === BYTE && count === 2 && !hasFirstPhase) {
    const first = view.getInt8(start);
    const second = view.getInt8(start + 1);
    if (first > 1 && second > 1 && first < SINGLE_DIGIT_LIMIT && second < SINGLE_DIGIT_LIMIT) {
      target[at] = ZERO - 1 + (first >> 1);
      target[at + 1] = (second & 1) === 1 ? PIPE : SLASH;
      target[at + 2] = ZERO - 1 + (second >> 1);
      return at + 3;
    }
  }
  if (count > 0 && type !== BYTE && type !== SHORT && type !== INT) throw invalidType(start);
  return writeAllelesAt(target, at, view, genotype);
}

function writeAllelesAt(target: Uint8Array, at: number, view: DataView, genotype: StoredGenotype): number {
  const { type, start, count, elementBytes, hasFirstPhase } = genotype;
  const end = (LEAST[type] ?? 0) + 1;
  let ploidy = 0;
  let isPhased = true;
  for (; ploidy < count; ploidy++) {
    const value = readElement(view, start + ploidy * elementBytes, type);
    if (value === end) break;
    if (ploidy > 0 && (value & 1) === 0) isPhased = false;
  }
  let to = at;
  if (hasFirstPhase && ploidy > 0) {
    const first = readElement(view, start, type);
    const isFirstPhased = (first & 1) === 1;
    const isImplied = ploidy > 1 ? isPhased : first > 1;
    if (isFirstPhased !== isImplied) target[to++] = isFirstPhased ? PIPE : SLASH;
  }
  for (let i = 0; i < ploidy; i++) {
    const value = readElement(view, start + i * elementBytes, type);
    checkAllele(value, type, start);
    if (i > 0) target[to++] = (value & 1) === 1 ? PIPE : SLASH;
    // The missing value of the type is an unknown allele, too.
    if (value <= 1) target[to++] = DOT;
    else to = writeDecimalAt(target, to, (value >> 1) - 1);
  }
  if (ploidy === 0) target[to++] = DOT;
  return to;
}

/** Throws `FormatError` `INVALID_DATA` for a number that is not an allele: a negative one, except for the missing value. */
export function checkAllele(value: number, type: number, at: number): void {
  if (value < 0 && value !== LEAST[type]) throw invalidData(`GT has the negative number ${value}`, at);
}

function invalidType(at: number): FormatError {
  return invalidData('value has an unexpected type', at);
}
