import { BLOCK_CONTENT, blockData, type CramBlock, readBlock } from './block.js';
import { ByteCursor } from './byte-cursor.js';
import { type CramCompressionHeader, readCompressionHeader } from './compression-header.js';
import type { CramContainerHeader } from './container-header.js';
import type { CramVersion } from './file-definition.js';
import { visitRecordSpans } from './record-spans.js';
import { type CramSliceHeader, parseSliceHeader } from './slice-header.js';
import { openSliceSeries } from './slice-series.js';

/** What a slice covers on one reference, as an index of the file has it. */
export interface CramSliceSpan {
  /** Rank of the reference in the SAM header, −1 for none. */
  readonly referenceId: number;
  /** 1-based as in the file; 0 if there is none. */
  readonly alignmentStart: number;
  /** Bases. */
  readonly alignmentSpan: number;
  /** Where the slice begins, in bytes from the end of the container header. */
  readonly landmark: number;
  /** Bytes of the slice: its header and the blocks that belong to it. */
  readonly byteLength: number;
}

export interface CramContainerSource {
  readonly version: CramVersion;
  readonly header: CramContainerHeader;
  /** Bytes of the file in front of the blocks, for errors. Default 0. */
  readonly offset?: number | undefined;
}

/** A slice as it stands in its container. */
interface SliceBytes {
  readonly header: CramSliceHeader;
  readonly landmark: number;
  readonly byteLength: number;
  readonly offset: number;
  readonly blocks: readonly CramBlock[];
}

/**
 * What the slices of a container cover, in order, from its bytes behind the container header. Of a slice of several
 * references as many of its records are decoded as it takes to give one span for each run of records on the same one;
 * others are told by their headers. Throws `FormatError` INVALID_DATA or TRUNCATED for data that is corrupt or where
 * such a slice is not sorted, UNSUPPORTED where what is needed is compressed by fqzcomp or the name tokeniser, and
 * LIMIT_EXCEEDED for blocks over 256 MiB and slices of more than 2^24 records and features.
 */
export function parseCramSliceSpans(bytes: Uint8Array, source: CramContainerSource): CramSliceSpan[] {
  const { version, header, offset = 0 } = source;
  let compression: CramCompressionHeader | undefined;
  return header.landmarks.flatMap((landmark) => {
    const slice = readSlice(new ByteCursor(bytes, offset), landmark, version);
    const { referenceId, alignmentStart, alignmentSpan } = slice.header;
    const { byteLength } = slice;
    if (referenceId !== -2) return [{ referenceId, alignmentStart, alignmentSpan, landmark, byteLength }];
    compression ??= readFirstBlock(new ByteCursor(bytes, offset), version);
    return referenceSpans(slice, compression);
  });
}

function readSlice(cursor: ByteCursor, landmark: number, version: CramVersion): SliceBytes {
  cursor.skip(landmark);
  const { offset } = cursor;
  const header = parseSliceHeader(readBlock(cursor, version), version);
  const blocks: CramBlock[] = [];
  for (let block = 0; block < header.blockCount; block++) blocks.push(readBlock(cursor, version));
  return { header, landmark, byteLength: cursor.at - landmark, offset, blocks };
}

function readFirstBlock(cursor: ByteCursor, version: CramVersion): CramCompressionHeader {
  const block = readBlock(cursor, version);
  const data = new ByteCursor(blockData(block), block.dataOffset);
  if (block.contentType !== BLOCK_CONTENT.compressionHeader) {
    throw data.invalid('a container begins with its compression header');
  }
  return readCompressionHeader(data);
}

/** One span for each run of records on the same reference; as with htslib, records without any lie at 0, one base long. */
function referenceSpans(slice: SliceBytes, compression: CramCompressionHeader): CramSliceSpan[] {
  const { header, landmark, byteLength, offset, blocks } = slice;
  const runs: { referenceId: number; start: number; end: number }[] = [];
  let previousStart = 0;
  const series = openSliceSeries(compression, blocks);
  visitRecordSpans({ header, compression, series, offset }, (referenceId, start, last) => {
    const run = runs.at(-1);
    if (run?.referenceId !== referenceId) runs.push({ referenceId, start, end: last + 1 });
    else {
      if (start < previousStart) throw new ByteCursor(new Uint8Array(0), offset).invalid('records are not sorted');
      run.end = Math.max(run.end, last + 1);
    }
    previousStart = start;
  });
  return runs.map(({ referenceId, start, end }) => {
    return { referenceId, alignmentStart: start, alignmentSpan: end - start, landmark, byteLength };
  });
}
