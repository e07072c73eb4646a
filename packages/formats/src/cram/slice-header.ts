import { BLOCK_CONTENT, blockData, type CramBlock } from './block.js';
import { ByteCursor } from './byte-cursor.js';
import type { CramDecodeBudget } from './decode-budget.js';
import type { CramVersion } from './file-definition.js';

/** The header of a slice (CRAM 3.1 §8.5), as far as it is used here. */
export interface CramSliceHeader {
  /** Rank of the reference in the SAM header; −1 for none, −2 for several. */
  readonly referenceId: number;
  /** 1-based as in the file. */
  readonly alignmentStart: number;
  /** Bases. */
  readonly alignmentSpan: number;
  readonly recordCount: number;
  /** Records in front of this slice. */
  readonly recordCounter: number;
  /** How many blocks follow that belong to the slice. */
  readonly blockCount: number;
}

export interface SliceHeaderOptions {
  readonly version: CramVersion;
  readonly budget: CramDecodeBudget;
}

/** Parses the slice header that a block holds. Throws `FormatError` as `blockData`, INVALID_DATA and TRUNCATED. */
export function parseSliceHeader(block: CramBlock, { version, budget }: SliceHeaderOptions): CramSliceHeader {
  const cursor = new ByteCursor(blockData(block, budget), block.dataOffset);
  if (block.contentType !== BLOCK_CONTENT.sliceHeader) throw cursor.invalid('a slice begins with its header');
  const header = {
    referenceId: cursor.readItf8(),
    alignmentStart: cursor.readCount(),
    alignmentSpan: cursor.readCount(),
    recordCount: cursor.readCount(),
    recordCounter: version.major < 3 ? cursor.readCount() : cursor.readLtf8(),
    blockCount: cursor.readCount(),
  };
  if (header.referenceId < -2) throw cursor.invalid(`${header.referenceId} is no id of a reference`);
  return header;
}
