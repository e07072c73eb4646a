import { decodeText } from '@htskit/io';
import { ByteWriter } from '../bytes/byte-writer.js';
import { referenceNames, writeSamLine } from '../convert/alignments/sam-line.js';
import { FormatError } from '../format-error.js';
import { printAsJson } from '../records/print-as-json.js';
import { type AlignmentJson, toAlignmentJson } from './alignment-json.js';
import { decodeBases } from './bases.js';
import { type CigarOperation, type CigarOperationType, cigarType, forEachOperation, formatCigar } from './cigar.js';
import type { BamHeader } from './header.js';
import type { Mismatch, MismatchOptions, ReferenceBases, VisitMismatch } from './mismatches/mismatch.js';
import { listMismatches } from './mismatches/mismatch-list.js';
import { walkMismatches } from './mismatches/mismatch-walk.js';
import {
  baseCount,
  baseEnd,
  baseStart,
  basesStart,
  checkRecord,
  cigarStart,
  cigarTagStart,
  mappingQuality,
  mateReferenceId,
  mateStart,
  NO_QUALITY,
  nameStart,
  openRecordData,
  qualitiesStart,
  readRecordLength,
  recordEnd,
  recordFlags,
  referenceId,
  tagsStart,
  templateLength,
} from './record-fields.js';
import { TagFinder } from './tags/tag-finder.js';
import { type AlignmentTag, type AlignmentTagValue, parseBamTag } from './tags/tag-values.js';
import { bamTagEnd } from './tags/tags.js';

const NO_DATA = openRecordData(new Uint8Array(0));
const writer = new ByteWriter();
/** Shared by all views: most callers read the tags of one record after another. */
const finder = new TagFinder();

/**
 * A view of one BAM record (SAMv1 §4.2). Each property decodes its field when it is read, so nothing is decoded or copied
 * before. The view can be moved to another record with `at`.
 *
 * Properties that read tags or a CIGAR in the tag CG throw `FormatError` `INVALID_DATA` if a tag is malformed.
 *
 * @example
 * ```ts
 * import { AlignmentRecord } from '@htskit/formats';
 *
 * export function* namesOf(records: Uint8Array): Generator<string> {
 *   const record = new AlignmentRecord();
 *   for (let at = 0; at < records.length; at = record.byteEnd) yield record.at(records, at).name;
 * }
 * ```
 */
export class AlignmentRecord {
  static {
    printAsJson('AlignmentRecord', AlignmentRecord.prototype);
  }

  #data = NO_DATA;
  #at = 0;

  /** Creates a view of the record at `offset`, by default a view that `at` must move to a record before anything is read. */
  constructor(bytes?: Uint8Array, offset = 0) {
    if (bytes !== undefined) this.at(bytes, offset);
  }

  /**
   * Moves the view to the record that starts at `offset`, and returns it. Throws `FormatError` `TRUNCATED` if the record is
   * incomplete, `INVALID_DATA` if its parts exceed its length, and `LIMIT_EXCEEDED` if it is over 256 MiB.
   */
  at(bytes: Uint8Array, offset: number): this {
    if (bytes !== this.#data.bytes) this.#data = openRecordData(bytes);
    return this.#moveTo(offset);
  }

  /** Returns a new view of another record in the same bytes, in half of the time of the constructor. Throws what `at` throws. */
  viewAt(offset: number): AlignmentRecord {
    const record = new AlignmentRecord();
    record.#data = this.#data;
    return record.#moveTo(offset);
  }

  #moveTo(offset: number): this {
    const { bytes, view } = this.#data;
    const length = readRecordLength(view, offset);
    if (length === undefined || bytes.length - offset < length) {
      throw new FormatError('TRUNCATED', 'data ends within a record', { offset });
    }
    checkRecord(view, offset);
    this.#at = offset;
    finder.forget();
    return this;
  }

