import { IndexError } from '../index-error.js';

/** Where one sequence stands in a FASTA or FASTQ file: a line of a FAI index (samtools faidx(5)). */
export interface FaiRecord {
  readonly name: string;
  /** Bases of the whole sequence. */
  readonly length: number;
  /** Bytes in front of the first base, in the uncompressed FASTA. */
  readonly offset: number;
  /** Bases of each line but the last, which may have fewer. */
  readonly lineBases: number;
  /** Bytes of each line but the last, with its line end. */
  readonly lineBytes: number;
  /** Of FASTQ: bytes in front of the first quality, in the uncompressed file. Its lines are as long as those of bases. */
  readonly qualityOffset?: number;
}

/**
 * Reads a FAI index: lines of five columns separated by tabs, or of six for FASTQ. Throws `IndexError` INVALID_DATA for a
 * line of another form or another number of columns than the first, columns that contradict each other, and a name that
 * comes twice.
 */
export function parseFai(bytes: Uint8Array): FaiRecord[] {
  const records = new Map<string, FaiRecord>();
  let first: FaiRecord | undefined;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for (let offset = 0; offset < bytes.length; ) {
    const newline = bytes.indexOf(0x0a, offset);
    const end = newline === -1 ? bytes.length : newline;
    const line = decoder.decode(bytes.subarray(offset, end)).replace(/\r$/, '');
    if (line !== '') {
      const record = parseLine(line, offset);
      if (records.has(record.name)) throw invalidLine(offset, 'a name comes twice');
      first ??= record;
      if (isFastq(record) !== isFastq(first)) throw invalidLine(offset, 'either all lines have six columns or none');
      records.set(record.name, record);
    }
    offset = end + 1;
  }
  return [...records.values()];
}

function parseLine(line: string, offset: number): FaiRecord {
  const [name = '', ...columns] = line.split('\t');
  if (name === '' || !/^(?:\d+\t){3,4}\d+$/.test(columns.join('\t'))) {
    throw invalidLine(offset, 'a name and four or five numbers expected, separated by tabs');
  }
  const [length = 0, byteOffset = 0, lineBases = 0, lineBytes = 0, qualityOffset] = columns.map(Number);
  const sequence: FaiRecord = { name, length, offset: byteOffset, lineBases, lineBytes };
  const record = qualityOffset === undefined ? sequence : { ...sequence, qualityOffset };
  if (lineBases > lineBytes || (lineBases === 0 && length > 0)) {
    throw invalidLine(offset, 'the bases of a line do not fit into its bytes');
  }
  const offsets = [record, { ...record, offset: qualityOffset ?? 0 }].map((part) => baseOffset(part, length));
  if (![length, lineBytes, ...offsets].every(Number.isSafeInteger)) {
    throw invalidLine(offset, 'a number is larger than 2^53 - 1');
  }
  return record;
}

function isFastq({ qualityOffset }: FaiRecord): boolean {
  return qualityOffset !== undefined;
}

function invalidLine(offset: number, message: string): IndexError {
  return new IndexError('INVALID_DATA', message, { offset });
}

/** Writes a FAI index, as samtools does. */
export function formatFai(records: readonly FaiRecord[]): string {
  const lines = records.map(({ name, length, offset, lineBases, lineBytes, qualityOffset }) => {
    const columns = [name, length, offset, lineBases, lineBytes];
    return `${(qualityOffset === undefined ? columns : [...columns, qualityOffset]).join('\t')}\n`;
  });
  return lines.join('');
}

/**
 * The byte in the uncompressed FASTA at which a base stands; `base` is 0-based and at most the length of the sequence,
 * where it gives a byte that the last base is in front of.
 */
export function baseOffset({ length, offset, lineBases, lineBytes }: FaiRecord, base: number): number {
  if (!(base >= 0 && base <= length)) throw new RangeError(`base ${base} is outside of a sequence of ${length}`);
  if (lineBases === 0) return offset;
  const line = Math.floor(base / lineBases);
  return offset + line * lineBytes + (base - line * lineBases);
}
