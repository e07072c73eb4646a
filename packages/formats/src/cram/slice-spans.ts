import { FormatError } from '../format-error.js';
import { BLOCK_CONTENT, blockData, type CramBlock, readBlock } from './block.js';
import { ByteCursor } from './byte-cursor.js';
import { type CramCompressionHeader, readCompressionHeader } from './compression-header.js';
import type { CramContainerHeader } from './container-header.js';
import { CramDecodeBudget } from './decode-budget.js';
import type { CramVersion } from './file-definition.js';
import { visitRecordSpans } from './record-spans.js';
import { type CramSliceHeader, parseSliceHeader, type SliceHeaderOptions } from './slice-header.js';
import { openSliceSeries, type SeriesSelection, selectSeries } from './slice-series.js';

/** References that a slice may have records of. Real ones have fewer records. */
const MAX_REFERENCES = 2 ** 20;

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
  /** Bounds what is decoded: one for all containers of a file. Default: one for this container. */
  readonly budget?: CramDecodeBudget | undefined;
}

/** A slice as it stands in its container. */
interface SliceBytes {
  readonly header: CramSliceHeader;
  readonly landmark: number;
  readonly byteLength: number;
  readonly offset: number;
  readonly blocks: readonly CramBlock[];
}

/** What the slices of a container are decoded by. */
interface SliceCoding {
  readonly compression: CramCompressionHeader;
  readonly selection: SeriesSelection;
  readonly budget: CramDecodeBudget;
}

/**
 * What the slices of a container cover, in order, from its bytes behind the container header; they are decoded as the
 * iteration comes to them. Of a slice of several references as many of its records are decoded as it takes to give one
 * span for each run of records on the same one; others are told by their headers. Throws `FormatError` INVALID_DATA or
 * TRUNCATED for data that is corrupt or where such a slice is not sorted, UNSUPPORTED where what is needed is compressed by
 * fqzcomp or the name tokeniser, and LIMIT_EXCEEDED for slices of more than 256 MiB or 2^20 references and beyond the
 * budget.
 */
export function* parseCramSliceSpans(
  bytes: Uint8Array,
  { version, header, offset = 0, budget = new CramDecodeBudget() }: CramContainerSource,
): Generator<CramSliceSpan, void> {
  budget.earn(bytes.length);
  let coding: SliceCoding | undefined;
  for (const [rank, landmark] of header.landmarks.entries()) {
    // A slice ends where the next one begins
    const cursor = new ByteCursor(bytes.subarray(0, header.landmarks[rank + 1]), offset);
    const slice = readSlice(cursor, landmark, { version, budget });
    const { referenceId, alignmentStart, alignmentSpan } = slice.header;
    const { byteLength } = slice;
    if (referenceId !== -2) yield { referenceId, alignmentStart, alignmentSpan, landmark, byteLength };
    else {
      coding ??= readCoding(new ByteCursor(bytes, offset), { version, budget });
      yield* referenceSpans(slice, coding);
    }
  }
}

function readSlice(cursor: ByteCursor, landmark: number, options: SliceHeaderOptions): SliceBytes {
  cursor.skip(landmark);
  const { offset } = cursor;
  const header = parseSliceHeader(readBlock(cursor, options.version), options);
  const blocks: CramBlock[] = [];
  for (let block = 0; block < header.blockCount; block++) blocks.push(readBlock(cursor, options.version));
  return { header, landmark, byteLength: cursor.at - landmark, offset, blocks };
}

/** Of the first block of the container, which is its compression header. */
function readCoding(cursor: ByteCursor, { version, budget }: SliceHeaderOptions): SliceCoding {
  const block = readBlock(cursor, version);
  const data = new ByteCursor(blockData(block, budget), block.dataOffset);
  if (block.contentType !== BLOCK_CONTENT.compressionHeader) {
    throw data.invalid('a container begins with its compression header');
  }
  const compression = readCompressionHeader(data);
  return { compression, selection: selectSeries(compression), budget };
}

interface ReferenceRun {
  readonly referenceId: number;
  readonly start: number;
  end: number;
}

/** One span for each run of records on the same reference; as with htslib, records without any lie at 0, one base long. */
function* referenceSpans(slice: SliceBytes, coding: SliceCoding): Generator<CramSliceSpan, void> {
  const { header, landmark, byteLength, offset, blocks } = slice;
  const { compression, selection, budget } = coding;
  const runs = new Map<number, ReferenceRun>();
  let run: ReferenceRun | undefined;
  let previousStart = 0;
  const series = openSliceSeries(selection, { blocks, budget, offset });
  visitRecordSpans({ header, compression, series, budget, offset }, (referenceId, start, last) => {
    if (run?.referenceId !== referenceId) {
      checkReference(runs, referenceId, offset);
      run = { referenceId, start, end: last + 1 };
      runs.set(referenceId, run);
    } else {
      if (start < previousStart) throw notSorted(offset);
      run.end = Math.max(run.end, last + 1);
    }
    previousStart = start;
  });
  for (const { referenceId, start, end } of runs.values()) {
    yield { referenceId, alignmentStart: start, alignmentSpan: end - start, landmark, byteLength };
  }
}

/** The records of a reference stand together, in any order of references, and those without one are last. */
function checkReference(runs: ReadonlyMap<number, ReferenceRun>, referenceId: number, offset: number): void {
  if (runs.has(referenceId) || runs.has(-1)) throw notSorted(offset);
  if (runs.size < MAX_REFERENCES) return;
  const message = `a slice has records of more than ${MAX_REFERENCES} references`;
  throw new FormatError('LIMIT_EXCEEDED', message, { offset });
}

function notSorted(offset: number): FormatError {
  return new FormatError('INVALID_DATA', 'records are not sorted', { offset });
}
