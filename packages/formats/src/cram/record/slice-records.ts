import { ByteWriter } from '../../bytes/byte-writer.js';
import { type FormatError, invalidData } from '../../format-error.js';
import type { BaseIntervals } from '../../records/record-filter.js';
import type { CramReference } from '../container/file-header.js';
import { CRAM_FLAG, RecordHead, type RecordSource } from '../slice/record-head.js';
import { RecordSkipper } from '../slice/record-spans.js';
import { AlignmentDecoder } from './alignment.js';
import { BAM_FIELD, BAM_FLAG, BamWriter, type RecordParts } from './bam-writer.js';
import { addMismatchTags, addReadGroupTag } from './generated-tags.js';
import { copyMateFields, resolveMates } from './mates.js';
import { insertNames } from './record-names.js';
import { RecordTags } from './record-tags.js';
import type { AlignedReference } from './reference-window.js';
import type { SliceReference } from './slice-reference.js';

/** The means of decoding the records of a slice. */
export interface SliceDecoderOptions {
  readonly source: RecordSource;
  readonly reference: SliceReference;
  readonly references: readonly CramReference[];
  /** The ids of the read groups of the header; undefined for one that records are not marked with. */
  readonly readGroups: readonly (Uint8Array | undefined)[];
  /** The start of generated names. */
  readonly namePrefix: string;
  readonly generateMismatchTags: boolean;
  /** By reference. Records that overlap none of them are left out. Default: all records are decoded. */
  readonly intervals?: ReadonlyMap<number, BaseIntervals>;
  /** Whether only the start of each record is decoded, up to its name. */
  readonly isStubs?: boolean;
  /** Bytes of memory to begin with. */
  readonly capacity: number;
}

/** Bytes of a piece from which on the next one begins. */
const PIECE_BYTES = 2 ** 20;

/** The least bytes of a BAM record. */
const MIN_RECORD_BYTES = 38;

const NO_NAME: Uint8Array = new Uint8Array(0);
const MAX_FLAGS = 2 ** 16;

