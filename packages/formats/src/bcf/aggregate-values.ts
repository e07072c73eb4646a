import { ByteWriter } from '../bytes/byte-writer.js';
import type { RecordCopy } from '../records/record-rewriter.js';
import type { AggregateKey, AlleleCounts } from '../vcf/samples/allele-counts.js';
import { FLOAT, FLOAT_MISSING } from './typed-value.js';
import { writeDescriptor, writeInteger, writeIntegers } from './typed-value-writer.js';

/** Writes INFO keys that were counted, each with its number in the dictionary. */
export class AggregateValues {
  readonly #writer = new ByteWriter();

  /**
   * Replaces the bytes [start, end) of the record with a key and its values. Returns false, and cuts them, if the key has a value for
   * each ALT and the record has none.
   */
  replace(range: { readonly start: number; readonly end: number }, entry: CountedEntry, copy: RecordCopy): boolean {
    const { number, key, counts } = entry;
    const { start, end } = range;
    const writer = this.#writer;
    writer.shrinkTo(0);
    const valueCount = counts.valueCount(key);
    if (valueCount > 0) {
      writeInteger(writer, number);
      if (key === 'AF') writeFrequencies(writer, counts);
      else if (key === 'AC') writeIntegers(writer, alternateCounts(counts), valueCount);
      else writeInteger(writer, key === 'AN' ? counts.total : counts.calledSamples);
    }
    const position = copy.replace(start, end, writer.length);
    copy.bytes.set(writer.memory.subarray(0, writer.length), position);
    return valueCount > 0;
  }
}

/** A counted key, and its number in the dictionary of the header. */
interface CountedEntry {
  readonly key: AggregateKey;
  readonly number: number;
  readonly counts: AlleleCounts;
}

function alternateCounts(counts: AlleleCounts): Int32Array {
  return Int32Array.from({ length: counts.alleleCount - 1 }, (_, index) => counts.count(index + 1));
}

function writeFrequencies(writer: ByteWriter, counts: AlleleCounts): void {
  writeDescriptor(writer, counts.alleleCount - 1, FLOAT);
  for (let allele = 1; allele < counts.alleleCount; allele++) {
    const frequency = counts.frequency(allele);
    if (frequency === undefined) writer.int32(FLOAT_MISSING);
    else writer.float32(frequency);
  }
}
