import { defaultEngine } from '@htskit/bgzf';
import { FormatError } from '../format-error.js';
import { ByteCursor } from './byte-cursor.js';
import type { CramVersion } from './file-definition.js';

/** The header of a container (CRAM 3.1 §7). */
export interface CramContainerHeader {
  /** Bytes of this header; the blocks follow. */
  readonly headerLength: number;
  /** Bytes of all blocks. The next container follows. */
  readonly length: number;
  /** Rank of the reference in the SAM header; −1 for none, −2 for several. */
  readonly referenceId: number;
  /** 1-based as in the file. Without meaning if there is not one reference. */
  readonly alignmentStart: number;
  /** Bases. Without meaning if there is not one reference. */
  readonly alignmentSpan: number;
  readonly recordCount: number;
  /** Records in the containers before this one. */
  readonly recordCounter: number;
  readonly baseCount: number;
  readonly blockCount: number;
  /** Where the slices begin, in bytes from the end of this header, ascending. */
  readonly landmarks: readonly number[];
}

/** What the parts of a CRAM file are parsed by. */
export interface CramParseOptions {
  readonly version: CramVersion;
  /** Bytes of the file in front of the given ones, for errors. Default 0. */
  readonly offset?: number | undefined;
}

/** `EOF` as a number: where the marker of the end would begin on its reference. */
const EOF_ALIGNMENT_START = 0x454f46;

/**
 * Parses the container header that `bytes` begins with, or gives undefined while more of them are needed to tell.
 * Throws `FormatError` INVALID_DATA for numbers that cannot be and, from CRAM 3 on, if the CRC32 differs.
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

/** Whether the header is that of the container that marks the end of a file, from CRAM 2.1 on (CRAM 3.1 §9). */
export function isCramEofContainer({ referenceId, alignmentStart, recordCount }: CramContainerHeader): boolean {
  return referenceId === -1 && alignmentStart === EOF_ALIGNMENT_START && recordCount === 0;
}

function readContainerHeader(cursor: ByteCursor, { major }: CramVersion): CramContainerHeader {
  const length = cursor.readInt32();
  if (length < 0) throw new FormatError('INVALID_DATA', `${length} is no length`, { offset: cursor.offset - 4 });
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
  if (header.referenceId < -2) throw cursor.invalid(`${header.referenceId} is no id of a reference`);
  if (major >= 3) checkCrc(cursor);
  return { ...header, headerLength: cursor.at };
}

function readLandmarks(cursor: ByteCursor, length: number): number[] {
  const count = cursor.readCount();
  if (count > length) throw cursor.invalid(`${count} slices do not fit into ${length} bytes`);
  const landmarks: number[] = [];
  for (let last = -1; landmarks.length < count; ) {
    const landmark = cursor.readItf8();
    if (landmark <= last || landmark >= length)
      throw cursor.invalid('the landmarks do not ascend within the container');
    landmarks.push(landmark);
    last = landmark;
  }
  return landmarks;
}

/** Reads the CRC32 of everything before. */
function checkCrc(cursor: ByteCursor): void {
  const { offset } = cursor;
  const crc32 = defaultEngine().crc32(cursor.bytes.subarray(0, cursor.at));
  if (cursor.readUint32() !== crc32) {
    throw new FormatError('INVALID_DATA', 'the CRC32 of the container header differs', { offset });
  }
}
