import { decodeText } from '@htskit/io';
import type { MemoryAccount } from '@htskit/io/internal';
import { samHeaderLines } from '../../bam/sam-header.js';
import { FormatError } from '../../format-error.js';
import { ByteCursor } from '../byte-cursor.js';
import { BLOCK_CONTENT, blockData, MAX_RAW_SIZE, readBlock } from './block.js';
import { parseCramContainerHeader } from './container-header.js';
import { CRAM_FILE_DEFINITION_LENGTH, type CramVersion, parseCramFileDefinition } from './file-definition.js';

/** A reference sequence in the SAM header of a CRAM file. */
export interface CramReference {
  readonly name: string;
  /** Bases. */
  readonly length: number;
  /** The MD5 of the bases in lower-case hexadecimal digits (SAMv1 §1.3.2), if the header has it. */
  readonly md5?: string;
  /** The URI of the sequence (`UR`), if the header has it. Anyone may have written it: it may name any file. */
  readonly uri?: string;
}

/** The file definition and the SAM header, with which a CRAM file starts. */
export interface CramHeader {
  readonly version: CramVersion;
  /** The SAM header. */
  readonly text: string;
  /** The `@SQ` lines in order; records and indexes refer to references by their index here. */
  readonly references: readonly CramReference[];
  /** Bytes from the start of the file to the first container of records. */
  readonly byteLength: number;
}

/** The maximum number of bytes before the data of a block: method, content type, and three ITF8 numbers. */
const MAX_BLOCK_HEADER = 17;
/** Bytes of the length before the text. */
const LENGTH_BYTES = 4;

/**
 * Returns the number of bytes from the start of the file to the first container of records, or undefined if more bytes are
 * needed. Throws what `parseCramHeader` throws, except `TRUNCATED`.
 */
export function cramHeaderLength(bytes: Uint8Array): number | undefined {
  if (bytes.length < CRAM_FILE_DEFINITION_LENGTH) return undefined;
  return parseHeaderBounds(bytes, parseCramFileDefinition(bytes).version)?.byteLength;
}

/** The container of the SAM header, in bytes from the start of the file. */
interface HeaderBounds {
  /** The start of its blocks. */
  readonly blocksStart: number;
  /** Its end. */
  readonly byteLength: number;
}

/**
 * Returns the bounds of the container of the SAM header, or undefined if more bytes are needed. In CRAM 2.1, the container ends
 * after its first block even if it declares to be shorter: htslib declares two bytes too few if padding makes the size of the
 * block a byte longer.
 */
function parseHeaderBounds(bytes: Uint8Array, version: CramVersion): HeaderBounds | undefined {
  const offset = CRAM_FILE_DEFINITION_LENGTH;
  const container = parseCramContainerHeader(bytes.subarray(offset), { version, offset });
  if (container === undefined) return undefined;
  const blocksStart = offset + container.headerLength;
  const declaredEnd = blocksStart + container.length;
  const cursor = new ByteCursor(bytes.subarray(blocksStart), blocksStart);
  if (cursor.remaining < MAX_BLOCK_HEADER && bytes.length < declaredEnd) return undefined;
  if (version.major > 2 || cursor.remaining < MAX_BLOCK_HEADER) return { blocksStart, byteLength: declaredEnd };
  cursor.skip(2);
  cursor.readItf8();
  const size = cursor.readCount();
  cursor.readCount();
  return { blocksStart, byteLength: Math.max(declaredEnd, cursor.offset + size) };
}

/** Limits of a header. */
export interface CramHeaderLimits {
  /** The maximum number of references, each of which takes about a hundred bytes of memory. Default: no limit. */
  readonly maxReferences?: number;
  /** The maximum number of uncompressed bytes. Default: 256 MiB. */
  readonly maxBytes?: number;
  /** Counts the memory of the header, which stays reserved. Default: it is not counted. */
  readonly memory?: MemoryAccount;
}

/**
 * Parses the file definition and the SAM header that `bytes` starts with. Throws `FormatError` `INVALID_MAGIC` for another
 * format, `UNSUPPORTED` for a version other than 2.0, 2.1, 3.0 and 3.1, `TRUNCATED` if the header is incomplete, `INVALID_DATA`
 * if it is corrupt, `LIMIT_EXCEEDED` for a header of more than `maxBytes` or more than `maxReferences` references.
 *
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseCramHeader } from '@htskit/formats';
 *
 * const { version, references } = parseCramHeader(readFileSync('reads.cram'));
 * console.log(version, references[0]?.name);
 * ```
 */
export function parseCramHeader(
  bytes: Uint8Array,
  { maxReferences = Number.POSITIVE_INFINITY, maxBytes = MAX_RAW_SIZE, memory }: CramHeaderLimits = {},
): CramHeader {
  const { version } = parseCramFileDefinition(bytes);
  const bounds = parseHeaderBounds(bytes, version);
  if (bounds === undefined || bytes.length < bounds.byteLength) {
    throw new FormatError('TRUNCATED', 'data ends within the CRAM header', { offset: bytes.length });
  }
  const { blocksStart, byteLength } = bounds;
  const block = readBlock(new ByteCursor(bytes.subarray(blocksStart, byteLength), blocksStart), version);
  if (block.rawSize > maxBytes) {
    const message = `header of ${block.rawSize} uncompressed bytes exceeds the limit of ${maxBytes} bytes`;
    throw new FormatError('LIMIT_EXCEEDED', message, { offset: block.dataOffset });
  }
  // The data and its text, whose characters take one byte each if they are ASCII.
  memory?.reserve(2 * block.rawSize);
  const data = new ByteCursor(blockData(block), block.dataOffset);
  if (block.contentType !== BLOCK_CONTENT.fileHeader) throw data.invalid('first block does not hold the SAM header');
  const length = data.readInt32();
  if (length < 0 || length > data.remaining) {
    throw data.invalid(`SAM header of ${length} bytes does not fit into its block`);
  }
  const text = decodeText(trimNuls(data.bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + length)));
  return { version, text, references: parseReferences(text, maxReferences, data), byteLength };
}

function trimNuls(text: Uint8Array): Uint8Array {
  let { length } = text;
  while (length > 0 && text[length - 1] === 0) length--;
  return text.subarray(0, length);
}

/** Parses the `@SQ` lines (SAMv1 §1.3), each of which must have a name and a length. */
function parseReferences(text: string, maxReferences: number, data: ByteCursor): CramReference[] {
  const references: CramReference[] = [];
  for (const { line } of samHeaderLines(text, '@SQ')) {
    if (references.length === maxReferences) {
      const message = `header is over the limit of ${maxReferences} references`;
      throw new FormatError('LIMIT_EXCEEDED', message, { offset: data.offset });
    }
    const name = /\tSN:([^\t]+)/.exec(line)?.[1];
    const length = Number(/\tLN:(\d+)/.exec(line)?.[1]);
    if (name === undefined || !Number.isSafeInteger(length)) throw data.invalid('@SQ line lacks SN or LN');
    const md5 = /\tM5:([0-9A-Fa-f]{32})(?=\t|$)/.exec(line)?.[1]?.toLowerCase();
    const uri = /\tUR:([^\t]+)/.exec(line)?.[1];
    references.push({ name, length, md5, uri });
  }
  return references;
}
