import { decodeText } from '@htskit/io';
import { findByte } from '#find-byte';
import { BASE_CODES } from '../../bam/bases.js';
import { binOf } from '../../bam/bin.js';
import { CIGAR_CHARACTERS } from '../../bam/cigar.js';
import type { BamHeader } from '../../bam/header.js';
import { softClip, UNMAPPED } from '../../bam/record-fields.js';
import { encodeBamHeader } from '../../bam/sam-header.js';
import type { ByteWriter } from '../../bytes/byte-writer.js';
import { invalidData } from '../../format-error.js';
import type { RecordLimits } from '../../records/record-splitter.js';
import { contentEnd, VCF_LAYOUT } from '../../vcf/record.js';
import { createRecordConverter, type RecordConverter } from '../record-converter.js';
import { writeSamTags } from './sam-tags.js';

const [TAB, ASTERISK, EQUALS, AT] = [0x09, 0x2a, 0x3d, 0x40];
const [ZERO, NINE] = [0x30, 0x39];
const COLUMN_COUNT = 11;
const [QNAME, FLAG, RNAME, POS, MAPQ, CIGAR, RNEXT, PNEXT, TLEN, SEQ, QUAL] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const MAX_NAME_LENGTH = 254;
const MAX_POSITION = 2 ** 31 - 1;
const MAX_OPERATION_LENGTH = 2 ** 28 - 1;
const MAX_OPERATIONS = 65_535;
/** The code of the operation N. */
const SKIP = 3;
const [NO_QUALITY, FIRST_QUALITY, LAST_QUALITY] = [0xff, 33, 126];
/** Bit 0: the operation of this code consumes bases of the read; bit 1: of the reference. */
const CONSUMES = [3, 1, 2, 2, 1, 0, 0, 3, 3];
/** The code of each operation's character; 255 for others. */
const OPERATION_CODES = Uint8Array.from({ length: 256 }, (_, byte) => {
  const code = CIGAR_CHARACTERS.indexOf(byte);
  return code === -1 || code >= CONSUMES.length ? 255 : code;
});
const decoder = new TextDecoder('latin1');

/**
 * Creates a converter of lines of SAM text, without the header, to uncompressed BAM records, as `samtools view -b` writes them:
 * a record whose RNAME the header lacks, or that has no position or CIGAR, becomes unmapped. Lines end with LF or CRLF.
 *
 * Its methods throw `FormatError` `INVALID_DATA` for a line that is not valid SAM, `LIMIT_EXCEEDED` for one over 256 MiB.
 *
 * @example
 * ```ts
 * import { createSamToBam, parseSamHeader } from '@htskit/formats';
 * import { toOwned } from '@htskit/io';
 *
 * export function toBam(text: Uint8Array): Uint8Array[] {
 *   const header = parseSamHeader(text);
 *   const converter = createSamToBam(header);
 *   return [converter.header, ...converter.push(text.subarray(header.byteLength)).map(toOwned)]; // complete lines only
 * }
 * ```
 */
export function createSamToBam(
  header: Pick<BamHeader, 'text' | 'references'>,
  limits: RecordLimits = {},
): RecordConverter {
  const encoder = new SamEncoder(header);
  return createRecordConverter({
    ...VCF_LAYOUT,
    limits,
    header: encodeBamHeader(header),
    convert(bytes, at, end, writer) {
      const lineEnd = contentEnd(bytes, at, end);
      if (lineEnd > at && bytes[at] !== AT) encoder.encode(bytes, at, lineEnd, writer);
    },
  });
}

/** A CIGAR that was written. */
interface WrittenCigar {
  readonly count: number;
  readonly readLength: number;
  readonly referenceLength: number;
}

const NO_CIGAR: WrittenCigar = { count: 0, readLength: 0, referenceLength: 0 };

class SamEncoder {
  readonly #ids: ReadonlyMap<string, number>;
  /** The offset of each column, and that of the first tag. */
  readonly #starts = new Int32Array(COLUMN_COUNT + 1);
  #bytes: Uint8Array = new Uint8Array(0);

  constructor({ references }: Pick<BamHeader, 'references'>) {
    this.#ids = new Map(references.map(({ name }, id) => [name, id]));
  }

