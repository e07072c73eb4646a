import {
  CHARACTER,
  FLOAT,
  FLOAT_END,
  FLOAT_MISSING,
  INT32_END,
  INT32_MISSING,
  MAX_INT32,
  MIN_INT32,
  MISSING,
} from '../../bcf/typed-value.js';
import { integerBytes, integerType, writeDescriptor, writeIntegerAt } from '../../bcf/typed-value-writer.js';
import type { ByteWriter } from '../../bytes/byte-writer.js';

const DOT = 0x2e;

/** The values of a key of FORMAT, which are every `step`-th of those of a record from the `first` one on. */
export interface SampleColumn {
  readonly elements: Int32Array;
  /** The index of the first element of each value, and that after the last one. A value that a sample lacks has no elements. */
  readonly starts: Int32Array;
  readonly first: number;
  readonly step: number;
  readonly sampleCount: number;
  /** The maximum number of elements, or bytes of a text, that a sample has. */
  readonly width: number;
}

/**
 * Writes integers in the smallest type that holds all, and returns it. They are written as `expectedType` first: that of the
 * record before is mostly the right one, and finding it takes as long as writing.
 */
export function writeIntegerColumn(writer: ByteWriter, column: SampleColumn, expectedType: number): number {
  if (column.width === 0) {
    writer.uint8(MISSING);
    return expectedType;
  }
  const start = writer.length;
  let type = expectedType;
  for (;;) {
    writer.shrinkTo(start);
    writeDescriptor(writer, column.width, type);
    const smallest = writeIntegersAs(writer, column, type);
    if (smallest === type) return type;
    type = smallest;
  }
}

/** Writes integers in a type, which may be too small, and returns the smallest one that holds all. */
function writeIntegersAs(writer: ByteWriter, column: SampleColumn, type: number): number {
  const { elements, starts, step, sampleCount, width } = column;
  // An imported constant would be loaded and checked at each use.
  const [missing, padding] = [INT32_MISSING, INT32_END];
  const elementBytes = integerBytes(type);
  let to = writer.reserve(width * elementBytes * sampleCount);
  const { memory } = writer;
  let min = MAX_INT32;
  let max = MIN_INT32;
  for (let index = column.first, sample = 0; sample < sampleCount; sample++, index += step) {
    const start = starts[index] ?? 0;
    const end = starts[index + 1] ?? 0;
    for (let i = start; i < end; i++) {
      const value = elements[i] ?? 0;
      if (value > max) max = value;
      if (value < min && value > padding) min = value;
      to = writeIntegerAt(memory, to, value, type);
    }
    if (end - start === width) continue;
    const rowEnd = to + (width - (end - start)) * elementBytes;
    if (start === end) to = writeIntegerAt(memory, to, missing, type);
    while (to < rowEnd) to = writeIntegerAt(memory, to, padding, type);
  }
  return integerType(min, max);
}

/** Writes floats, whose bits are the elements. */
export function writeFloatColumn(writer: ByteWriter, column: SampleColumn): void {
  const { elements, starts, step, sampleCount, width } = column;
  writeDescriptor(writer, width, FLOAT);
  let to = writer.reserve(4 * width * sampleCount);
  const { view } = writer;
  for (let index = column.first, sample = 0; sample < sampleCount; sample++, index += step) {
    const start = starts[index] ?? 0;
    const end = starts[index + 1] ?? 0;
    for (let i = 0; i < width; i++, to += 4) {
      const padding = i === 0 ? FLOAT_MISSING : FLOAT_END;
      view.setInt32(to, start + i < end ? (elements[start + i] ?? 0) : padding, true);
    }
  }
}

/** Writes texts. The elements of each are its start and its end in `bytes`. */
export function writeTextColumn(writer: ByteWriter, bytes: Uint8Array, column: SampleColumn): void {
  const { elements, starts, step, sampleCount, width } = column;
  writeDescriptor(writer, width, CHARACTER);
  let to = writer.reserve(width * sampleCount);
  const { memory } = writer;
  for (let index = column.first, sample = 0; sample < sampleCount; sample++, index += step) {
    const start = starts[index] ?? 0;
    const end = starts[index + 1] ?? 0;
    const rowEnd = to + width;
    if (start < end) {
      const textEnd = elements[start + 1] ?? 0;
      for (let at = elements[start] ?? 0; at < textEnd; at++) memory[to++] = bytes[at] ?? 0;
    } else if (width > 0) memory[to++] = DOT;
    while (to < rowEnd) memory[to++] = 0;
  }
}
