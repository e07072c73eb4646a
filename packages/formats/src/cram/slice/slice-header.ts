import { ByteCursor } from '../byte-cursor.js';
import { BLOCK_CONTENT, blockData, type CramBlock, type CramDecodeBudget } from '../container/block.js';
import type { CramVersion } from '../container/file-definition.js';

/** The header of a slice (CRAM 3.1 §8.5) without its tags. */
export interface CramSliceHeader {
  /** The index of the reference in the SAM header; −1 for unplaced records, −2 for records of several references. */
  readonly referenceId: number;
  /** 1-based, as in the file. */
  readonly alignmentStart: number;
  /** Bases. */
  readonly alignmentSpan: number;
  readonly recordCount: number;
  /** Records in all earlier slices of the file. */
  readonly recordCounter: number;
  /** Blocks of the slice that follow its header. */
  readonly blockCount: number;
  /** The content id of the block that holds the reference bases; −1 if there is none. */
  readonly embeddedReferenceId: number;
  /** The MD5 of the reference bases; all zeros if it is not known. */
  readonly referenceMd5: Uint8Array;
}

/** Bytes of an MD5. */
const MD5_BYTES = 16;

/** The version of the file, and the budget for decompressing the header. */
export interface SliceHeaderOptions {
  readonly version: CramVersion;
  readonly budget: CramDecodeBudget;
}

/** Parses the slice header that a block holds. Throws what `blockData` throws, and `FormatError` `TRUNCATED`. */
export function parseSliceHeader(block: CramBlock, { version, budget }: SliceHeaderOptions): CramSliceHeader {
  const cursor = new ByteCursor(blockData(block, budget), block.dataOffset);
  if (block.contentType !== BLOCK_CONTENT.sliceHeader) throw cursor.invalid('slice does not start with its header');
  const header = {
    referenceId: cursor.readItf8(),
    alignmentStart: cursor.readCount(),
    alignmentSpan: cursor.readCount(),
    recordCount: cursor.readCount(),
    recordCounter: version.major < 3 ? cursor.readCount() : cursor.readLtf8(),
    blockCount: cursor.readCount(),
    ...readReference(cursor),
  };
  if (header.referenceId < -2) throw cursor.invalid(`${header.referenceId} is not a valid reference id`);
  return header;
}

/** Reads the fields about the reference, which follow the content ids of the blocks. */
function readReference(cursor: ByteCursor): Pick<CramSliceHeader, 'embeddedReferenceId' | 'referenceMd5'> {
  const idCount = cursor.readCount();
  if (idCount > cursor.remaining) throw cursor.invalid(`${idCount} content ids do not fit into the slice header`);
  for (let id = 0; id < idCount; id++) cursor.readItf8();
  return { embeddedReferenceId: cursor.readItf8(), referenceMd5: cursor.readBytes(MD5_BYTES) };
}
