import { encodeText } from '@htskit/io';
import { ByteWriter } from '../../bytes/byte-writer.js';
import type { CramDecodeBudget } from '../container/block.js';
import { BAM_FIELD } from './bam-writer.js';

/** The records of a slice whose names were not stored. */
export interface NamelessRecords {
  /** The position of each record of the slice. */
  readonly positions: Uint32Array;
  /** The index of the mate of each record; −1 for none. */
  readonly next: Int32Array;
  /** The indexes of the records without a name, ascending. */
  readonly nameless: readonly number[];
  readonly prefix: string;
  /** Records in all earlier slices of the file. */
  readonly recordCounter: number;
  readonly budget: CramDecodeBudget;
  readonly offset: number;
}

/**
 * Returns a copy of BAM records in which those without a name have one: that of their mate, or else a generated one (CRAM 3.1
 * §8.4). As in htslib, it is the prefix and the number of the first of both records in the file.
 */
export function insertNames(records: Uint8Array, options: NamelessRecords): Uint8Array {
  const { positions, nameless, budget, offset } = options;
  const view = new DataView(records.buffer, records.byteOffset, records.length);
  const output = new ByteWriter();
  let copied = 0;
  for (const record of nameless) {
    const at = positions[record] ?? 0;
    const name = mateName(records, record, options) ?? encodeText(generatedName(record, options));
    budget.spendBytes(name.length, offset);
    output.copy(records, copied, at + BAM_FIELD.name);
    const start = output.length - BAM_FIELD.name;
    output.view.setUint32(start, view.getUint32(at, true) + name.length, true);
    output.view.setUint8(start + BAM_FIELD.nameLength, name.length + 1);
    output.copy(name, 0, name.length);
    copied = at + BAM_FIELD.name;
  }
  output.copy(records, copied, records.length);
  return output.memory.subarray(0, output.length);
}

/** Returns the stored name of the mate, if it has one. */
function mateName(records: Uint8Array, record: number, { positions, next }: NamelessRecords): Uint8Array | undefined {
  const mate = next[record] ?? -1;
  if (mate < 0) return undefined;
  const at = positions[mate] ?? 0;
  const length = (records[at + BAM_FIELD.nameLength] ?? 1) - 1;
  return length === 0 ? undefined : records.subarray(at + BAM_FIELD.name, at + BAM_FIELD.name + length);
}

function generatedName(record: number, { next, prefix, recordCounter }: NamelessRecords): string {
  const mate = next[record] ?? -1;
  return `${prefix}:${recordCounter + (mate >= 0 && mate < record ? mate : record) + 1}`;
}
