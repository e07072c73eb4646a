import { findByte } from '#find-byte';
import type { ByteWriter } from '../../bytes/byte-writer.js';
import { NumberReader } from '../../bytes/number-reader.js';
import { invalidData } from '../../format-error.js';

const [TAB, COLON, COMMA, SPACE] = [0x09, 0x3a, 0x2c, 0x20];
/** Bytes of "XX:T:". */
const PREFIX_BYTES = 5;
const [TYPE_A, TYPE_B, TYPE_D, TYPE_F, TYPE_H, TYPE_Z] = [0x41, 0x42, 0x64, 0x66, 0x48, 0x5a];
const [LOWER_A, LOWER_C, UPPER_C, LOWER_I, UPPER_I, LOWER_S, UPPER_S] = [0x61, 0x63, 0x43, 0x69, 0x49, 0x73, 0x53];

/** The range of each integer type. */
const RANGES: Readonly<Record<number, readonly [min: number, max: number]>> = {
  [LOWER_C]: [-128, 127],
  [UPPER_C]: [0, 255],
  [LOWER_S]: [-32_768, 32_767],
  [UPPER_S]: [0, 65_535],
  [LOWER_I]: [-(2 ** 31), 2 ** 31 - 1],
  [UPPER_I]: [0, 2 ** 32 - 1],
};

const numbers = new NumberReader();

/**
 * Writes the tags of a SAM line that start at `start` (SAMv1 §1.5) as BAM tags. An integer gets the smallest type, unsigned if it
 * is not negative, as in htslib. Throws `FormatError` `INVALID_DATA` for malformed tags.
 */
export function writeSamTags(writer: ByteWriter, bytes: Uint8Array, start: number, end: number): void {
  for (let at = start; at < end; ) {
    const tab = findByte(bytes, TAB, at);
    const tagEnd = tab === -1 || tab > end ? end : tab;
    if (tagEnd - at < PREFIX_BYTES || bytes[at + 2] !== COLON || bytes[at + 4] !== COLON) {
      throw invalidData('tag is not of the form "XX:T:value"', at);
    }
    if ((bytes[at] ?? 0) <= SPACE || (bytes[at + 1] ?? 0) <= SPACE) throw invalidData('tag has an invalid name', at);
    writer.copy(bytes, at, at + 2);
    writeValue(writer, bytes, at + PREFIX_BYTES, tagEnd);
    at = tagEnd + 1;
  }
}

function writeValue(writer: ByteWriter, bytes: Uint8Array, start: number, end: number): void {
  const type = bytes[start - 2] ?? 0;
  switch (type) {
    case TYPE_Z:
    case TYPE_H:
      if (type === TYPE_H && (end - start) % 2 !== 0)
        throw invalidData('tag of the type H has an odd number of digits', start);
      writer.uint8(type);
      writer.copy(bytes, start, end);
      writer.uint8(0);
      return;
    case TYPE_A:
    case LOWER_A:
    case LOWER_C:
    case UPPER_C:
      if (end - start !== 1) throw invalidData('tag of the type A is not one character', start);
      writer.uint8(TYPE_A);
      writer.uint8(bytes[start] ?? 0);
      return;
    case LOWER_I:
    case UPPER_I:
      writeInteger(writer, readInteger(bytes, start, end));
      return;
    case TYPE_F:
      writer.uint8(TYPE_F);
      writer.float32(readFloat(bytes, start, end));
      return;
    case TYPE_D:
      writer.uint8(TYPE_D);
      writer.float64(readFloat(bytes, start, end));
      return;
    case TYPE_B:
      writeArray(writer, bytes, start, end);
      return;
    default:
      throw invalidData('tag has an unknown type', start - 2);
  }
}

function writeInteger(writer: ByteWriter, value: number): void {
  const types = value < 0 ? [LOWER_C, LOWER_S, LOWER_I] : [UPPER_C, UPPER_S, UPPER_I];
  const type = types.find((candidate) => isInRange(value, candidate)) ?? UPPER_I;
  writer.uint8(type);
  writeNumber(writer, type, value);
}

function isInRange(value: number, type: number): boolean {
  const [min, max] = RANGES[type] ?? [0, 0];
  return value >= min && value <= max;
}

function writeNumber(writer: ByteWriter, type: number, value: number): void {
  if (type === TYPE_F) writer.float32(value);
  else if (type === LOWER_C || type === UPPER_C) writer.uint8(value);
  else if (type === LOWER_S || type === UPPER_S) writer.int16(value);
  else writer.int32(value);
}

/** Writes an array, whose element type is at `start`. */
function writeArray(writer: ByteWriter, bytes: Uint8Array, start: number, end: number): void {
  const type = bytes[start] ?? 0;
  if (start >= end || (type !== TYPE_F && RANGES[type] === undefined)) {
    throw invalidData('array tag has an unknown type of elements', start);
  }
  writer.uint8(TYPE_B);
  writer.uint8(type);
  const countAt = writer.reserve(4);
  let count = 0;
  for (let at = start + 1; at < end; count++) {
    if (bytes[at] !== COMMA) throw invalidData('elements of an array tag are not separated by commas', at);
    let elementEnd = at + 1;
    while (elementEnd < end && bytes[elementEnd] !== COMMA) elementEnd++;
    const value = type === TYPE_F ? readFloat(bytes, at + 1, elementEnd) : readInteger(bytes, at + 1, elementEnd);
    if (type !== TYPE_F && !isInRange(value, type))
      throw invalidData(`${value} does not fit the type of its array tag`, at + 1);
    writeNumber(writer, type, value);
    at = elementEnd;
  }
  writer.view.setUint32(countAt, count, true);
}

function readInteger(bytes: Uint8Array, start: number, end: number): number {
  const value = numbers.integer(bytes, start);
  const isNumber = numbers.end === end && end > start && (bytes[end - 1] ?? 0) >= 0x30;
  if (isNumber && value >= -(2 ** 31) && value < 2 ** 32) return value;
  throw invalidData('tag is not an integer from -2^31 to 2^32 - 1', start);
}

function readFloat(bytes: Uint8Array, start: number, end: number): number {
  const value = numbers.float(bytes, start, end);
  if (numbers.end !== end || end === start) throw invalidData('tag is not a number', start);
  return value;
}
