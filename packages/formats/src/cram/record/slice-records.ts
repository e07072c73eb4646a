import { ByteWriter } from '../../convert/byte-writer.js';
import { type FormatError, invalidData } from '../../format-error.js';
import type { CramReference } from '../container/file-header.js';
import { CRAM_FLAG, RecordHead, type RecordSource } from '../slice/record-head.js';
import { AlignmentDecoder } from './alignment.js';
import { BAM_FLAG, BamWriter, type RecordParts } from './bam-writer.js';
import { resolveMates } from './mates.js';
import { insertNames } from './record-names.js';
import { RecordTags } from './record-tags.js';
import type { AlignedReference } from './reference-window.js';
import type { SliceReference } from './slice-reference.js';

/** A slice, and the means of decoding its records. */
export interface SliceRecordsOptions {
  readonly source: RecordSource;
  readonly reference: SliceReference;
  readonly references: readonly CramReference[];
  /** The ids of the read groups of the header; undefined for one that records are not marked with. */
  readonly readGroups: readonly (Uint8Array | undefined)[];
  /** The start of generated names. */
  readonly namePrefix: string;
  readonly generateMismatchTags: boolean;
}

/** Decodes all records of a slice to BAM records. Throws `FormatError`. */
export function decodeSliceRecords(options: SliceRecordsOptions): Uint8Array {
  return new SliceDecoder(options).decode();
}

/** The least bytes of a BAM record, and a guess at those of most. */
const MIN_RECORD_BYTES = 38;
const TYPICAL_RECORD_BYTES = 400;
const MAX_FIRST_BYTES = 2 ** 24;

const NO_NAME: Uint8Array = new Uint8Array(0);
const MAX_FLAGS = 2 ** 16;

/** The state of decoding one slice. */
class SliceDecoder {
  readonly #options: SliceRecordsOptions;
  readonly #head: RecordHead;
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
  readonly #writer: BamWriter;
  readonly #aligned: { reference: AlignedReference | undefined } = { reference: undefined };
  readonly #positions: Uint32Array;
  readonly #next: Int32Array;
  readonly #lasts: Int32Array;
  readonly #hasTemplateLength: Uint8Array;
  #hasMates = false;
  readonly #nameless: number[] = [];

  constructor(options: SliceRecordsOptions) {
    this.#options = options;
    const { source } = options;
    const { slice } = source;
    const { recordCount } = slice.header;
    // Bounds the memory for each record before it is allocated.
    slice.budget.spendBytes(MIN_RECORD_BYTES * recordCount, slice.offset);
    this.#head = new RecordHead(source);
    this.#tags = new RecordTags(source);
    this.#alignment = new AlignmentDecoder(source, this.#head);
    this.#writer = new BamWriter(Math.min(TYPICAL_RECORD_BYTES * recordCount, MAX_FIRST_BYTES), slice.offset);
    this.#positions = new Uint32Array(recordCount);
    this.#next = new Int32Array(recordCount).fill(-1);
    this.#lasts = new Int32Array(recordCount);
    this.#hasTemplateLength = new Uint8Array(recordCount);
  }

  decode(): Uint8Array {
    const { source, namePrefix } = this.#options;
    const { recordCount, recordCounter } = source.slice.header;
    for (let record = 0; record < recordCount; record++) this.#decodeRecord(record);
    const { output } = this.#writer;
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
    const records = output.memory.subarray(0, output.length);
    const { budget, offset } = source.slice;
    return this.#nameless.length === 0
      ? records
      : insertNames(records, { ...mates, nameless: this.#nameless, prefix: namePrefix, recordCounter, budget, offset });
  }

  #decodeRecord(record: number): void {
    const { source } = this.#options;
    const { series, slice } = source;
    const head = this.#head;
    head.next();
    this.#checkHead(head);
    const { start: nameStart, bytes: nameBytes } = series.arrays.RN;
    // One and a half bytes for each base, bounded before memory is allocated.
    slice.budget.spendBytes(Math.ceil(1.5 * head.length) + Math.max(head.nameLength, 0), slice.offset);
    this.#tagBytes.shrinkTo(0);
    this.#tags.read(head.tagLine, this.#tagBytes);
    const mappingQuality = (head.flags & BAM_FLAG.unmapped) === 0 ? this.#decodeMapped() : this.#decodeUnmapped();
    this.#addReadGroup();
    slice.budget.spendBytes(this.#tagBytes.length, slice.offset);
    const hasName = head.nameLength > 0;
    const parts = this.#parts;
    parts.mappingQuality = mappingQuality;
    parts.nameBytes = nameBytes;
    parts.nameStart = nameStart;
    parts.nameLength = hasName ? head.nameLength : 0;
    parts.qualities = (head.cramFlags & CRAM_FLAG.hasQualities) === 0 ? undefined : series.bytes.QS;
    this.#positions[record] = this.#writer.write(head, this.#alignment, parts);
    if (!hasName) this.#nameless.push(record);
    this.#lasts[record] = this.#alignment.last;
    if (head.mateDistance >= 0) {
      this.#next[record] = record + 1 + head.mateDistance;
      this.#hasMates = true;
    }
    const detachedOrExplicit = CRAM_FLAG.hasTemplateLength | CRAM_FLAG.isDetached;
    if ((head.cramFlags & detachedOrExplicit) === CRAM_FLAG.hasTemplateLength) this.#hasTemplateLength[record] = 1;
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

  /** Decodes the features of a mapped record, and returns its mapping quality. */
  #decodeMapped(): number {
    const { series } = this.#options.source;
    const head = this.#head;
    const alignment = this.#alignment;
    alignment.startRecord();
    const reference = this.#referenceOf(head);
    const lacksTags = !(this.#tags.hasMd && this.#tags.hasNm);
    const hasBases = (head.cramFlags & CRAM_FLAG.lacksSequence) === 0;
    const addsMismatches = this.#options.generateMismatchTags && lacksTags && hasBases;
    alignment.decode(reference, addsMismatches);
    const mappingQuality = series.numbers.MQ.read();
    if (reference !== undefined && addsMismatches) this.#addMismatches();
    return mappingQuality & 0xff;
  }

  #decodeUnmapped(): number {
    const { bytes } = this.#options.source.series;
    const { length } = this.#head;
    const alignment = this.#alignment;
    alignment.startRecord();
    if (length > 0) bytes.BA.readInto(alignment.bases, 0, length);
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

  /** Adds MD and NM unless the record has them. */
  #addMismatches(): void {
    const { md, nm } = this.#alignment.mismatches;
    const tags = this.#tagBytes;
    if (!this.#tags.hasMd) {
      appendText(tags, 'MDZ');
      tags.copy(md.memory, 0, md.length);
      tags.uint8(0);
    }
    if (this.#tags.hasNm) return;
    const size = nm < 2 ** 8 ? 1 : nm < 2 ** 16 ? 2 : 4;
    appendText(tags, size === 1 ? 'NMC' : size === 2 ? 'NMS' : 'NMI');
    for (let byte = 0; byte < size; byte++) tags.uint8((nm >>> (8 * byte)) & 0xff);
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
    appendText(this.#tagBytes, 'RGZ');
    this.#tagBytes.copy(id, 0, id.length);
    this.#tagBytes.uint8(0);
  }

  #invalid(message: string): FormatError {
    return invalidData(message, this.#options.source.slice.offset);
  }
}

function appendText(output: ByteWriter, text: string): void {
  for (let at = 0; at < text.length; at++) output.uint8(text.charCodeAt(at));
}