  /** Writes the record of the line [at, end). */
  encode(bytes: Uint8Array, at: number, end: number, writer: ByteWriter): void {
    this.#bytes = bytes;
    this.#split(at, end);
    const start = writer.reserve(36);
    const name = this.#columnLength(QNAME);
    if (name > MAX_NAME_LENGTH) throw this.#invalid(QNAME, `QNAME is over ${MAX_NAME_LENGTH} characters`);
    this.#copy(writer, QNAME);
    writer.uint8(0);
    const position = this.#integer(POS, 0, MAX_POSITION) - 1;
    const named = this.#referenceId(RNAME);
    const referenceId = position < 0 ? -1 : named;
    const matePosition = this.#integer(PNEXT, 0, MAX_POSITION) - 1;
    const mateId = this.#isSingle(RNEXT, EQUALS) ? referenceId : this.#referenceId(RNEXT);
    const cigar = this.#writeCigar(writer);
    const isUnmapped = referenceId < 0 || cigar.count === 0;
    const flag = this.#flag() | (isUnmapped ? UNMAPPED : 0);
    const baseCount = this.#writeSequence(writer, cigar);
    writeSamTags(writer, bytes, this.#starts[COLUMN_COUNT] ?? 0, end);
    const covered = (flag & UNMAPPED) === 0 ? Math.max(1, cigar.referenceLength) : 1;
    const mappingQuality = this.#integer(MAPQ, 0, 255);
    const templateLength = this.#integer(TLEN, -MAX_POSITION, MAX_POSITION);
    const operationCount = this.#moveLongCigar(writer, { start: start + 36 + name + 1, cigar, baseCount });
    const { view } = writer;
    view.setUint32(start, writer.length - start - 4, true);
    view.setInt32(start + 4, referenceId, true);
    view.setInt32(start + 8, position, true);
    view.setUint8(start + 12, name + 1);
    view.setUint8(start + 13, mappingQuality);
    view.setUint16(start + 14, binOf(position, position + covered), true);
    view.setUint16(start + 16, operationCount, true);
    view.setUint16(start + 18, flag, true);
    view.setUint32(start + 20, baseCount, true);
    view.setInt32(start + 24, matePosition < 0 ? -1 : mateId, true);
    view.setInt32(start + 28, matePosition, true);
    view.setInt32(start + 32, templateLength, true);
  }

  /** Finds the columns of the line [at, end). */
  #split(at: number, end: number): void {
    const starts = this.#starts;
    let start = at;
    for (let column = 0; column < COLUMN_COUNT; column++) {
      starts[column] = start;
      const tab = findByte(this.#bytes, TAB, start);
      const isLast = tab === -1 || tab >= end;
      if (isLast && column < QUAL) throw invalidData(`line has fewer than ${COLUMN_COUNT} columns`, at);
      start = (isLast ? end : tab) + 1;
    }
    starts[COLUMN_COUNT] = start;
  }

  #start(column: number): number {
    return this.#starts[column] ?? 0;
  }