  /** The offset just after the record. */
  get byteEnd(): number {
    return recordEnd(this.#data.view, this.#at);
  }

  /** The bytes of the record, block_size included: a view. */
  get bytes(): Uint8Array {
    return this.#data.bytes.subarray(this.#at, this.byteEnd);
  }

  /** QNAME; `*` if the record has no name. */
  get name(): string {
    return decodeText(this.#data.bytes, nameStart(this.#at), cigarStart(this.#data.view, this.#at) - 1);
  }

  /** FLAG. */
  get flags(): number {
    return recordFlags(this.#data.view, this.#at);
  }

  /** Whether the template has several segments (0x1). */
  get isPaired(): boolean {
    return (this.flags & 0x1) !== 0;
  }

  /** Whether all segments are aligned as they should be (0x2). */
  get isProperPair(): boolean {
    return (this.flags & 0x2) !== 0;
  }

  /** Whether this segment is unmapped (0x4). */
  get isUnmapped(): boolean {
    return (this.flags & 0x4) !== 0;
  }

  /** Whether the next segment is unmapped (0x8). */
  get isMateUnmapped(): boolean {
    return (this.flags & 0x8) !== 0;
  }

  /** Whether SEQ is reverse complemented (0x10). */
  get isReverse(): boolean {
    return (this.flags & 0x10) !== 0;
  }

  /** Whether SEQ of the next segment is reverse complemented (0x20). */
  get isMateReverse(): boolean {
    return (this.flags & 0x20) !== 0;
  }

  /** Whether this is the first segment of the template (0x40). */
  get isFirstInPair(): boolean {
    return (this.flags & 0x40) !== 0;
  }

  /** Whether this is the last segment of the template (0x80). */
  get isSecondInPair(): boolean {
    return (this.flags & 0x80) !== 0;
  }

  /** Whether the alignment is secondary (0x100). */
  get isSecondary(): boolean {
    return (this.flags & 0x100) !== 0;
  }

  /** Whether the read fails filters such as platform or vendor checks (0x200). */
  get isQcFail(): boolean {
    return (this.flags & 0x200) !== 0;
  }

  /** Whether the read is a PCR or optical duplicate (0x400). */
  get isDuplicate(): boolean {
    return (this.flags & 0x400) !== 0;
  }

  /** Whether the alignment is supplementary (0x800). */
  get isSupplementary(): boolean {
    return (this.flags & 0x800) !== 0;
  }

  /** The index of the reference in the header; −1 for a record without a reference. */
  get referenceId(): number {
    return referenceId(this.#data.view, this.#at);
  }

  /** The first base that the alignment covers, 0-based; −1 for a record without a position. */
  get start(): number {
    return baseStart(this.#data.view, this.#at);
  }

  /** The end of the alignment, exclusive. A record that is unmapped, or covers no base, is one base long, as in htslib. */
  get end(): number {
    return baseEnd(this.#data.view, this.#at);
  }

  /** MAPQ; 255 if it is not available. */
  get mappingQuality(): number {
    return mappingQuality(this.#data.view, this.#at);
  }

  /** The index of the next segment's reference; −1 without one. */
  get mateReferenceId(): number {
    return mateReferenceId(this.#data.view, this.#at);
  }

  /** The position of the next segment, 0-based; −1 without one. */
  get mateStart(): number {
    return mateStart(this.#data.view, this.#at);
  }

  /** TLEN. */
  get templateLength(): number {
    return templateLength(this.#data.view, this.#at);
  }

  /** CIGAR, also one of more than 65,535 operations, which the tag CG holds (SAMv1 §4.2.2). */
  get cigar(): CigarOperation[] {
    const operations: CigarOperation[] = [];
    this.forEachCigar((operation, length) => operations.push({ operation, length }));
    return operations;
  }

  /** CIGAR as text; `*` if it is not available. */
  get cigarText(): string {
    return formatCigar(this.#data.view, this.#at);
  }

  /** Calls `visit` for each operation of CIGAR, without creating objects. */
  forEachCigar(visit: (operation: CigarOperationType, length: number) => void): void {
    forEachOperation(this.#data.view, this.#at, (operation) => visit(cigarType(operation), operation >>> 4));
  }

  /** The length of SEQ in bases. */
  get sequenceLength(): number {
    return baseCount(this.#data.view, this.#at);
  }

  /** SEQ in upper case; empty if it is not stored. */
  get sequence(): string {
    const { view } = this.#data;
    return decodeBases(view, { at: basesStart(view, this.#at), count: baseCount(view, this.#at) });
  }

  /** QUAL as Phred scores, a view of the record; undefined if they are not stored. */
  get qualities(): Uint8Array | undefined {
    const start = qualitiesStart(this.#data.view, this.#at);
    const count = this.sequenceLength;
    if (count === 0 || this.#data.bytes[start] === NO_QUALITY) return undefined;
    return this.#data.bytes.subarray(start, start + count);
  }

  /** Returns the value of a tag; undefined without that tag, and for the tag CG that holds the CIGAR. */
  tag(name: string): AlignmentTagValue | undefined {
    return finder.find(this.#data, this.#at, name);
  }

  /** Yields the tags in their order, except for the tag CG that holds the CIGAR. */
  *tags(): Generator<AlignmentTag, void> {
    const { view } = this.#data;
    const tagsEnd = this.byteEnd;
    const cigarTag = cigarTagStart(view, this.#at);
    for (let at = tagsStart(view, this.#at); at < tagsEnd; ) {
      const end = bamTagEnd(view, at, tagsEnd);
      if (at !== cigarTag) yield parseBamTag(this.#data, at, end);
      at = end;
    }
  }

  /**
   * Yields where the alignment differs from its reference: by the given bases, which must cover it, otherwise by the tag MD.
   * Yields nothing for an unmapped record. Throws `FormatError` `INVALID_DATA` for an MD that does not match the CIGAR.
   */
  mismatches(reference?: ReferenceBases): Generator<Mismatch, void> {
    return listMismatches(this.#data.view, this.#at, reference);
  }

  /**
   * Calls `visit` for what `mismatches` yields, without creating objects: several times as fast. Throws what `mismatches` throws.
   */
  forEachMismatch(visit: VisitMismatch, options?: MismatchOptions): void {
    walkMismatches(this.#data.view, this.#at, visit, options);
  }

  /**
   * Returns the record as a line of SAM text without its line feed, as `samtools view` prints it. Throws `FormatError`
   * `INVALID_DATA` for malformed tags and for a reference that the header lacks.
   */
  toSam(header: Pick<BamHeader, 'references'>): string {
    writer.shrinkTo(0);
    writeSamLine(writer, this.#data.view, this.#at, referenceNames(header.references));
    return writer.takeText();
  }

  /** Returns the fields as plain values, for `JSON.stringify`. Throws `FormatError` `INVALID_DATA` for malformed tags. */
  toJSON(): AlignmentJson {
    return toAlignmentJson(this);
  }
}
