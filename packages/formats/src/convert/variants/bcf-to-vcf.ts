import { encodeText } from '@htskit/io';
import { BcfRecords, countMissing, LENGTHS_BYTES, MAX_SAMPLES, RECORD_FIELDS } from '../../bcf/record.js';
import { CHARACTER, INT8, INT16, INT32, TypedValueReader } from '../../bcf/typed-value.js';
import type { ByteWriter } from '../../bytes/byte-writer.js';
import { invalidData } from '../../format-error.js';
import type { RecordLimits } from '../../records/record-splitter.js';
import { type Dictionary, VariantHeader, type VariantHeaderInput } from '../../vcf/variant-header.js';
import { checkPlain } from '../name-lookup.js';
import { createRecordConverter, type RecordConverter } from '../record-converter.js';
import {
  maxTextLength,
  readElement,
  writeFloatBits,
  writeGenotypeAt,
  writeVector,
  writeVectorAt,
} from './bcf-values.js';

const [TAB, LINE_FEED, DOT, COMMA, COLON, SEMICOLON, EQUALS] = [0x09, 0x0a, 0x2e, 0x2c, 0x3a, 0x3b, 0x3d];
/** Offsets of the fields of a record (VCFv4.3 §6.3.1). */
const [CHROM, POS, QUAL, VALUES_START] = [8, 12, 20, 32];
/** From this version on, the phase of the first allele counts (VCFv4.4 §6.3.3). */
const FIRST_PHASE_VERSION = 404;
const GENOTYPE = 'GT';
const MISSING_SAMPLE = Uint8Array.of(TAB, DOT);

/**
 * Creates a converter of uncompressed BCF records, without the header, to VCF lines, as `bcftools view -Ov` prints them. Throws
 * `FormatError` `INVALID_DATA` for a header without a valid line `#CHROM` and for conflicting numbers. Its methods throw it for
 * malformed records and for contigs, filters and keys that the header does not declare.
 *
 * @example
 * ```ts
 * import { createBcfToVcf, parseBcfHeader } from '@htskit/formats';
 * import { toOwned } from '@htskit/io';
 *
 * export function toVcf(data: Uint8Array): Uint8Array[] {
 *   const header = parseBcfHeader(data);
 *   const converter = createBcfToVcf(header);
 *   return [converter.header, ...converter.push(data.subarray(header.byteLength)).map(toOwned)]; // complete records only
 * }
 * ```
 */
export function createBcfToVcf(header: VariantHeaderInput, limits: RecordLimits = {}): RecordConverter {
  const variantHeader = new VariantHeader(header);
  variantHeader.checkConvertible();
  return createRecordConverter<BcfLineWriter>({
    isEndedByData: false,
    limits,
    open: (bytes) => new BcfLineWriter(bytes, variantHeader),
    recordEnd: (records, at) => records.recordEnd(at),
    countMissing,
    header: encodeText(variantHeader.toVcf()),
    convert: (records, at, end, writer) => records.writeLine(writer, at, end),
  });
}

/** Uncompressed BCF data whose records are written as lines. */
export class BcfLineWriter {
  readonly #records: BcfRecords;
  readonly #view: DataView;
  readonly #values: TypedValueReader;
  readonly #header: VariantHeader;
  /** The number of GT. */
  readonly #genotypeKey: number | undefined;
  /** A reader for each key of FORMAT. */
  readonly #fields: SampleField[] = [];
  /** The maximum number of bytes that the values of a sample take. */
  #maxRowLength = 0;

  constructor(bytes: Uint8Array, header: VariantHeader) {
    this.#records = new BcfRecords(bytes);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#values = new TypedValueReader(this.#view);
    this.#header = header;
    this.#genotypeKey = header.strings.byName.get(GENOTYPE)?.index;
  }

  /** Returns the offset just after the record that starts at `at`, or undefined if it is incomplete. */
  recordEnd(at: number): number | undefined {
    return this.#records.endAt(at);
  }

  /** Writes the record [at, end) as a line. */
  writeLine(writer: ByteWriter, at: number, end: number): void {
    const view = this.#view;
    const sharedEnd = at + LENGTHS_BYTES + view.getUint32(at, true);
    this.#values.enter(at + VALUES_START, sharedEnd);
    this.#writeName(writer, this.#header.contigs, view.getInt32(at + CHROM, true), at);
    writer.uint8(TAB);
    writer.decimal(view.getInt32(at + POS, true) + 1);
    writer.uint8(TAB);
    this.#writeTextValue(writer);
    const alleleCount = view.getUint16(at + RECORD_FIELDS.alleleCount, true);
    if (alleleCount === 0) throw invalidData('record has no REF', at);
    this.#writeAlleles(writer, alleleCount);
    writer.uint8(TAB);
    writeFloatBits(writer, view, at + QUAL);
    writer.uint8(TAB);
    this.#writeFilters(writer);
    writer.uint8(TAB);
    this.#writeInfo(writer, view.getUint16(at + RECORD_FIELDS.infoCount, true));
    this.#values.checkEnd();
    this.#values.enter(sharedEnd, end);
    const sampleCount = view.getUint32(at + RECORD_FIELDS.sampleCount, true) & MAX_SAMPLES;
    if (sampleCount !== this.#header.samples.length) {
      throw invalidData(`record has ${sampleCount} samples, but the header ${this.#header.samples.length}`, at);
    }
    if (sampleCount > 0) this.#writeSamples(writer, view.getUint8(at + RECORD_FIELDS.formatCount), sampleCount);
    this.#values.checkEnd();
    writer.uint8(LINE_FEED);
  }

