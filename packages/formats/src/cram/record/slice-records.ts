import { ByteWriter } from '../../bytes/byte-writer.js';
import { type FormatError, invalidData } from '../../format-error.js';
import type { IntervalsById } from '../../records/record-filter.js';
import type { CramReference } from '../container/file-header.js';
import type { AlignedReference } from '../reference/reference-window.js';
import type { SliceReference } from '../reference/slice-reference.js';
import { CRAM_FLAG, RecordHead, type RecordSource } from '../slice/record-head.js';
import { RecordSkipper } from '../slice/record-spans.js';
import { AlignmentDecoder } from './alignment.js';
import type { WantedParts } from './decoded-read.js';
import { addMismatchTags, addReadGroupTag } from './generated-tags.js';
import type { RecordName, RecordNames } from './record-names.js';
import type { DecodedRecord, RecordSink } from './record-sink.js';
import { BAM_FLAG, type RecordTable } from './record-table.js';
import { RecordTags } from './record-tags.js';

/** How the records of a slice are decoded, and where they go. */
export interface SliceOptions<Sink extends RecordSink = RecordSink> {
  readonly references: readonly CramReference[];
  /** The ids of the read groups of the header; undefined for one that records are not marked with. */
  readonly readGroups: readonly (Uint8Array | undefined)[];
  /** By reference. Records that overlap none of them are left out; undefined for all records. */
  readonly intervals: IntervalsById | undefined;
  readonly wanted: WantedParts;
  readonly reference: SliceReference;
  readonly sink: Sink;
}

/** A pass over the records of a slice. */
interface SlicePass {
  /** The slice, opened at its first record. */
  readonly source: RecordSource;
  /** The fields of the records that depend on their mates. */
  readonly table: RecordTable;
  /** Whether a pass before has completed the table. */
  readonly isSecondPass: boolean;
  /** The names of the records, if a pass before has read them. */
  readonly names: RecordNames | undefined;
  /** The first record that the sink lacks. */
  readonly firstRecord: number;
}

const MAX_FLAGS = 2 ** 16;

/**
 * Decodes the records of a slice once. Its options are not created by spreads: each object that one creates has a hidden class of
 * its own, for which the code of all records would be compiled again.
 */
export class SliceDecoder {
  readonly #options: SliceOptions;
  readonly #pass: SlicePass;
  readonly #head: RecordHead;
  readonly #skipper: RecordSkipper;
  readonly #tags: RecordTags;
  readonly #alignment: AlignmentDecoder;
  /** Shared by all records, because an object for each takes longer than writing its fixed fields. */
  readonly #decoded: { -readonly [Part in keyof DecodedRecord]: DecodedRecord[Part] };
  readonly #storedName: { -readonly [Part in keyof RecordName]: RecordName[Part] };
  readonly #aligned: { reference: AlignedReference | undefined } = { reference: undefined };

  constructor(options: SliceOptions, pass: SlicePass) {
    this.#options = options;
    this.#pass = pass;
    const { source } = pass;
    const head = new RecordHead(source);
    const alignment = new AlignmentDecoder(source, head, options.wanted);
    const { RN } = source.series.arrays;
    this.#head = head;
    this.#alignment = alignment;
    this.#skipper = new RecordSkipper(source);
    this.#tags = new RecordTags(source);
    this.#storedName = { nameView: RN.view, nameStart: 0, nameLength: 0 };
    const tags = new ByteWriter();
    const name = this.#storedName;
    this.#decoded = { record: 0, head, alignment, mappingQuality: 0, name, tags, qualities: undefined };
  }

  /** Makes a record the next one, whose place in the series is the current one. The pass before has completed the table. */
  moveTo(record: number): void {
    const { source, table } = this.#pass;
    this.#head.start = record === 0 ? source.slice.header.alignmentStart : (table.starts[record - 1] ?? 0) + 1;
  }

