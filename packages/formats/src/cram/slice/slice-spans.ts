import { FormatError, invalidData } from '../../format-error.js';
import { ByteCursor } from '../byte-cursor.js';
import { CramDecodeBudget } from '../container/block.js';
import type { CramCompressionHeader } from '../container/compression-header.js';
import type { CramContainerHeader } from '../container/container-header.js';
import type { CramVersion } from '../container/file-definition.js';
import { visitRecordSpans } from './record-spans.js';
import { type SeriesSelection, selectPositions } from './series-selection.js';
import { openSliceSeries } from './slice-series.js';
import { readCompressionBlock, StoredSlice } from './stored-slice.js';

/** The maximum number of references that the records of one slice may have. Real slices have fewer records. */
const MAX_REFERENCES = 2 ** 20;

/** The bases of one reference that a slice covers, as a CRAI index records them. */
export interface CramSliceSpan {
  /** The index of the reference in the SAM header; −1 for unplaced records. */
  readonly referenceId: number;
  /** 1-based, as in the file; 0 for unplaced records. */
  readonly alignmentStart: number;
  /** Bases. */
  readonly alignmentSpan: number;
  /** The start of the slice, in bytes from the end of the container header. */
  readonly landmark: number;
  /** Bytes of the slice: its header and its blocks. */
  readonly byteLength: number;
}

/** A container whose slices are parsed. */
export interface CramContainerSource {
  readonly version: CramVersion;
  readonly header: CramContainerHeader;
  /** Bytes from the start of the file to the blocks, for the offsets of errors. Default: 0. */
  readonly offset?: number;
  /** Bounds the decoding of all containers that share it. Default: a budget for this container. */
  readonly budget?: CramDecodeBudget;
}

/** How the slices of a container are decoded. */
interface SliceCoding {
  readonly compression: CramCompressionHeader;
  readonly selection: SeriesSelection;
}

/**
 * Yields the spans that the slices of a container cover, in order. `bytes` are the blocks of the container, which follow its
 * header; each slice is decoded when the iteration reaches it.
 *
 * For a slice of one reference, its header suffices. For a slice of several references, the positions of its records are
 * decoded, and one span is yielded for each run of records on the same reference. Throws `FormatError` `INVALID_DATA` and
 * `TRUNCATED` for corrupt data, `INVALID_DATA` if the records of such a slice are not sorted, `UNSUPPORTED` for an unknown
 * compression method, `LIMIT_EXCEEDED` for a slice of more than 256 MiB or 2^20 references and beyond the budget.
 */
export function* parseCramSliceSpans(
  bytes: Uint8Array,
  { version, header, offset = 0, budget = new CramDecodeBudget() }: CramContainerSource,
): Generator<CramSliceSpan, void> {
  budget.earn(bytes.length);
  let coding: SliceCoding | undefined;
  for (const [index, landmark] of header.landmarks.entries()) {
    // A slice ends where the next one starts.
    const cursor = new ByteCursor(bytes.subarray(0, header.landmarks[index + 1]), offset);
    const slice = new StoredSlice(cursor, landmark, { version, budget });
    const { referenceId, alignmentStart, alignmentSpan } = slice.header;
    const { byteLength } = slice;
    if (referenceId !== -2) yield { referenceId, alignmentStart, alignmentSpan, landmark, byteLength };
    else {
      if (coding === undefined) {
        const compression = readCompressionBlock(new ByteCursor(bytes, offset), { version, budget });
        coding = { compression, selection: selectPositions(compression) };
      }
      yield* referenceSpans(slice, coding);
    }
  }
}

/** The records of one reference, which follow each other in a slice. */
interface ReferenceRun {
  readonly referenceId: number;
  readonly start: number;
  end: number;
}

/** Yields one span for each run of records on the same reference. As in htslib, unplaced records are at 0 and one base long. */
function* referenceSpans(slice: StoredSlice, coding: SliceCoding): Generator<CramSliceSpan, void> {
  const { landmark, byteLength, offset } = slice;
  const runs = new Map<number, ReferenceRun>();
  let run: ReferenceRun | undefined;
  let previousStart = 0;
  const series = openSliceSeries(coding.selection, slice);
  visitRecordSpans({ slice, compression: coding.compression, series }, (referenceId, start, last) => {
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

/** Checks that a run may start: each reference has one run, the runs are in any order, and unplaced records are last. */
function checkReference(runs: ReadonlyMap<number, ReferenceRun>, referenceId: number, offset: number): void {
  if (runs.has(referenceId) || runs.has(-1)) throw notSorted(offset);
  if (runs.size < MAX_REFERENCES) return;
  const message = `slice has records of more than ${MAX_REFERENCES} references`;
  throw new FormatError('LIMIT_EXCEEDED', message, { offset });
}

function notSorted(offset: number): FormatError {
  return invalidData('records of a slice are not sorted', offset);
}
