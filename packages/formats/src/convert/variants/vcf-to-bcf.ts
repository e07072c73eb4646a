import { findByte } from '#find-byte';
import { CHARACTER, FLOAT_MISSING } from '../../bcf/typed-value.js';
import { writeCharacters, writeDescriptor, writeIntegers } from '../../bcf/typed-value-writer.js';
import type { ByteWriter } from '../../bytes/byte-writer.js';
import { NumberReader } from '../../bytes/number-reader.js';
import { invalidData } from '../../format-error.js';
import type { RecordLimits } from '../../records/record-splitter.js';
import { contentEnd, isRecordLine, parseVcfRecordSpan, VCF_LAYOUT } from '../../vcf/record.js';
import { VariantHeader, type VariantHeaderInput } from '../../vcf/variant-header.js';
import { NameLookup } from '../name-lookup.js';
import { createRecordConverter, type RecordConverter } from '../record-converter.js';
import { FormatEncoder } from './vcf-format.js';
import { InfoEncoder } from './vcf-info.js';

const [TAB, LINE_FEED, DOT, COMMA, SEMICOLON, LESS] = [0x09, 0x0a, 0x2e, 0x2c, 0x3b, 0x3c];
const [CHROM, POS, ID, REF, ALT, QUAL, FILTER, INFO, FORMAT] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const MAX_POSITION = 2 ** 31 - 1;
const MAX_ALLELES = 65_535;
/** Bytes of the fixed-size fields of a record, the two lengths included (VCFv4.3 §6.3.1). */
const FIXED_BYTES = 32;
const LENGTHS_BYTES = 8;

/**
 * Creates a converter of uncompressed VCF lines, without the header, to BCF records, as `bcftools view -Ou` writes them. The
 * values of INFO and FORMAT are typed by the header. Lines end with LF or CRLF, the last one optionally with the data. Blank lines
 * and lines that start with `#` are dropped.
 *
 * Throws `FormatError` `INVALID_DATA` for a header without a valid line `#CHROM`. Its methods throw it for lines that are not
 * valid VCF and for contigs, filters and keys that the header does not declare: the output's header would lack them.
 *
 * @example
 * ```ts
 * import { createVcfToBcf, parseVcfHeader } from '@htskit/formats';
 * import { toOwned } from '@htskit/io';
 *
 * export function toBcf(data: Uint8Array): Uint8Array[] {
 *   const header = parseVcfHeader(data);
 *   const converter = createVcfToBcf(header);
 *   return [converter.header, ...converter.push(data.subarray(header.byteLength)).map(toOwned)]; // complete lines only
 * }
 * ```
 */
export function createVcfToBcf(header: VariantHeaderInput, limits: RecordLimits = {}): RecordConverter {
  const variantHeader = new VariantHeader(header);
  variantHeader.checkConvertible();
  const encoder = new VcfEncoder(variantHeader);
  return createRecordConverter({
    ...VCF_LAYOUT,
    limits,
    header: variantHeader.toBcf(),
    convert(bytes, at, end, writer) {
      if (!isRecordLine(bytes, at, end)) return;
      const lineEnd = contentEnd(bytes, at, end);
      if (lineEnd < bytes.length) encoder.encode(writer, bytes, at, lineEnd);
      else encoder.encode(writer, withLineFeed(bytes.subarray(at)), 0, lineEnd - at);
    },
  });
}

/** Returns the last line of a file that does not end with a line end. With it, values are read without comparing offsets. */
function withLineFeed(line: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(line.length + 1);
  bytes.set(line);
  bytes[line.length] = LINE_FEED;
  return bytes;
}

class VcfEncoder {
  readonly #header: VariantHeader;
  readonly #contigs: NameLookup;
  readonly #strings: NameLookup;
  readonly #info: InfoEncoder;
  readonly #format: FormatEncoder;
  readonly #numbers = new NumberReader();
  /** The offset of each column. */
  readonly #starts = new Int32Array(FORMAT + 1);
  #filterIds = new Int32Array(16);

  constructor(header: VariantHeader) {
    this.#header = header;
    this.#contigs = new NameLookup(header.contigs);
    this.#strings = new NameLookup(header.strings);
    this.#info = new InfoEncoder(this.#strings);
    this.#format = new FormatEncoder(this.#strings, header);
  }

