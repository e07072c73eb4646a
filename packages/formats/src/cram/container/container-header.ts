import { defaultInflateEngine } from '@htskit/bgzf/internal';
import { FormatError, invalidData } from '../../format-error.js';
import { ByteCursor } from '../byte-cursor.js';
import type { CramVersion } from './file-definition.js';

/** The header of a container (CRAM 3.1 §7). */
export interface CramContainerHeader {
  /** Bytes of this header. The blocks follow. */
  readonly headerLength: number;
  /** Bytes of all blocks. The next container follows. */
  readonly length: number;
  /** The index of the reference in the SAM header; −1 for unplaced records, −2 for records of several references. */
  readonly referenceId: number;
  /** 1-based, as in the file. Meaningless if `referenceId` is negative. */
  readonly alignmentStart: number;
  /** Bases. Meaningless if `referenceId` is negative. */
  readonly alignmentSpan: number;
  readonly recordCount: number;
  /** Records in all earlier containers. */
  readonly recordCounter: number;
  readonly baseCount: number;
  readonly blockCount: number;
  /** The starts of the slices, in bytes from the end of this header, ascending. */
  readonly landmarks: readonly number[];
}

/** The version of a CRAM file, and the place of the parsed bytes in it. */
export interface CramParseOptions {
  readonly version: CramVersion;
  /** Bytes from the start of the file to the parsed bytes, for the offsets of errors. Default: 0. */
  readonly offset?: number;
}

/** "EOF" as a number: the alignment start of the container that marks the end of a file. */
const EOF_ALIGNMENT_START = 0x454f46;

/**
 * Parses the container header that `bytes` starts with. Returns undefined if more bytes are needed. Throws `FormatError`
 * `INVALID_DATA` for invalid numbers and, from CRAM 3 on, if the CRC32 differs.
 *
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseCramContainerHeader, parseCramHeader } from '@htskit/formats';
 *
 * const bytes = readFileSync('reads.cram');
 * const { version, byteLength } = parseCramHeader(bytes);
 * for (let offset = byteLength; offset < bytes.length; ) {
 *   const header = parseCramContainerHeader(bytes.subarray(offset), { version, offset });
 *   if (header === undefined) throw new Error('truncated');
 *   console.log(offset, header.recordCount);
 *   offset += header.headerLength + header.length;
 * }
 * ```
 */
export function parseCramContainerHeader(
  bytes: Uint8Array,
  { version, offset = 0 }: CramParseOptions,
): CramContainerHeader | undefined {
  try {
    return readContainerHeader(new ByteCursor(bytes, offset), version);
  } catch (error) {
    if (error instanceof FormatError && error.code === 'TRUNCATED') return undefined;
    throw error;
  }
}

function readContainerHeader(cursor: ByteCursor, { major }: CramVersion): CramContainerHeader {
  const length = cursor.readInt32();
  if (length < 0) throw invalidData(`${length} is not a valid container length`, cursor.offset - 4);
  const header = {
    length,
    referenceId: cursor.readItf8(),
    alignmentStart: cursor.readItf8(),
    alignmentSpan: cursor.readItf8(),
    recordCount: cursor.readCount(),
    recordCounter: major < 3 ? cursor.readCount() : cursor.readLtf8(),
    baseCount: cursor.readLtf8(),
    blockCount: cursor.readCount(),
    landmarks: readLandmarks(cursor, length),
  };
  if (header.referenceId < -2) throw cursor.invalid(`${header.referenceId} is not a valid reference id`);
  if (major >= 3) checkCrc(cursor);
  return { ...header, headerLength: cursor.at };
}

function readLandmarks(cursor: ByteCursor, length: number): number[] {
  const count = cursor.readCount();
  if (count > length) throw cursor.invalid(`${count} slices do not fit into ${length} bytes`);
  const landmarks: number[] = [];
  for (let last = -1; landmarks.length < count; ) {
    const landmark = cursor.readItf8();
    if (landmark <= last || landmark >= length) {
      throw cursor.invalid('landmarks do not ascend within the container');
    }
    landmarks.push(landmark);
    last = landmark;
  }
  return landmarks;
}

/** Reads the CRC32 of all bytes before it, and checks it. */
function checkCrc(cursor: ByteCursor): void {
  const { offset } = cursor;
  const crc32 = defaultInflateEngine().crc32(cursor.bytes.subarray(0, cursor.at));
  if (cursor.readUint32() !== crc32) throw invalidData('CRC32 of a container header differs', offset);
}

/** Returns whether a header is that of the container that marks the end of a file, which exists from CRAM 2.1 on (CRAM 3.1 §9). */
export function isCramEofContainer({ referenceId, alignmentStart, recordCount }: CramContainerHeader): boolean {
  return referenceId === -1 && alignmentStart === EOF_ALIGNMENT_START && recordCount === 0;
}

/** A container header, and a block with a compression header of three empty maps (CRAM 2.1 §9). */
const EOF_CONTAINER_2_1 = Uint8Array.of(
  ...[0x0b, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f, 0xe0, 0x45, 0x4f, 0x46, 0, 0, 0, 0, 1, 0],
  ...[0, 1, 0, 6, 6, 1, 0, 1, 0, 1, 0],
);

/** The same, with a CRC32 after the header and after the block (CRAM 3.1 §9). */
const EOF_CONTAINER_3 = Uint8Array.of(
  ...[0x0f, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f, 0xe0, 0x45, 0x4f, 0x46, 0, 0, 0, 0, 1, 0, 0x05, 0xbd, 0xd9, 0x4f],
  ...[0, 1, 0, 6, 6, 1, 0, 1, 0, 1, 0, 0xee, 0x63, 0x01, 0x4b],
);

/** Returns a copy of the container that marks the end of a file of a version. It is empty for CRAM 2.0, which has no marker. */
export function cramEofContainer({ major, minor }: CramVersion): Uint8Array<ArrayBuffer> {
  if (major >= 3) return EOF_CONTAINER_3.slice();
  return minor >= 1 ? EOF_CONTAINER_2_1.slice() : new Uint8Array(0);
}
