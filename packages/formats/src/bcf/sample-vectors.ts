import type { RecordCopy } from '../records/record-rewriter.js';
import type { AlleleCounts } from '../vcf/samples/allele-counts.js';
import { INT8, INT16, INT32, INT32_END, type TypedValueReader } from './typed-value.js';

/** The vector of a FORMAT key: where the values of its samples are, and how long each of them is. */
type SampleVector = Pick<TypedValueReader, 'type' | 'count' | 'elementBytes' | 'start' | 'at'>;

/** Reduces the values that `vector` was read from to those of some samples. */
export function keepSampleValues(
  bytes: Uint8Array,
  vector: SampleVector,
  samples: readonly number[],
  copy: RecordCopy,
): void {
  const { start, at: end } = vector;
  const valueBytes = vector.count * vector.elementBytes;
  let to = copy.replace(start, end, samples.length * valueBytes);
  const target = copy.bytes;
  for (const sample of samples) {
    const from = start + sample * valueBytes;
    for (let i = 0; i < valueBytes; i++) target[to++] = bytes[from + i] ?? 0;
  }
}

/** Returns the integer at `at`, with the reserved values of 32 bits. */
const READERS: Readonly<Record<number, (view: DataView, at: number) => number>> = {
  [INT8]: (view, at) => widen(view.getInt8(at), -(2 ** 7)),
  [INT16]: (view, at) => widen(view.getInt16(at, true), -(2 ** 15)),
  [INT32]: (view, at) => view.getInt32(at, true),
};

function widen(value: number, least: number): number {
  return value === least + 1 ? INT32_END : value;
}

/**
 * Counts the genotypes of some samples, which are integers (VCFv4.3 §6.3.3). Throws `FormatError` `INVALID_DATA` for an allele that
 * the record lacks.
 */
export function countGenotypeVectors(
  counts: AlleleCounts,
  view: DataView,
  vector: SampleVector,
  samples: readonly number[],
): void {
  const { type, count, elementBytes, start } = vector;
  const read = READERS[type];
  if (read === undefined) return;
  for (const sample of samples) {
    const called = counts.total;
    const from = start + sample * count * elementBytes;
    for (let at = from; at < from + count * elementBytes; at += elementBytes) {
      const value = read(view, at);
      if (value === INT32_END) break;
      // An allele is stored as twice its number plus 2, and 1 if it is phased.
      if (value >> 1 > 0) counts.add((value >> 1) - 1, at);
    }
    if (counts.total > called) counts.calledSamples++;
  }
}
