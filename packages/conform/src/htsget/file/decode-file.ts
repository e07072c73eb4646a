import {
  bcfLengthKeys,
  createCramDecoder,
  FormatError,
  parseBamHeader,
  parseBcfHeader,
  parseCramContainerHeader,
  parseCramHeader,
  parseVcfHeader,
} from '@htskit/formats';
import { BamRecords, isRecordLine, parseBcfRecordSpan, parseVcfRecordSpan } from '@htskit/formats/internal';
import type { HtsgetFormat } from '@htskit/protocol';
import { type InflatedFile, inflateFile, readable } from './inflate-file.js';

/** A record, and the bases that it covers. */
export interface DecodedRecord {
  /** Equal for records with the same bytes, and only for these. */
  readonly key: string;
  /** The bytes of a BAM or BCF record, or of a VCF line. CRAM records are BAM records. */
  readonly bytes: Uint8Array;
  /** Undefined for a read without a position. */
  readonly referenceName: string | undefined;
  readonly start: number;
  readonly end: number;
}

/** A whole file in memory. */
export interface DecodedFile extends InflatedFile {
  readonly headerText: string;
  /** The references that the header names, in order, with their lengths if it has them. */
  readonly references: readonly DecodedReference[];
  readonly records: readonly DecodedRecord[];
}

interface DecodedReference {
  readonly name: string;
  readonly length: number | undefined;
}

type Decoded = Pick<DecodedFile, 'headerText' | 'references' | 'records'>;

const decoder = new TextDecoder('latin1');

/**
 * Decodes a whole file. Throws `UnreadableFile` for bytes that are not a file of the format, and for CRAM whose records need reference
 * bases.
 */
export async function decodeFile(format: HtsgetFormat, bytes: Uint8Array): Promise<DecodedFile> {
  const file = await inflateFile(format, bytes);
  const decoded = await readable(() => {
    switch (format) {
      case 'BAM':
        return decodeBam(file.data);
      case 'CRAM':
        return decodeCram(file.data);
      case 'BCF':
        return decodeBcf(file.data);
      default:
        return decodeVcf(file.data);
    }
  });
  return { ...file, ...decoded };
}

function decodeBam(data: Uint8Array): Decoded {
  const { text, references, byteLength } = parseBamHeader(data);
  return { headerText: text, references, records: [...readAlignments(data.subarray(byteLength), references)] };
}

function* readAlignments(data: Uint8Array, references: readonly DecodedReference[]): Generator<DecodedRecord> {
  const records = new BamRecords(data);
  for (let at = 0; at < data.length; ) {
    const { byteEnd, referenceId, baseStart, baseEnd } = records.spanAt(at);
    const bytes = data.subarray(at, byteEnd);
    const isPlaced = referenceId >= 0 && baseStart >= 0;
    const referenceName = isPlaced ? references[referenceId]?.name : undefined;
    if (isPlaced && referenceName === undefined) {
      throw new FormatError('INVALID_DATA', `a record has the reference ${referenceId} of ${references.length}`, {
        offset: at,
      });
    }
    yield { key: decoder.decode(bytes), bytes, referenceName, start: baseStart, end: baseEnd };
    at = byteEnd;
  }
}

async function decodeCram(bytes: Uint8Array): Promise<Decoded> {
  const header = parseCramHeader(bytes);
  const decoder = createCramDecoder({ header });
  const records: DecodedRecord[] = [];
  for (let offset = header.byteLength; offset < bytes.length; ) {
    const container = parseCramContainerHeader(bytes.subarray(offset), { version: header.version, offset });
    if (container === undefined) break;
    offset += container.headerLength;
    const blocks = bytes.subarray(offset, offset + container.length);
    for await (const piece of decoder.decode(blocks, { header: container, offset })) {
      records.push(...readAlignments(piece, header.references));
    }
    offset += container.length;
  }
  return { headerText: header.text, references: header.references, records };
}

function decodeBcf(data: Uint8Array): Decoded {
  const header = parseBcfHeader(data);
  const lengthKeys = bcfLengthKeys(header);
  const records: DecodedRecord[] = [];
  for (let at = header.byteLength; at < data.length; ) {
    const { byteEnd, referenceId, baseStart, baseEnd } = parseBcfRecordSpan(data, at, {
      ...(lengthKeys && { lengthKeys }),
    });
    const bytes = data.subarray(at, byteEnd);
    const start = Math.max(0, baseStart);
    const referenceName = header.contigs.get(referenceId)?.name;
    records.push({ key: decoder.decode(bytes), bytes, referenceName, start, end: Math.max(start + 1, baseEnd) });
    at = byteEnd;
  }
  return { headerText: header.text, references: [...header.contigs.values()], records };
}

const LINE_FEED = 0x0a;

function decodeVcf(data: Uint8Array): Decoded {
  const { text, contigs, byteLength } = parseVcfHeader(data);
  const records: DecodedRecord[] = [];
  for (let at = byteLength; at < data.length; ) {
    const lineEnd = data.indexOf(LINE_FEED, at);
    const end = lineEnd < 0 ? data.length : lineEnd;
    if (isRecordLine(data, at, end)) {
      const bytes = data.subarray(at, end);
      const { nameLength, baseStart, baseEnd } = parseVcfRecordSpan(bytes);
      const referenceName = decoder.decode(bytes.subarray(0, nameLength));
      records.push({ key: decoder.decode(bytes), bytes, referenceName, start: baseStart, end: baseEnd });
    }
    at = end + 1;
  }
  return { headerText: text, references: contigs, records };
}

/**
 * Returns the text of a header without the lines in which programs record how they were called: `@PG` (SAMv1 §1.3) and
 * `##bcftools_viewCommand`. A service that calls samtools may add others to each answer.
 */
export function headerWithoutPrograms({ headerText }: Pick<DecodedFile, 'headerText'>): string {
  return headerText
    .split('\n')
    .filter((line) => !/^@PG\t|^##\w+(?:Command|Version)=/.test(line))
    .join('\n');
}

/** Counts the copies of the beginning of a file within it: a header that is repeated between the blocks. */
export function countRepeatedHeaders(format: HtsgetFormat, data: Uint8Array): number {
  if (format === 'VCF' || format === 'VCFTEXT') {
    const text = decoder.decode(data);
    return text.split('\n#CHROM\t').length - 2;
  }
  const start = decoder.decode(data.subarray(0, HEADER_START_BYTES));
  const text = decoder.decode(data.subarray(1));
  return start.length < HEADER_START_BYTES ? 0 : text.split(start).length - 1;
}

/** Bytes that a copy of a header begins with, and that no record contains by chance. */
const HEADER_START_BYTES = 24;
