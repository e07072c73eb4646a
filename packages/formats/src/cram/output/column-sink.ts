import { unpackBases } from '../../bam/bases.js';
import type { AlignmentColumnField } from '../../bam/columns/alignment-columns.js';
import type { GrowingAlignments, GrowingFields } from '../../bam/columns/growing-alignments.js';
import type { GrowingTag } from '../../bam/columns/growing-tag.js';
import type { GrowingMismatches } from '../../bam/columns/mismatch-columns.js';
import { MISMATCH_NUMBERS } from '../../bam/mismatches/mismatch.js';
import { walkMismatches } from '../../bam/mismatches/mismatch-walk.js';
import { bamTagCode, bamTagEnd, findBamTag } from '../../bam/tags/tags.js';
import type { ByteWriter } from '../../bytes/byte-writer.js';
import { viewOf } from '../../bytes/copy-bytes.js';
import type { GrowingList } from '../../columns/list-column.js';
import { CIGAR, type CigarBuilder } from '../record/cigar.js';
import { copyName, type RecordName } from '../record/record-names.js';
import type { DecodedRecord, RecordSink } from '../record/record-sink.js';
import type { RecordTable } from '../record/record-table.js';
import type { StoredSlice } from '../slice/stored-slice.js';
import { BamWriter, hasSequence } from './bam-writer.js';

const SUBSTITUTION = MISMATCH_NUMBERS.substitution;
/** The number of the kind of mismatch that each operation is. */
const KINDS = [
  SUBSTITUTION,
  MISMATCH_NUMBERS.insertion,
  MISMATCH_NUMBERS.deletion,
  MISMATCH_NUMBERS.skip,
  MISMATCH_NUMBERS.softClip,
  MISMATCH_NUMBERS.hardClip,
] as const;
const NO_NAME: RecordName = { nameView: new DataView(new ArrayBuffer(0)), nameStart: 0, nameLength: 0 };
const NO_QUALITY = 0xff;
/** Bytes of the fixed fields of a record. */
const FIXED_BYTES = 32;

/** The columns that records are appended to. */
export type ColumnTarget = Omit<GrowingAlignments<AlignmentColumnField, string>, 'take'>;

/** The columns of the records of a slice, and how many they may get before they are taken. */
export interface ColumnSinkOptions {
  readonly columns: ColumnTarget;
  readonly maxRecords: number;
  /** Bytes of records from which on they are taken. */
  readonly maxBytes: number;
  /** Whether the container was written with a reference. */
  readonly hasReference: boolean;
}

/** Appends the records of a slice to columns. */
export class ColumnSink implements RecordSink {
  readonly #slice: StoredSlice;
  readonly #columns: ColumnTarget;
  readonly #fields: GrowingFields;
  readonly #maxRecords: number;
  readonly #maxBytes: number;
  /** Encodes a record whose mismatches are not known from its features, but maybe from its tag MD. */
  readonly #bam: BamWriter | undefined;
  readonly #names: BytesColumn | undefined;
  readonly #sequence: BytesColumn | undefined;
  readonly #qualities: BytesColumn | undefined;
  readonly #tags: readonly { readonly code: number; readonly column: GrowingTag }[];
  /** The records that were added and are not completed. */
  readonly #added: Uint32Array;
  #addedCount = 0;
  #hasBegun = false;

  constructor(slice: StoredSlice, { columns, maxRecords, maxBytes, hasReference }: ColumnSinkOptions) {
    const { fields, tags } = columns;
    this.#slice = slice;
    this.#columns = columns;
    this.#fields = fields;
    this.#maxRecords = maxRecords;
    this.#maxBytes = maxBytes;
    const isByFeatures = hasReference || slice.header.embeddedReferenceId >= 0;
    this.#bam = isByFeatures || fields.mismatches === undefined ? undefined : new BamWriter(slice, 0);
    this.#names = fields.names && new BytesColumn(fields.names);
    this.#sequence = fields.sequence && new BytesColumn(fields.sequence);
    this.#qualities = fields.qualities && new BytesColumn(fields.qualities);
    this.#tags = Array.from(tags, ([name, column]) => ({ code: bamTagCode(name), column }));
    this.#added = new Uint32Array(slice.header.recordCount);
  }

