import { binOf } from '../../bam/bin.js';
import { ByteWriter } from '../../bytes/byte-writer.js';
import { copyBytes } from '../../bytes/copy-bytes.js';
import { CIGAR, type CigarBuilder } from '../record/cigar.js';
import { copyName } from '../record/record-names.js';
import type { DecodedRecord, RecordSink } from '../record/record-sink.js';
import { BAM_FLAG, type RecordTable } from '../record/record-table.js';
import { CRAM_FLAG, type RecordHead } from '../slice/record-head.js';
import type { StoredSlice } from '../slice/stored-slice.js';

/** The places of fields in a BAM record, which starts with block_size (SAMv1 §4.2). */
const BAM_FIELD = {
  referenceId: 4,
  position: 8,
  nameLength: 12,
  cigarCount: 16,
  flags: 18,
  baseCount: 20,
  mateReferenceId: 24,
  matePosition: 28,
  templateLength: 32,
  name: 36,
} as const;

const MAX_CIGAR_COUNT = 2 ** 16 - 1;

/** The name and type of the tag of a long CIGAR: CG:B:I. */
const LONG_CIGAR_TAG = new TextEncoder().encode('CGBI');
/** Bytes of that tag before its operations. */
const LONG_CIGAR_HEAD = 8;

/** A new piece begins after at least this many bytes. */
export const PIECE_BYTES: number = 2 ** 20;

/** The memory for the offsets of records begins with as many, or with as many short ones as there is memory for. */
const FIRST_RECORDS = 32;
const SHORT_RECORD_BYTES = 256;

/** Writes BAM records one after another. */
export class BamWriter implements RecordSink {
  readonly room: number = Number.POSITIVE_INFINITY;
  readonly #slice: StoredSlice;
  #output: ByteWriter;
  /** Bytes of memory to begin with. */
  #capacity: number;
  /** The records that are not completed, and the offset of each. */
  #records: Uint32Array;
  #offsets: Uint32Array;
  #count = 0;

  /** `capacity`: bytes of memory to begin with. */
  constructor(slice: StoredSlice, capacity: number) {
    this.#slice = slice;
    this.#output = new ByteWriter(slice.memory);
    this.#capacity = capacity;
    const count = Math.max(FIRST_RECORDS, Math.ceil(capacity / SHORT_RECORD_BYTES));
    this.#records = new Uint32Array(count);
    this.#offsets = new Uint32Array(count);
  }

  get byteLength(): number {
    return this.#output.length;
  }

  get isFull(): boolean {
    return this.#output.length >= PIECE_BYTES;
  }

  /** Returns the records, and starts again. `capacity`: bytes of memory to begin with. */
  take(capacity: number = PIECE_BYTES + PIECE_BYTES / 4): Uint8Array {
    const { memory, length } = this.#output;
    this.#output = new ByteWriter(this.#slice.memory);
    this.#capacity = capacity;
    return memory.subarray(0, length);
  }

