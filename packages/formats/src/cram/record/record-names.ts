import { encodeText } from '@htskit/io';
import { ByteWriter } from '../../bytes/byte-writer.js';
import { hasZero, viewOf } from '../../bytes/copy-bytes.js';
import { invalidData } from '../../format-error.js';
import type { RecordHead, RecordSource } from '../slice/record-head.js';
import type { RecordTable } from './record-table.js';

const MAX_NAME_LENGTH = 254;

/** The name of a record, without its NUL: `nameLength` bytes from `nameStart` on. */
export interface RecordName {
  readonly nameView: DataView;
  readonly nameStart: number;
  readonly nameLength: number;
}

/** The names of the records of a slice, some of which may not be stored. */
export class RecordNames implements RecordName {
  nameView: DataView = new DataView(new ArrayBuffer(0));
  nameStart = 0;
  nameLength = 0;
  readonly #source: RecordSource;
  /** The start of generated names. */
  readonly #prefix: string;
  /** The stored names, one after another, and their ends. */
  readonly #stored: ByteWriter;
  readonly #ends: Uint32Array;

  constructor(source: RecordSource, prefix: string) {
    this.#source = source;
    this.#prefix = prefix;
    this.#stored = new ByteWriter(source.slice.memory);
    this.#ends = new Uint32Array(source.slice.header.recordCount);
  }

  /** Keeps the stored name of the next record, whose head was read. Throws `FormatError` `INVALID_DATA` and `LIMIT_EXCEEDED`. */
  keep(record: number, head: RecordHead): void {
    const { slice, series } = this.#source;
    const { bytes, start } = series.arrays.RN;
    const length = Math.max(head.nameLength, 0);
    slice.budget.spendBytes(length, slice.offset);
    this.#stored.copy(bytes, start, start + length);
    this.#ends[record] = this.#stored.length;
  }

  /**
   * Finds the name of a record when the mates of all are known: that which it stores, or else that of its mate, or else a
   * generated one (CRAM 3.1 §8.4). As in htslib, it is the prefix and the number of the first of both records in the file.
   */
  find(record: number, { next }: RecordTable): void {
    if (this.#take(record)) return;
    const mate = next[record] ?? -1;
    if (mate >= 0 && this.#take(mate)) return;
    const { slice } = this.#source;
    const first = mate >= 0 && mate < record ? mate : record;
    this.nameView = viewOf(encodeText(`${this.#prefix}:${slice.header.recordCounter + first + 1}`));
    this.nameStart = 0;
    this.nameLength = this.nameView.byteLength;
    slice.budget.spendBytes(this.nameLength, slice.offset);
  }

  /** Takes the stored name of a record. Returns whether it has one. */
  #take(record: number): boolean {
    const start = record === 0 ? 0 : (this.#ends[record - 1] ?? 0);
    this.nameView = this.#stored.view;
    this.nameStart = start;
    this.nameLength = (this.#ends[record] ?? 0) - start;
    return this.nameLength > 0;
  }
}

/** Copies a name to `at`, without a NUL. Throws `FormatError` `INVALID_DATA` for a name that BAM cannot hold. */
export function copyName(
  { nameView, nameStart, nameLength }: RecordName,
  target: DataView,
  { at, offset }: { readonly at: number; readonly offset: number },
): void {
  if (nameLength > MAX_NAME_LENGTH) {
    throw invalidData(`name of ${nameLength} bytes is over ${MAX_NAME_LENGTH}`, offset);
  }
  let hasNul = false;
  const fourfold = nameLength & ~3;
  for (let i = 0; i < fourfold; i += 4) {
    const characters = nameView.getInt32(nameStart + i, true);
    hasNul ||= hasZero(characters);
    target.setInt32(at + i, characters, true);
  }
  for (let i = fourfold; i < nameLength; i++) {
    const character = nameView.getUint8(nameStart + i);
    hasNul ||= character === 0;
    target.setUint8(at + i, character);
  }
  if (hasNul) throw invalidData('name contains a NUL', offset);
}