  #writeName(writer: ByteWriter, dictionary: Dictionary, index: number, at: number): void {
    const entry = dictionary.entries[index];
    if (entry === undefined) throw invalidData(`header does not declare number ${index}`, at);
    checkPlain(entry, at);
    writer.copy(entry.bytes, 0, entry.bytes.length);
  }

  /** Writes the next value, which must be a text. */
  #writeTextValue(writer: ByteWriter): void {
    this.#values.read();
    if (this.#values.type !== CHARACTER) throw invalidData('ID or an allele is not a text', this.#values.start);
    writeVector(writer, this.#view, this.#values);
  }

  #writeAlleles(writer: ByteWriter, count: number): void {
    writer.uint8(TAB);
    this.#writeTextValue(writer);
    writer.uint8(TAB);
    if (count === 1) writer.uint8(DOT);
    for (let allele = 1; allele < count; allele++) {
      if (allele > 1) writer.uint8(COMMA);
      this.#writeTextValue(writer);
    }
  }

  #writeFilters(writer: ByteWriter): void {
    this.#values.read();
    const { type, count, start, elementBytes } = this.#values;
    if (count === 0) {
      writer.uint8(DOT);
      return;
    }
    if (type !== INT8 && type !== INT16 && type !== INT32) throw invalidData('FILTER is not integers', start);
    for (let i = 0; i < count; i++) {
      const at = start + i * elementBytes;
      if (i > 0) writer.uint8(SEMICOLON);
      this.#writeName(writer, this.#header.strings, readElement(this.#view, at, type), at);
    }
  }

  #writeInfo(writer: ByteWriter, count: number): void {
    if (count === 0) writer.uint8(DOT);
    for (let i = 0; i < count; i++) {
      if (i > 0) writer.uint8(SEMICOLON);
      const { at } = this.#values;
      this.#writeName(writer, this.#header.strings, this.#values.readInteger(), at);
      this.#values.read();
      if (this.#values.count === 0) continue;
      writer.uint8(EQUALS);
      writeVector(writer, this.#view, this.#values);
    }
  }

  #writeSamples(writer: ByteWriter, keyCount: number, sampleCount: number): void {
    writer.uint8(TAB);
    if (keyCount === 0) writer.uint8(DOT);
    const hasFirstPhase = this.#header.version >= FIRST_PHASE_VERSION;
    this.#fields.length = 0;
    this.#maxRowLength = 0;
    for (let i = 0; i < keyCount; i++) {
      if (i > 0) writer.uint8(COLON);
      const { at } = this.#values;
      const key = this.#values.readInteger();
      this.#writeName(writer, this.#header.strings, key, at);
      this.#values.read(sampleCount);
      const { type, count, start, elementBytes } = this.#values;
      const isGenotype = key === this.#genotypeKey;
      this.#maxRowLength += maxTextLength(this.#values);
      const rowBytes = count * elementBytes;
      this.#fields.push({ type, count, start, elementBytes, rowBytes, isGenotype, hasFirstPhase });
    }
    if (keyCount > 0) this.#writeRows(writer, sampleCount);
    else for (let sample = 0; sample < sampleCount; sample++) writer.copy(MISSING_SAMPLE, 0, MISSING_SAMPLE.length);
  }

  /** Writes the values of the fields, a column for each sample. */
  #writeRows(writer: ByteWriter, sampleCount: number): void {
    const view = this.#view;
    const fields = this.#fields;
    const room = this.#maxRowLength;
    let { memory, length: to } = writer;
    for (let sample = 0; sample < sampleCount; sample++) {
      if (memory.length - to < room) {
        writer.shrinkTo(to);
        writer.reserve(room);
        memory = writer.memory;
      }
      for (let i = 0; i < fields.length; i++) {
        const field = fields[i];
        if (field === undefined) break;
        memory[to++] = i === 0 ? TAB : COLON;
        to = field.isGenotype ? writeGenotypeAt(memory, to, view, field) : writeVectorAt(memory, to, view, field);
        field.start += field.rowBytes;
      }
    }
    writer.shrinkTo(to);
  }
}

/** The values of a key of FORMAT. */
interface SampleField {
  readonly type: number;
  readonly count: number;
  readonly elementBytes: number;
  /** The offset of the value of the next sample. */
  start: number;
  readonly rowBytes: number;
  readonly isGenotype: boolean;
  readonly hasFirstPhase: boolean;
}
