import { decodeText } from '@htskit/io';
import { IndexError, quoteName } from '../index-error.js';

/** A line of a FAI index: the location of one sequence in a FASTA or FASTQ file (samtools faidx(5)). */
export interface FaiRecord {
  readonly name: string;
  /** Length of the sequence in bases. */
  readonly length: number;
  /** Offset of the first base in the uncompressed file, in bytes. */
  readonly offset: number;
  /** Bases per line. The last line may have fewer. */
  readonly lineBases: number;
  /** Bytes per line, including the line end. The last line may have fewer. */
  readonly lineBytes: number;
  /** FASTQ only: offset of the first quality in the uncompressed file. Its lines have the lengths of those of the bases. */
  readonly qualityOffset?: number;
}

/**
 * Parses a FAI index: lines of five columns separated by tabs, or of six for FASTQ. Throws `IndexError` INVALID_DATA for a
 * malformed line, a number of columns that differs from the first line's, contradictory columns, or a duplicate name.
 *
 * @example
 * const records = parseFai(readFileSync('genome.fa.fai'));
 */
export function parseFai(bytes: Uint8Array): FaiRecord[] {
  const records = new Map<string, FaiRecord>();
  let first: FaiRecord | undefined;
  for (const { record, offset } of parseFaiLines(bytes)) {
    if (records.has(record.name)) throw invalidLine(offset, `duplicate name ${quoteName(record.name)}`);
    first ??= record;
    if (isFastq(record) !== isFastq(first)) throw invalidLine(offset, 'expected six columns in all lines or in none');
    records.set(record.name, record);
  }
  return [...records.values()];
}

/**
 * Parses complete lines of a FAI index one by one, for indexes of millions of lines. Throws `IndexError` INVALID_DATA for a
 * malformed line; unlike `parseFai`, it compares no lines with each other. Offsets are those within `bytes`.
 */
export function* parseFaiLines(
  bytes: Uint8Array,
): Generator<{ readonly record: FaiRecord; readonly offset: number }, void> {
  for (let offset = 0; offset < bytes.length; ) {
    const newline = bytes.indexOf(0x0a, offset);
    const end = newline === -1 ? bytes.length : newline;
    const line = decodeText(bytes, offset, end).replace(/\r$/, '');
    if (line !== '') yield { record: parseLine(line, offset), offset };
    offset = end + 1;
  }
}

function parseLine(line: string, offset: number): FaiRecord {
  const [name = '', ...columns] = line.split('\t');
  if (name === '' || !/^(?:\d+\t){3,4}\d+$/.test(columns.join('\t'))) {
    throw invalidLine(offset, 'expected a name and four or five numbers separated by tabs');
  }
  const [length = 0, byteOffset = 0, lineBases = 0, lineBytes = 0, qualityOffset] = columns.map(Number);
  const sequence: FaiRecord = { name, length, offset: byteOffset, lineBases, lineBytes };
  const record = qualityOffset === undefined ? sequence : { ...sequence, qualityOffset };
  if (lineBases > lineBytes || (lineBases === 0 && length > 0)) {
    throw invalidLine(offset, `lines of ${lineBytes} bytes cannot contain ${lineBases} bases`);
  }
  const offsets = [record, { ...record, offset: qualityOffset ?? 0 }].map((part) => baseOffset(part, length));
  if (![length, lineBytes, ...offsets].every(Number.isSafeInteger)) {
    throw invalidLine(offset, 'a number exceeds 2^53 - 1');
  }
  return record;
}

function isFastq({ qualityOffset }: FaiRecord): boolean {
  return qualityOffset !== undefined;
}

function invalidLine(offset: number, message: string): IndexError {
  return new IndexError('INVALID_DATA', message, { offset });
}

/**
 * Formats a FAI index as samtools does. Names that are not UTF-8 need `encodeText` of `@htskit/io` when the text is written.
 *
 * @example
 * writeFileSync('genome.fa.fai', encodeText(formatFai(builder.finish())));
 */
export function formatFai(records: readonly FaiRecord[]): string {
  const lines = records.map(({ name, length, offset, lineBases, lineBytes, qualityOffset }) => {
    const columns = [name, length, offset, lineBases, lineBytes];
    return `${(qualityOffset === undefined ? columns : [...columns, qualityOffset]).join('\t')}\n`;
  });
  return lines.join('');
}

/**
 * Returns the offset of a base in the uncompressed FASTA, in bytes. `base` is 0-based and at most the length of the sequence,
 * for which the offset is after the last base. Throws RangeError for any other base.
 *
 * @example
 * const range = { start: baseOffset(record, 1_000), end: baseOffset(record, 2_000) };
 */
export function baseOffset({ length, offset, lineBases, lineBytes }: FaiRecord, base: number): number {
  if (!(base >= 0 && base <= length))
    throw new RangeError(`base ${base} is outside of the sequence of ${length} bases`);
  if (lineBases === 0) return offset;
  const line = Math.floor(base / lineBases);
  return offset + line * lineBytes + (base - line * lineBases);
}