  /** Writes the record of the line [at, end), whose line end is at `end`. */
  encode(writer: ByteWriter, bytes: Uint8Array, at: number, end: number): void {
    this.#split(bytes, at, end);
    const start = writer.reserve(FIXED_BYTES);
    const chromEnd = this.#columnEnd(CHROM);
    const contig = this.#contigs.find(bytes, at, chromEnd);
    if (contig === undefined) throw invalidData('header does not declare a contig', at);
    const position = this.#readPosition(bytes);
    this.#info.position = position;
    const alleleCount = this.#writeSite(writer, bytes);
    this.#writeFilters(writer, bytes);
    this.#writeInfo(writer, bytes);
    const sharedEnd = writer.length;
    const formatCount = this.#writeFormat(writer, bytes, end);
    const { view } = writer;
    view.setUint32(start, sharedEnd - start - LENGTHS_BYTES, true);
    view.setUint32(start + 4, writer.length - sharedEnd, true);
    view.setInt32(start + 8, contig.index, true);
    view.setInt32(start + 12, position, true);
    view.setInt32(start + 16, this.#readLength(bytes, { at, end, position }), true);
    this.#setQuality(view, start + 20, bytes);
    view.setUint16(start + 24, this.#info.count, true);
    view.setUint16(start + 26, alleleCount, true);
    view.setUint32(start + 28, formatCount * 2 ** 24 + this.#header.samples.length, true);
  }

  /** Finds the columns of the line [at, end). */
  #split(bytes: Uint8Array, at: number, end: number): void {
    const starts = this.#starts;
    let start = at;
    for (let column = CHROM; column < INFO; column++) {
      starts[column] = start;
      while (start < end && bytes[start] !== TAB) start++;
      if (start === end) throw invalidData('record has fewer than eight columns', at);
      start++;
    }
    starts[INFO] = start;
    // INFO is long: a search is faster than a loop.
    const infoEnd = findByte(bytes, TAB, start);
    starts[FORMAT] = infoEnd === -1 || infoEnd > end ? end + 1 : infoEnd + 1;
  }

  #start(column: number): number {
    return this.#starts[column] ?? 0;
  }

  #columnEnd(column: number): number {
    return this.#start(column + 1) - 1;
  }

  #isMissing(bytes: Uint8Array, column: number): boolean {
    return this.#columnEnd(column) === this.#start(column) + 1 && bytes[this.#start(column)] === DOT;
  }

  /** Returns the 0-based position. */
  #readPosition(bytes: Uint8Array): number {
    const start = this.#start(POS);
    const position = this.#numbers.integer(bytes, start);
    const isWhole = this.#numbers.end === this.#columnEnd(POS) && this.#numbers.end > start;
    if (isWhole && position >= 0 && position <= MAX_POSITION) return position - 1;
    throw invalidData('POS is not an integer from 0 to 2^31 - 1', start);
  }

  /** Writes ID, REF and ALT, and returns the number of alleles. */
  #writeSite(writer: ByteWriter, bytes: Uint8Array): number {
    if (this.#isMissing(bytes, ID)) writeDescriptor(writer, 0, CHARACTER);
    else writeCharacters(writer, bytes, this.#start(ID), this.#columnEnd(ID));
    writeCharacters(writer, bytes, this.#start(REF), this.#columnEnd(REF));
    if (this.#isMissing(bytes, ALT)) return 1;
    let count = 1;
    const end = this.#columnEnd(ALT);
    for (let at = this.#start(ALT), alleleStart = at; at <= end; at++) {
      if (at < end && bytes[at] !== COMMA) continue;
      writeCharacters(writer, bytes, alleleStart, at);
      alleleStart = at + 1;
      if (++count > MAX_ALLELES) throw invalidData(`record has over ${MAX_ALLELES} alleles`, this.#start(ALT));
    }
    return count;
  }

  #writeFilters(writer: ByteWriter, bytes: Uint8Array): void {
    const start = this.#start(FILTER);
    const columnEnd = this.#columnEnd(FILTER);
    const end = columnEnd > start && bytes[columnEnd - 1] === SEMICOLON ? columnEnd - 1 : columnEnd;
    let count = 0;
    for (let at = start; at <= end && !this.#isMissing(bytes, FILTER); at++) {
      const nameStart = at;
      while (at < end && bytes[at] !== SEMICOLON) at++;
      const entry = this.#strings.find(bytes, nameStart, at);
      if (entry === undefined) throw invalidData('header does not declare a filter', nameStart);
      if (count === this.#filterIds.length) this.#growFilters();
      this.#filterIds[count++] = entry.index;
    }
    writeIntegers(writer, this.#filterIds, count);
  }

  #growFilters(): void {
    const grown = new Int32Array(2 * this.#filterIds.length);
    grown.set(this.#filterIds);
    this.#filterIds = grown;
  }

  #writeInfo(writer: ByteWriter, bytes: Uint8Array): void {
    const start = this.#start(INFO);
    this.#info.encode(writer, bytes, start, this.#isMissing(bytes, INFO) ? start : this.#columnEnd(INFO));
  }

  /** Writes FORMAT and the samples, and returns the number of keys. */
  #writeFormat(writer: ByteWriter, bytes: Uint8Array, end: number): number {
    if (this.#header.samples.length === 0) return 0;
    const start = this.#start(FORMAT);
    if (start > end) throw invalidData('record lacks the columns of the samples', this.#start(CHROM));
    this.#format.encode(writer, bytes, start, end);
    return this.#format.count;
  }

  /** Returns rlen: the bases that the record covers. Only those of symbolic alleles need another look at the columns. */
  #readLength(
    bytes: Uint8Array,
    { at, end, position }: { readonly at: number; readonly end: number; readonly position: number },
  ): number {
    if (bytes.subarray(this.#start(ALT), this.#columnEnd(ALT)).includes(LESS)) {
      return parseVcfRecordSpan(bytes.subarray(at, end)).baseEnd - position;
    }
    const { baseEnd = position } = this.#info;
    return Math.max(this.#columnEnd(REF) - this.#start(REF), baseEnd - position);
  }

  #setQuality(view: DataView, at: number, bytes: Uint8Array): void {
    if (this.#isMissing(bytes, QUAL)) view.setUint32(at, FLOAT_MISSING, true);
    else view.setFloat32(at, this.#numbers.float(bytes, this.#start(QUAL), this.#columnEnd(QUAL)), true);
  }
}