/** Decodes the records of a slice once. */
export class SliceDecoder {
  readonly #options: SliceDecoderOptions;
  readonly #head: RecordHead;
  readonly #skipper: RecordSkipper;
  readonly #tags: RecordTags;
  readonly #tagBytes = new ByteWriter();
  readonly #alignment: AlignmentDecoder;
  /** Shared by all records, because an object for each takes longer than writing its fixed fields. */
  readonly #parts: { -readonly [Part in keyof RecordParts]: RecordParts[Part] } = {
    mappingQuality: 0,
    nameBytes: NO_NAME,
    nameStart: 0,
    nameLength: 0,
    tags: this.#tagBytes,
    qualities: undefined,
  };
  #writer: BamWriter;
  readonly #aligned: { reference: AlignedReference | undefined } = { reference: undefined };
  readonly #positions: Uint32Array;
  readonly #next: Int32Array;
  readonly #lasts: Int32Array;
  readonly #hasTemplateLength: Uint8Array;
  #hasMates = false;
  /** 1 for each record that is kept. The others are stubs until the mates are known, which they may be. */
  readonly #isKept: Uint8Array;
  readonly #nameless: number[] = [];
  /** The start of the current record, if a pass before has decoded it. */
  #stub: { readonly bytes: Uint8Array; readonly at: number } | undefined;

  constructor(options: SliceDecoderOptions) {
    this.#options = options;
    const { source } = options;
    const { slice } = source;
    const { recordCount } = slice.header;
    // Bounds the memory for each record before it is allocated.
    slice.budget.spendBytes(MIN_RECORD_BYTES * recordCount, slice.offset);
    this.#head = new RecordHead(source);
    this.#skipper = new RecordSkipper(source);
    this.#tags = new RecordTags(source);
    this.#alignment = new AlignmentDecoder(source, this.#head);
    this.#writer = new BamWriter(options.capacity, slice);
    this.#isKept = new Uint8Array(recordCount);
    this.#positions = new Uint32Array(recordCount);
    this.#next = new Int32Array(recordCount).fill(-1);
    this.#lasts = new Int32Array(recordCount);
    this.#hasTemplateLength = new Uint8Array(recordCount);
  }

  /** Returns the records, or undefined if they have more than `maxBytes`. */
  decode(maxBytes: number = Number.POSITIVE_INFINITY): Uint8Array | undefined {
    const { source, namePrefix, intervals, isStubs = false } = this.#options;
    const { recordCount, recordCounter } = source.slice.header;
    const { output } = this.#writer;
    for (let record = 0; record < recordCount; record++) {
      this.#decodeRecord(record);
      if (output.length > maxBytes) return undefined;
    }
    const mates = {
      view: output.view,
      recordCount,
      positions: this.#positions,
      next: this.#next,
      lasts: this.#lasts,
      hasTemplateLength: this.#hasTemplateLength,
      offset: source.slice.offset,
    };
    if (this.#hasMates) resolveMates(mates);
    const { budget, offset } = source.slice;
    const written = output.memory.subarray(0, output.length);
    const records =
      this.#nameless.length === 0
        ? written
        : insertNames(written, {
            ...mates,
            nameless: this.#nameless,
            prefix: namePrefix,
            recordCounter,
            budget,
            offset,
          });
    return intervals === undefined || isStubs ? records : this.#dropStubs(records);
  }

  /** Yields the records in pieces. `stubs` are the records without what follows their names, and with the fields of their mates. */
  *decodePieces(stubs: Uint8Array): Generator<Uint8Array, void> {
    const { slice } = this.#options.source;
    const view = new DataView(stubs.buffer, stubs.byteOffset, stubs.length);
    let at = 0;
    for (let record = 0; record < slice.header.recordCount; record++) {
      this.#stub = { bytes: stubs, at };
      this.#decodeRecord(record);
      const { output } = this.#writer;
      const start = this.#positions[record] ?? 0;
      if (this.#isKept[record] === 1) copyMateFields(stubs, at, output.memory, start);
      else output.shrinkTo(start);
      at += 4 + view.getUint32(at, true);
      if (output.length < PIECE_BYTES) continue;
      yield output.memory.subarray(0, output.length);
      this.#writer = new BamWriter(PIECE_BYTES, slice);
    }
    const { output } = this.#writer;
    yield output.memory.subarray(0, output.length);
  }

  #decodeRecord(record: number): void {
    const head = this.#head;
    head.next();
    this.#checkHead(head);
    this.#setName();
    const { intervals, isStubs } = this.#options;
    const interval = intervals?.get(head.referenceId)?.firstEndingAfter(head.start - 1);
    if (isStubs === true || (intervals !== undefined && interval === undefined)) this.#skipRecord(record);
    else this.#writeRecord(record, interval?.start ?? Number.NEGATIVE_INFINITY);
    if (head.mateDistance >= 0) {
      this.#next[record] = record + 1 + head.mateDistance;
      this.#hasMates = true;
    }
    const detachedOrExplicit = CRAM_FLAG.hasTemplateLength | CRAM_FLAG.isDetached;
    if ((head.cramFlags & detachedOrExplicit) === CRAM_FLAG.hasTemplateLength) this.#hasTemplateLength[record] = 1;
  }

  /** Sets the name of the record: that which it stores, or which the pass before has determined. */
  #setName(): void {
    const parts = this.#parts;
    const stub = this.#stub;
    if (stub === undefined) {
      const { bytes, start } = this.#options.source.series.arrays.RN;
      parts.nameBytes = bytes;
      parts.nameStart = start;
      parts.nameLength = Math.max(this.#head.nameLength, 0);
    } else {
      parts.nameBytes = stub.bytes;
      parts.nameStart = stub.at + BAM_FIELD.name;
      parts.nameLength = (stub.bytes[stub.at + BAM_FIELD.nameLength] ?? 1) - 1;
    }
  }

  /** Skips what follows the head of a record. */
  #skipRecord(record: number): void {
    this.#lasts[record] = this.#skipper.skip(this.#head);
    this.#writeStub(record);
    if (this.#options.isStubs === true && this.#parts.nameLength === 0) this.#nameless.push(record);
  }

  #writeStub(record: number): void {
    const { slice } = this.#options.source;
    slice.budget.spendBytes(this.#parts.nameLength, slice.offset);
    this.#positions[record] = this.#writer.writeStub(this.#head, this.#parts);
  }

  /** Decodes a record, and writes it if it ends after `intervalStart`, the start of an interval that ends after its start. */
  #writeRecord(record: number, intervalStart: number): void {
    const { slice, series } = this.#options.source;
    const head = this.#head;
    // One and a half bytes for each base, bounded before memory is allocated.
    slice.spendRecord(record, Math.ceil(1.5 * head.length) + this.#parts.nameLength);
    this.#tagBytes.shrinkTo(0);
    this.#tags.read(head.tagLine, this.#tagBytes);
    const parts = this.#parts;
    parts.mappingQuality =
      (head.flags & BAM_FLAG.unmapped) === 0 ? this.#decodeMapped(intervalStart) : this.#decodeUnmapped();
    parts.qualities = (head.cramFlags & CRAM_FLAG.hasQualities) === 0 ? undefined : series.bytes.QS;
    const { last } = this.#alignment;
    this.#lasts[record] = last;
    if (last <= intervalStart) {
      parts.qualities?.skip(head.length);
      this.#writeStub(record);
      return;
    }
    this.#isKept[record] = 1;
    this.#addReadGroup();
    slice.budget.spendBytes(this.#tagBytes.length, slice.offset);
    this.#positions[record] = this.#writer.write(head, this.#alignment, parts);
    if (parts.nameLength === 0) this.#nameless.push(record);
  }

  /** Moves the records that are kept together, and returns them. */
  #dropStubs(records: Uint8Array): Uint8Array {
    const view = new DataView(records.buffer, records.byteOffset, records.length);
    let at = 0;
    let keptLength = 0;
    for (const isKept of this.#isKept) {
      const end = at + 4 + view.getUint32(at, true);
      if (isKept === 1) {
        records.copyWithin(keptLength, at, end);
        keptLength += end - at;
      }
      at = end;
    }
    return records.subarray(0, keptLength);
  }

  /** Checks the fields that are not checked while they are decoded. */
  #checkHead({ flags, start, mateStart, referenceId, mateReferenceId }: RecordHead): void {
    const { length } = this.#options.references;
    if (flags < 0 || flags >= MAX_FLAGS) throw this.#invalid(`${flags} is not valid as flags`);
    if (start < 0 || mateStart < 0) throw this.#invalid(`position ${Math.min(start, mateStart)} is negative`);
    if (referenceId >= length || mateReferenceId < -1 || mateReferenceId >= length) {
      throw this.#invalid(
        `record refers to references ${referenceId} and ${mateReferenceId}; the header has ${length}`,
      );
    }
  }

  /** Decodes the features of a mapped record, and returns its mapping quality. One that is not written gets no tags. */
  #decodeMapped(intervalStart: number): number {
    const { series } = this.#options.source;
    const head = this.#head;
    const alignment = this.#alignment;
    alignment.startRecord();
    const reference = this.#referenceOf(head);
    const lacksTags = !(this.#tags.hasMd && this.#tags.hasNm);
    const hasBases = (head.cramFlags & CRAM_FLAG.lacksSequence) === 0;
    const wantsMismatches = this.#options.generateMismatchTags && lacksTags && hasBases;
    alignment.decode(reference, wantsMismatches);
    const mappingQuality = series.numbers.MQ.read();
    if (reference !== undefined && wantsMismatches && alignment.last > intervalStart) {
      addMismatchTags(this.#tagBytes, alignment.mismatches, this.#tags);
    }
    return mappingQuality & 0xff;
  }

  #decodeUnmapped(): number {
    const { length } = this.#head;
    const alignment = this.#alignment;
    alignment.startRecord();
    if (length > 0) this.#options.source.series.bytes.BA.readInto(alignment.bases, 0, length);
    return 0;
  }

  #referenceOf({ referenceId, start }: RecordHead): AlignedReference | undefined {
    if (referenceId < 0) return undefined;
    const window = this.#options.reference.windowAt(referenceId, start - 1);
    if (window === undefined) return undefined;
    const { reference } = this.#aligned;
    if (reference?.window === window) return reference;
    const aligned = { window, length: this.#options.references[referenceId]?.length ?? 0 };
    this.#aligned.reference = aligned;
    return aligned;
  }

  #addReadGroup(): void {
    const { readGroups } = this.#options;
    const { readGroup } = this.#head;
    if (readGroup === -1) return;
    if (readGroup < 0 || readGroup >= readGroups.length) {
      throw this.#invalid(`record refers to read group ${readGroup}, but the header has ${readGroups.length}`);
    }
    const id = readGroups[readGroup];
    if (id === undefined) return;
    addReadGroupTag(this.#tagBytes, id);
  }

  #invalid(message: string): FormatError {
    return invalidData(message, this.#options.source.slice.offset);
  }
}
