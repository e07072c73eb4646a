import { parseCramContainerHeader } from '@htskit/formats';
import { cramEofContainer, cramHeaderLength, parseCramFileDefinition } from '@htskit/formats/internal';
import { bgunzip, hasEofMarker } from '@htskit/testing';
import type { StoredFormat } from '../src/index.js';

/** The header and the records of a BGZF or VCFTEXT file, each as text of its bytes. */
export interface DecodedFile {
  readonly header: string;
  readonly records: readonly string[];
}

type BgzfAnswer = Exclude<StoredFormat, 'CRAM'> | 'VCFTEXT';

export interface DecodeOptions {
  readonly requireEof?: boolean;
}

/** Throws unless the bytes are a complete file of the format. */
export function decodeFile(
  format: BgzfAnswer,
  bytes: Uint8Array,
  { requireEof = true }: DecodeOptions = {},
): DecodedFile {
  if (requireEof && format !== 'VCFTEXT' && !hasEofMarker(bytes)) throw new Error('no EOF marker');
  const data = Buffer.from(format === 'VCFTEXT' ? bytes : bgunzip(bytes));
  return format === 'VCF' || format === 'VCFTEXT' ? decodeLines(data) : decodeBinary(data, format);
}

function decodeLines(data: Buffer): DecodedFile {
  const lines = data.toString('utf8').split('\n');
  if (lines.pop() !== '') throw new Error('the last line does not end');
  const headerLines = lines.findIndex((line) => !line.startsWith('#'));
  const count = headerLines === -1 ? lines.length : headerLines;
  if (lines.slice(count).some((line) => line.startsWith('#'))) throw new Error('a header between records');
  return {
    header: lines
      .slice(0, count)
      .map((line) => `${line}\n`)
      .join(''),
    records: lines.slice(count),
  };
}

function decodeBinary(data: Buffer, format: 'BAM' | 'BCF'): DecodedFile {
  const records: string[] = [];
  const headerEnd = format === 'BAM' ? bamHeaderEnd(data) : 9 + data.readUInt32LE(5);
  for (let at = headerEnd; at < data.length; ) {
    const end =
      format === 'BAM' ? at + 4 + data.readUInt32LE(at) : at + 8 + data.readUInt32LE(at) + data.readUInt32LE(at + 4);
    if (end > data.length) throw new Error('the last record does not end');
    records.push(data.toString('latin1', at, end));
    at = end;
  }
  return { header: data.toString('latin1', 0, headerEnd), records };
}

function bamHeaderEnd(data: Buffer): number {
  let at = 8 + data.readInt32LE(4);
  const references = data.readInt32LE(at);
  at += 4;
  for (let i = 0; i < references; i++) at += 8 + data.readInt32LE(at);
  return at;
}

/** A container of a CRAM file with the ordinals [first, end) of its records. */
interface DecodedContainer {
  readonly first: number;
  readonly end: number;
  /** Text of its bytes. */
  readonly text: string;
}

export interface DecodedCram {
  readonly header: string;
  readonly containers: readonly DecodedContainer[];
}

/** Throws unless the bytes are a complete CRAM file. */
export function decodeCram(bytes: Uint8Array): DecodedCram {
  const { version } = parseCramFileDefinition(bytes);
  const eof = Buffer.from(cramEofContainer(version));
  const data = Buffer.from(bytes);
  const bodyEnd = data.length - eof.length;
  if (!data.subarray(bodyEnd).equals(eof)) throw new Error('no EOF container');
  const headerEnd = cramHeaderLength(bytes) ?? 0;
  const containers: DecodedContainer[] = [];
  for (let at = headerEnd; at < bodyEnd; ) {
    const header = parseCramContainerHeader(bytes.subarray(at), { version, offset: at });
    if (header === undefined) throw new Error('the last container does not end');
    const end = at + header.headerLength + header.length;
    const { recordCounter, recordCount } = header;
    containers.push({ first: recordCounter, end: recordCounter + recordCount, text: data.toString('latin1', at, end) });
    at = end;
  }
  return { header: data.toString('latin1', 0, headerEnd), containers };
}