  /** Writes a record. Its memory is reserved once, because that takes as long as writing a field. */
  add(decoded: DecodedRecord, table: RecordTable): void {
    const { record, head, alignment, tags, name } = decoded;
    const { cigar } = alignment;
    const length = hasSequence(head) ? head.length : 0;
    const span = cigar.referenceSpan();
    const isLong = cigar.count > MAX_CIGAR_COUNT;
    const cigarCount = isLong ? 2 : cigar.count;
    const packedLength = (length + 1) >> 1;
    const nameLength = name.nameLength + 1;
    const byteLength = BAM_FIELD.name + nameLength + 4 * cigarCount + packedLength + length + tags.length;
    if (this.#output.length === 0) this.#growOnce();
    const start = this.#output.reserve(byteLength);
    const { view } = this.#output;
    const position = table.starts[record] ?? 0;
    const bin = binOf(position, position + Math.max(span, 1));
    view.setInt32(start + BAM_FIELD.referenceId, table.referenceIds[record] ?? -1, true);
    view.setInt32(start + BAM_FIELD.position, position, true);
    view.setUint32(start + BAM_FIELD.nameLength, nameLength | (decoded.mappingQuality << 8) | (bin << 16), true);
    view.setUint32(start + BAM_FIELD.cigarCount, cigarCount, true);
    view.setUint32(start + BAM_FIELD.baseCount, length, true);
    writeMate(view, start, { table, record });
    let at = start + BAM_FIELD.name;
    copyName(name, view, { at, offset: this.#slice.offset });
    view.setUint8(at + name.nameLength, 0);
    at += nameLength;
    if (isLong) {
      view.setUint32(at, 16 * length + CIGAR.softClip, true);
      view.setUint32(at + 4, 16 * span + CIGAR.skip, true);
    } else writeOperations(view, at, cigar);
    at += 4 * cigarCount;
    copyBytes({ view, to: at }, alignment.read.bases.view, 0, packedLength);
    at += packedLength;
    if (length % 2 === 1) view.setUint8(at - 1, view.getUint8(at - 1) & 0xf0);
    writeQualities(decoded, this.#output, { at, length });
    copyBytes({ view, to: at + length }, tags.view, 0, tags.length);
    if (isLong) this.#writeLongCigar(cigar);
    this.#output.view.setUint32(start, this.#output.length - start - 4, true);
    if (this.#count === this.#records.length) {
      this.#records = grow(this.#records);
      this.#offsets = grow(this.#offsets);
    }
    this.#records[this.#count] = record;
    this.#offsets[this.#count++] = start;
  }

  /** Writes the fields that depend on the mates of the records. */
  complete(table: RecordTable): void {
    const { view } = this.#output;
    for (let index = 0; index < this.#count; index++) {
      const record = this.#records[index] ?? 0;
      if ((table.next[record] ?? -1) >= 0) writeMate(view, this.#offsets[index] ?? 0, { table, record });
    }
    this.#count = 0;
  }

  #growOnce(): void {
    this.#output.reserve(this.#capacity);
    this.#output.shrinkTo(0);
  }

  /** Writes the tag CG for a CIGAR of more than 65,535 operations (SAMv1 §4.2.2). */
  #writeLongCigar(cigar: CigarBuilder): void {
    const at = this.#output.reserve(LONG_CIGAR_HEAD + 4 * cigar.count);
    const { memory, view } = this.#output;
    memory.set(LONG_CIGAR_TAG, at);
    view.setUint32(at + LONG_CIGAR_TAG.length, cigar.count, true);
    writeOperations(view, at + LONG_CIGAR_HEAD, cigar);
  }
}

function grow(numbers: Uint32Array): Uint32Array {
  const grown = new Uint32Array(2 * numbers.length);
  grown.set(numbers);
  return grown;
}

/** Returns whether the bases of a record are written. */
export function hasSequence({ cramFlags, flags }: RecordHead): boolean {
  return (cramFlags & CRAM_FLAG.lacksSequence) === 0 || (flags & BAM_FLAG.unmapped) !== 0;
}

function writeMate(
  view: DataView,
  at: number,
  { table, record }: { readonly table: RecordTable; readonly record: number },
): void {
  view.setUint16(at + BAM_FIELD.flags, table.flags[record] ?? 0, true);
  view.setInt32(at + BAM_FIELD.mateReferenceId, table.mateReferenceIds[record] ?? -1, true);
  view.setInt32(at + BAM_FIELD.matePosition, table.mateStarts[record] ?? -1, true);
  view.setInt32(at + BAM_FIELD.templateLength, table.templateLengths[record] ?? 0, true);
}

function writeOperations(view: DataView, at: number, { operations, count }: CigarBuilder): void {
  for (let i = 0; i < count; i++) view.setUint32(at + 4 * i, operations[i] ?? 0, true);
}

/** Reads stored qualities into the output, unless the record lacks the bases that they belong to. */
function writeQualities(
  { qualities: stored, alignment, head }: DecodedRecord,
  { memory, view }: ByteWriter,
  { at, length }: { readonly at: number; readonly length: number },
): void {
  if (stored === undefined) memory.set(alignment.read.qualities.subarray(0, length), at);
  else if (length === head.length) stored.copyInto(memory, view, at, length);
  else stored.skip(head.length);
}
