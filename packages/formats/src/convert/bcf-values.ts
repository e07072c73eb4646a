import {
  CHARACTER,
  FLOAT,
  FLOAT_END,
  FLOAT_MISSING,
  INT8,
  INT16,
  INT32,
  type TypedValueReader,
} from '../bcf/typed-value.js';
import { type FormatError, invalidData } from '../format-error.js';
import type { ByteWriter } from './byte-writer.js';
import { writeFloat } from './float-text.js';

const [COMMA, DOT, SLASH, PIPE] = [0x2c, 0x2e, 0x2f, 0x7c];
/** The byte of a missing character. */
const MISSING_CHARACTER = 0x07;
const NAN_SIGN = 0x8000_0000;

/** Reads an element of one of the integer types, with "missing" and "end of vector" like those of 8 bits in 32 bits. */
export function readElement(view: DataView, at: number, type: number): number {
  if (type === INT8) return view.getInt8(at);
  return type === INT16 ? view.getInt16(at, true) : view.getInt32(at, true);
}

/** The least value of each integer type, which is a missing value; the next one ends a vector. */
export const LEAST: readonly number[] = [0, -(2 ** 7), -(2 ** 15), -(2 ** 31)];

/** The type, number and offset of the elements of a value. */
interface Elements {
  readonly type: number;
  readonly count: number;
  readonly start: number;
}

/** Writes a vector as in VCF: `.` without elements and for a missing one. Throws `FormatError` `INVALID_DATA` for other types. */
export function writeVector(writer: ByteWriter, view: DataView, elements: Elements): void {
  if (elements.count === 0) writer.uint8(DOT);
  else if (elements.type === CHARACTER) writeText(writer, view, elements);
  else if (elements.type === FLOAT) writeFloats(writer, view, elements);
  else writeIntegerElements(writer, view, elements);
}

function writeText(writer: ByteWriter, view: DataView, { start, count }: Elements): void {
  const at = writer.reserve(count);
  const { memory } = writer;
  for (let i = 0; i < count; i++) {
    const byte = view.getUint8(start + i);
    if (byte === 0) {
      writer.shrinkTo(at + i);
      return;
    }
    memory[at + i] = byte === MISSING_CHARACTER ? DOT : byte;
  }
}

function writeIntegerElements(writer: ByteWriter, view: DataView, { type, start, count }: Elements): void {
  if (type !== INT8 && type !== INT16 && type !== INT32) throw invalidType(start);
  const elementBytes = 2 ** (type - 1);
  const missing = LEAST[type] ?? 0;
  for (let i = 0; i < count; i++) {
    const value = readElement(view, start + i * elementBytes, type);
    if (value === missing + 1) return;
    if (i > 0) writer.uint8(COMMA);
    if (value === missing) writer.uint8(DOT);
    else writer.decimal(value);
  }
}

function writeFloats(writer: ByteWriter, view: DataView, { start, count }: Elements): void {
  for (let i = 0, at = start; i < count; i++, at += 4) {
    const bits = view.getUint32(at, true);
    if (bits === FLOAT_END) return;
    if (i > 0) writer.uint8(COMMA);
    writeFloatBits(writer, view, at);
  }
}

/** Writes the float at `at`. */
export function writeFloatBits(writer: ByteWriter, view: DataView, at: number): void {
  const bits = view.getUint32(at, true);
  const value = view.getFloat32(at, true);
  if (bits === FLOAT_MISSING) writer.uint8(DOT);
  // C writes the sign of NaN.
  else if (Number.isNaN(value) && bits >= NAN_SIGN) writer.text('-nan');
  else writeFloat(writer, value);
}

/** Writes the single value of an INFO key. A value of one element never is the end of a vector. */
export function writeSingle(writer: ByteWriter, view: DataView, { type, start }: TypedValueReader): void {
  if (type === FLOAT) writeFloatBits(writer, view, start);
  else if (type === CHARACTER) writer.uint8(view.getUint8(start));
  else if (type === INT8 || type === INT16 || type === INT32) {
    const value = readElement(view, start, type);
    if (value === LEAST[type]) writer.uint8(DOT);
    else writer.decimal(value);
  } else throw invalidType(start);
}

/**
 * Writes a genotype: `.` without alleles. If `hasFirstPhase` is true (VCF 4.4), the first allele gets a separator if its phase
 * is not the one that follows from the others.
 */
export function writeGenotype(writer: ByteWriter, view: DataView, elements: Elements, hasFirstPhase: boolean): void {
  const { type, start, count } = elements;
  if (count === 0) {
    writer.uint8(DOT);
    return;
  }
  if (type !== INT8 && type !== INT16 && type !== INT32) throw invalidType(start);
  const elementBytes = 2 ** (type - 1);
  const end = (LEAST[type] ?? 0) + 1;
  let ploidy = 0;
  let isPhased = true;
  for (; ploidy < count; ploidy++) {
    const value = readElement(view, start + ploidy * elementBytes, type);
    if (value === end) break;
    if (ploidy > 0 && (value & 1) === 0) isPhased = false;
  }
  const first = readElement(view, start, type);
  if (hasFirstPhase && ploidy > 0) writeFirstPhase(writer, { first, ploidy, isPhased });
  for (let i = 0; i < ploidy; i++) {
    const value = readElement(view, start + i * elementBytes, type);
    if (i > 0) writer.uint8((value & 1) === 1 ? PIPE : SLASH);
    if (value >> 1 === 0) writer.uint8(DOT);
    else writer.decimal((value >> 1) - 1);
  }
  if (ploidy === 0) writer.uint8(DOT);
}

function writeFirstPhase(
  writer: ByteWriter,
  { first, ploidy, isPhased }: { readonly first: number; readonly ploidy: number; readonly isPhased: boolean },
): void {
  const isFirstPhased = (first & 1) === 1;
  const isImplied = ploidy > 1 ? isPhased : first > 1;
  if (isFirstPhased !== isImplied) writer.uint8(isFirstPhased ? PIPE : SLASH);
}

function invalidType(at: number): FormatError {
  return invalidData('value has an unexpected type', at);
}