  #columnEnd(column: number): number {
    return this.#start(column + 1) - 1;
  }

  #columnLength(column: number): number {
    return this.#columnEnd(column) - this.#start(column);
  }

  #isSingle(column: number, byte: number): boolean {
    return this.#columnLength(column) === 1 && this.#bytes[this.#start(column)] === byte;
  }

  #copy(writer: ByteWriter, column: number): void {
    writer.copy(this.#bytes, this.#start(column), this.#columnEnd(column));
  }

  #invalid(column: number, message: string): Error {
    return invalidData(message, this.#start(column));
  }

  #text(column: number): string {
    return decoder.decode(this.#bytes.subarray(this.#start(column), this.#columnEnd(column)));
  }

  #integer(column: number, min: number, max: number): number {
    const text = this.#text(column);
    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw this.#invalid(column, `column ${column + 1} is "${text.slice(0, 40)}", not an integer from ${min} to ${max}`);
  }

  /** Returns FLAG, which may be decimal, hexadecimal (0x…) or octal (0…). */
  #flag(): number {
    const text = this.#text(FLAG);
    const octal = /^0([0-7]+)$/.exec(text)?.[1];
    const value =
      octal === undefined
        ? /^(?:0x[\da-f]+|\d+)$/i.test(text)
          ? Number(text)
          : Number.NaN
        : Number.parseInt(octal, 8);
    if (value <= 0xffff) return value;
    throw this.#invalid(FLAG, `FLAG "${text.slice(0, 40)}" is not an integer below 2^16`);
  }

  /** Returns the index of the reference that a column names; −1 for `*` and, as in htslib, for unknown names. */
  #referenceId(column: number): number {
    if (this.#isSingle(column, ASTERISK)) return -1;
    if (this.#ids.size === 0) throw this.#invalid(column, 'header has no lines @SQ');
    const name = decodeText(this.#bytes, this.#start(column), this.#columnEnd(column));
    return this.#ids.get(name) ?? -1;
  }

  #writeCigar(writer: ByteWriter): WrittenCigar {
    if (this.#isSingle(CIGAR, ASTERISK)) return NO_CIGAR;
    const bytes = this.#bytes;
    const end = this.#columnEnd(CIGAR);
    let [count, readLength, referenceLength] = [0, 0, 0];
    for (let at = this.#start(CIGAR); at < end; count++) {
      const start = at;
      let length = 0;
      for (let digit = bytes[at] ?? 0; digit >= ZERO && digit <= NINE; digit = bytes[++at] ?? 0)
        length = length * 10 + digit - ZERO;
      const code = OPERATION_CODES[bytes[at] ?? 0] ?? 255;
      if (at === start || at >= end || length > MAX_OPERATION_LENGTH || code === 255) {
        throw invalidData('CIGAR has an invalid operation', start);
      }
      writer.int32(length * 16 + code);
      const consumes = CONSUMES[code] ?? 0;
      if ((consumes & 1) !== 0) readLength += length;
      if ((consumes & 2) !== 0) referenceLength += length;
      at++;
    }
    if (count === 0) throw this.#invalid(CIGAR, 'CIGAR is empty');
    return { count, readLength, referenceLength };
  }

  /** Writes SEQ and QUAL, and returns the number of bases. */
  #writeSequence(writer: ByteWriter, cigar: WrittenCigar): number {
    const bytes = this.#bytes;
    const start = this.#start(SEQ);
    const count = this.#isSingle(SEQ, ASTERISK) ? 0 : this.#columnLength(SEQ);
    if (count > 0 && cigar.count > 0 && cigar.readLength !== count) {
      throw this.#invalid(SEQ, `SEQ has ${count} bases, but CIGAR ${cigar.readLength}`);
    }
    for (let i = 0; i < count; i += 2) {
      const second = i + 1 < count ? (BASE_CODES[bytes[start + i + 1] ?? 0] ?? 0) : 0;
      writer.uint8((BASE_CODES[bytes[start + i] ?? 0] ?? 0) * 16 + second);
    }
    const to = writer.reserve(count);
    if (this.#isSingle(QUAL, ASTERISK)) {
      writer.memory.fill(NO_QUALITY, to, to + count);
      return count;
    }
    if (this.#columnLength(QUAL) !== count) throw this.#invalid(QUAL, 'SEQ and QUAL have different lengths');
    const qualities = this.#start(QUAL);
    for (let i = 0; i < count; i++) {
      const character = bytes[qualities + i] ?? 0;
      if (character < FIRST_QUALITY || character > LAST_QUALITY)
        throw invalidData('QUAL has an invalid character', qualities + i);
      writer.memory[to + i] = character - FIRST_QUALITY;
    }
    return count;
  }

  /** Moves a CIGAR of more than 65,535 operations from `start` to the tag CG (SAMv1 §4.2.2). Returns n_cigar_op. */
  #moveLongCigar(
    writer: ByteWriter,
    { start, cigar, baseCount }: { readonly start: number; readonly cigar: WrittenCigar; readonly baseCount: number },
  ): number {
    if (cigar.count <= MAX_OPERATIONS) return cigar.count;
    if (cigar.referenceLength > MAX_OPERATION_LENGTH) {
      throw this.#invalid(CIGAR, 'CIGAR is too long for BAM: it covers 2^28 bases or more');
    }
    const byteLength = 4 * cigar.count;
    const operations = writer.memory.slice(start, start + byteLength);
    writer.memory.copyWithin(start + 8, start + byteLength, writer.length);
    writer.shrinkTo(writer.length - byteLength + 8);
    writer.view.setUint32(start, softClip(baseCount), true);
    writer.view.setUint32(start + 4, cigar.referenceLength * 16 + SKIP, true);
    writer.text('CGBI');
    writer.int32(cigar.count);
    writer.copy(operations, 0, operations.length);
    return 2;
  }
}
