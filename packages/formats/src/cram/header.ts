import { FormatError } from '../format-error.js';
import { BLOCK_CONTENT, blockData, readBlock } from './block.js';
import { ByteCursor } from './byte-cursor.js';
import { parseCramContainerHeader } from './container-header.js';
import { CRAM_FILE_DEFINITION_LENGTH, type CramVersion, parseCramFileDefinition } from './file-definition.js';

/** A reference sequence as the SAM header of a CRAM file names it. */
export interface CramReference {
  readonly name: string;
  /** Bases. */
  readonly length: number;
}

/** What a CRAM file begins with: the file definition, and the container with the SAM header. */
export interface CramHeader {
  readonly version: CramVersion;
  /** The SAM header. */
  readonly text: string;
  /** The `@SQ` lines, in order: the rank of a reference here is its id in records and indexes. */
  readonly references: readonly CramReference[];
  /** Bytes of the file up to the first container with records. */
  readonly byteLength: number;
}

/** Bytes of the length in front of the text. */
const LENGTH_BYTES = 4;

// Not fatal: a header in another encoding than UTF-8 is still served. Its names are ASCII.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Bytes of the file up to the first container with records, or undefined while more of them are needed to tell. Throws
 * `FormatError` as `parseCramHeader`.
 */
export function cramHeaderLength(bytes: Uint8Array): number | undefined {
  if (bytes.length < CRAM_FILE_DEFINITION_LENGTH) return undefined;
  const { version } = parseCramFileDefinition(bytes);
  const offset = CRAM_FILE_DEFINITION_LENGTH;
  const container = parseCramContainerHeader(bytes.subarray(offset), { version, offset });
  return container && offset + container.headerLength + container.length;
}

/**
 * Parses the file definition and the SAM header that `bytes` begins with. Throws `FormatError` INVALID_MAGIC if it is no
 * CRAM, UNSUPPORTED for another version than 2.0, 2.1, 3.0 and 3.1, TRUNCATED if it is incomplete, INVALID_DATA if it is
 * corrupt, LIMIT_EXCEEDED for a header of more than 256 MiB, or of more than `maxReferences` references: each takes some
 * hundred bytes.
 */
export function parseCramHeader(
  bytes: Uint8Array,
  { maxReferences = Number.POSITIVE_INFINITY }: { readonly maxReferences?: number | undefined } = {},
): CramHeader {
  const { version } = parseCramFileDefinition(bytes);
  const offset = CRAM_FILE_DEFINITION_LENGTH;
  const container = parseCramContainerHeader(bytes.subarray(offset), { version, offset });
  const blocksStart = offset + (container?.headerLength ?? 0);
  const byteLength = blocksStart + (container?.length ?? Number.POSITIVE_INFINITY);
  if (bytes.length < byteLength) {
    throw new FormatError('TRUNCATED', 'the data ends inside the header', { offset: bytes.length });
  }
  const block = readBlock(new ByteCursor(bytes.subarray(blocksStart, byteLength), blocksStart), version);
  const data = new ByteCursor(blockData(block), block.dataOffset);
  if (block.contentType !== BLOCK_CONTENT.fileHeader) throw data.invalid('the first block is not the SAM header');
  const length = data.readInt32();
  if (length < 0 || length > data.remaining) throw data.invalid(`a text of ${length} bytes does not fit its block`);
  const text = decoder.decode(trimNuls(data.bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + length)));
  return { version, text, references: parseReferences(text, maxReferences, data), byteLength };
}

function trimNuls(text: Uint8Array): Uint8Array {
  let { length } = text;
  while (length > 0 && text[length - 1] === 0) length--;
  return text.subarray(0, length);
}

/** The `@SQ` lines (SAMv1 §1.3), which have a name and a length each. */
function parseReferences(text: string, maxReferences: number, data: ByteCursor): CramReference[] {
  const references: CramReference[] = [];
  for (const [line] of text.matchAll(/^@SQ\t.*$/gm)) {
    if (references.length === maxReferences) {
      const message = `the header has more than ${maxReferences} references`;
      throw new FormatError('LIMIT_EXCEEDED', message, { offset: data.offset });
    }
    const name = /\tSN:([^\t\r]+)/.exec(line)?.[1];
    const length = Number(/\tLN:(\d+)/.exec(line)?.[1]);
    if (name === undefined || !Number.isSafeInteger(length)) throw data.invalid('an @SQ line without SN or LN');
    references.push({ name, length });
  }
  return references;
}