  /**
   * Decodes the record of this index, the next one, and adds it to the sink if it is wanted. Returns false if it would be added, but
   * needs the name of its mate or a generated one.
   */
  decode(record: number): boolean {
    const head = this.#head;
    head.next();
    checkHead(head, this.#options.references, this.#pass.source);
    this.#decoded.record = record;
    const { intervals } = this.#options;
    const { table, isSecondPass } = this.#pass;
    if (!isSecondPass) table.set(record, head);
    const interval = intervals?.get(head.referenceId)?.firstEndingAfter(head.start - 1);
    const isBefore = isSecondPass && interval !== undefined && (table.lasts[record] ?? 0) <= interval.start;
    if (intervals === undefined || (interval !== undefined && !isBefore)) {
      return this.#decodeRecord(record, interval?.start ?? Number.NEGATIVE_INFINITY);
    }
    const last = this.#skipper.skip(head);
    if (!isSecondPass) table.lasts[record] = last;
    return true;
  }

  /** Decodes a record, and adds it if it ends after `intervalStart`, the start of an interval that ends after its start. */
  #decodeRecord(record: number, intervalStart: number): boolean {
    const { sink, wanted } = this.#options;
    const { source, table, firstRecord } = this.#pass;
    const { slice, series } = source;
    const head = this.#head;
    const decoded = this.#decoded;
    this.#findName(record);
    // One and a half bytes for each base, bounded before memory is allocated.
    slice.spendRecord(record, Math.ceil(1.5 * head.length) + decoded.name.nameLength);
    decoded.tags.shrinkTo(0);
    this.#tags.read(head.tagLine, decoded.tags);
    decoded.mappingQuality =
      (head.flags & BAM_FLAG.unmapped) === 0 ? this.#decodeMapped(intervalStart) : this.#decodeUnmapped();
    decoded.qualities = (head.cramFlags & CRAM_FLAG.hasQualities) === 0 ? undefined : series.bytes.QS;
    const { last } = this.#alignment;
    table.lasts[record] = last;
    if (last <= intervalStart || record < firstRecord) {
      decoded.qualities?.skip(head.length);
      return true;
    }
    if (wanted.names && decoded.name.nameLength === 0) return false;
    if (wanted.readGroups) this.#addReadGroup();
    slice.budget.spendBytes(decoded.tags.length, slice.offset);
    sink.add(decoded, table);
    return true;
  }

  /** Finds the name of a record: that which it stores, or which the pass before has determined. */
  #findName(record: number): void {
    const { source, names, table } = this.#pass;
    if (names !== undefined) {
      names.find(record, table);
      this.#decoded.name = names;
      return;
    }
    const { view, start } = source.series.arrays.RN;
    const name = this.#storedName;
    name.nameView = view;
    name.nameStart = start;
    name.nameLength = Math.max(this.#head.nameLength, 0);
  }

  /** Decodes the features of a mapped record, and returns its mapping quality. One that is not written gets no tags. */
  #decodeMapped(intervalStart: number): number {
    const { series } = this.#pass.source;
    const head = this.#head;
    const alignment = this.#alignment;
    alignment.startRecord();
    const reference = this.#referenceOf(head);
    const lacksTags = !(this.#tags.hasMd && this.#tags.hasNm);
    const hasBases = (head.cramFlags & CRAM_FLAG.lacksSequence) === 0;
    const wantsMismatches = this.#options.wanted.mismatchTags && lacksTags && hasBases;
    alignment.decode(reference, wantsMismatches);
    const mappingQuality = series.numbers.MQ.read();
    if (reference !== undefined && wantsMismatches && alignment.last > intervalStart) {
      addMismatchTags(this.#decoded.tags, alignment.mismatches, this.#tags);
    }
    return mappingQuality & 0xff;
  }

  #decodeUnmapped(): number {
    this.#alignment.startRecord();
    this.#alignment.read.readBases();
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
    addReadGroupTag(this.#decoded.tags, id);
  }

  #invalid(message: string): FormatError {
    return invalidData(message, this.#pass.source.slice.offset);
  }
}

/** Checks the fields of a record that are not checked while they are decoded. */
export function checkHead(
  { flags, start, mateStart, referenceId, mateReferenceId }: RecordHead,
  { length }: readonly CramReference[],
  { slice: { offset } }: RecordSource,
): void {
  if (flags < 0 || flags >= MAX_FLAGS) throw invalidData(`${flags} is not valid as flags`, offset);
  if (start < 0 || mateStart < 0) throw invalidData(`position ${Math.min(start, mateStart)} is negative`, offset);
  if (referenceId >= length || mateReferenceId < -1 || mateReferenceId >= length) {
    const message = `record refers to references ${referenceId} and ${mateReferenceId}; the header has ${length}`;
    throw invalidData(message, offset);
  }
}