  get byteLength(): number {
    return this.#columns.byteLength;
  }

  /** Whether the columns are a batch: they are large, or lack the room for the slice. */
  get isFull(): boolean {
    const { length, byteLength } = this.#columns;
    if (byteLength >= this.#maxBytes || this.room <= 0) return true;
    return length > 0 && this.#addedCount === 0 && !this.#hasBegun && this.#slice.header.recordCount > this.room;
  }

  get room(): number {
    return this.#maxRecords - this.#columns.length - this.#addedCount;
  }

  add(decoded: DecodedRecord, table: RecordTable): void {
    const { record, head, alignment, name } = decoded;
    const { cigar, end, mappingQuality, mismatches } = this.#fields;
    const length = hasSequence(head) ? head.length : 0;
    const start = head.start - 1;
    this.#added[this.#addedCount++] = record;
    this.#hasBegun = true;
    if (mappingQuality !== undefined) {
      const at = mappingQuality.reserve(1);
      mappingQuality.values[at] = decoded.mappingQuality;
    }
    if (end !== undefined) {
      const at = end.reserve(1);
      end.values[at] = start + Math.max(alignment.cigar.referenceSpan(), 1);
    }
    if (cigar !== undefined) appendOperations(cigar, alignment.cigar);
    if (mismatches !== undefined) this.#addMismatches(mismatches, decoded, table);
    if (this.#names !== undefined) {
      const at = this.#names.reserve(name.nameLength);
      copyName(name, this.#names.view, { at, offset: this.#slice.offset });
      this.#names.end(true);
      this.#columns.byteLength += name.nameLength;
    }
    if (this.#sequence !== undefined) {
      const at = this.#sequence.reserve(length);
      unpackBases(alignment.read.bases.view, { at: 0, count: length }, this.#sequence.view, at);
      this.#sequence.end(true);
      this.#columns.byteLength += length;
    }
    if (this.#qualities === undefined) decoded.qualities?.skip(head.length);
    else this.#addQualities(this.#qualities, decoded, length);
    if (this.#tags.length > 0) this.#addTags(decoded.tags);
    this.#columns.byteLength += FIXED_BYTES + 4 * alignment.cigar.count;
    this.#slice.budget.spendBytes(4 * alignment.cigar.count, this.#slice.offset);
  }

  /** Appends the fields that depend on mates. */
  complete(table: RecordTable): void {
    const { referenceId, start, flags, mateReferenceId, mateStart, templateLength } = this.#fields;
    const added = this.#added.subarray(0, this.#addedCount);
    if (referenceId !== undefined) appendOf(referenceId, table.referenceIds, added);
    if (start !== undefined) appendOf(start, table.starts, added);
    if (flags !== undefined) appendOf(flags, table.flags, added);
    if (mateReferenceId !== undefined) appendOf(mateReferenceId, table.mateReferenceIds, added);
    if (mateStart !== undefined) appendOf(mateStart, table.mateStarts, added);
    if (templateLength !== undefined) appendOf(templateLength, table.templateLengths, added);
    this.#columns.length += this.#addedCount;
    this.#addedCount = 0;
  }

  #addQualities(column: BytesColumn, { qualities: stored, alignment, head }: DecodedRecord, length: number): void {
    if (length === 0) {
      stored?.skip(head.length);
      column.end(false);
      return;
    }
    const at = column.reserve(length);
    const { values, view } = column;
    if (stored === undefined) values.set(alignment.read.qualities.subarray(0, length), at);
    else stored.copyInto(values, view, at, length);
    const isValid = values[at] !== NO_QUALITY;
    if (!isValid) column.drop(length);
    column.end(isValid);
    this.#columns.byteLength += length;
  }

  #addMismatches(column: GrowingMismatches, decoded: DecodedRecord, table: RecordTable): void {
    if (this.#bam === undefined) appendMismatches(column, decoded);
    else {
      // The qualities are read from their series once, for their own column.
      this.#bam.add({ ...decoded, name: NO_NAME, qualities: undefined }, table);
      const { buffer, byteOffset, length } = this.#bam.take(0);
      walkMismatches(new DataView(buffer, byteOffset, length), 0, (...mismatch) => column.push(...mismatch));
    }
    column.end();
  }

  #addTags({ view, memory: bytes, length }: ByteWriter): void {
    for (const { code, column } of this.#tags) {
      const at = findBamTag(view, { start: 0, end: length }, code);
      if (at < 0) column.pushMissing();
      else column.push(view.getUint8(at + 2), { bytes, view }, at + 3, bamTagEnd(view, at, length));
    }
    this.#columns.byteLength += length;
  }
}

/** A column of bytes, and a view of its memory, which takes as long to create as a record takes to append. */
class BytesColumn {
  readonly #list: GrowingList<Uint8Array<ArrayBuffer>>;
  values: Uint8Array<ArrayBuffer>;
  view: DataView;

  constructor(list: GrowingList<Uint8Array<ArrayBuffer>>) {
    this.#list = list;
    this.values = list.values.values;
    this.view = viewOf(this.values);
  }

  /** Makes room for `count` bytes, and returns the index of the first one. */
  reserve(count: number): number {
    const column = this.#list.values;
    const at = column.reserve(count);
    if (column.values !== this.values) {
      this.values = column.values;
      this.view = viewOf(this.values);
    }
    return at;
  }

  /** Drops the last bytes. */
  drop(count: number): void {
    this.#list.values.length -= count;
  }

  end(isValid: boolean): void {
    this.#list.end(isValid);
  }
}

/** Appends a field of some records. */
function appendOf(
  column: { reserve(count: number): number; readonly values: Int32Array | Uint16Array },
  values: Int32Array | Uint16Array,
  records: Uint32Array,
): void {
  let at = column.reserve(records.length);
  const target = column.values;
  for (const record of records) target[at++] = values[record] ?? 0;
}

function appendOperations(column: GrowingList<Uint32Array<ArrayBuffer>>, { operations, count }: CigarBuilder): void {
  const at = column.values.reserve(count);
  const { values } = column.values;
  for (let i = 0; i < count; i++) values[at + i] = operations[i] ?? 0;
  column.end();
}

/** Appends the mismatches of a record in the order of its CIGAR, by its features. */
function appendMismatches(column: GrowingMismatches, { alignment, head }: DecodedRecord): void {
  const { cigar, read } = alignment;
  let position = head.start - 1;
  let readPosition = 0;
  let next = 0;
  for (let i = 0; i < cigar.count; i++) {
    const operation = cigar.operations[i] ?? 0;
    const kind = operation & 15;
    const length = operation >>> 4;
    if (kind === CIGAR.match) {
      for (; next < read.substitutionCount && (read.places[next] ?? 0) < readPosition + length; next++) {
        const place = read.places[next] ?? 0;
        const letters = read.letterPairs[next] ?? 0;
        column.push(SUBSTITUTION, position + place - readPosition, 1, place, letters & 0xff, letters >>> 8);
      }
    } else {
      const number = KINDS[kind];
      if (number !== undefined) column.push(number, position, length, readPosition, 0, 0);
    }
    if (kind === CIGAR.match || kind === CIGAR.deletion || kind === CIGAR.skip) position += length;
    if (kind === CIGAR.match || kind === CIGAR.insertion || kind === CIGAR.softClip) readPosition += length;
  }
}
