import { firstIndex } from '@htskit/io/internal';
import { invalidData } from '../../format-error.js';
import type { CramCompressionHeader } from '../container/compression-header.js';
import type { CramReference } from '../container/file-header.js';
import { visitRecordSpans } from '../slice/record-spans.js';
import { selectPositions } from '../slice/series-selection.js';
import { openSliceSeries } from '../slice/slice-series.js';
import type { StoredSlice } from '../slice/stored-slice.js';
import {
  type CramReferenceSource,
  checkReferenceMd5,
  fetchWindow,
  type ReferenceWindow,
  toWindow,
} from './reference-window.js';

/** Windows of one reference that are closer than this are fetched together. */
const MERGE_BASES = 2 ** 16;
/** Windows that are fetched at the same time. */
const CONCURRENT_FETCHES = 16;

const SPACE = 0x20;
const TILDE = 0x7e;

/** The means of fetching the bases of a slice. */
export interface SliceReferenceOptions {
  readonly compression: CramCompressionHeader;
  readonly references: readonly CramReference[];
  readonly source: CramReferenceSource | undefined;
  readonly signal: AbortSignal | undefined;
}

/** The reference bases of a slice. */
export interface SliceReference {
  /** Returns the window that contains a 0-based position of a reference; undefined if the slice needs no reference. */
  windowAt(referenceId: number, position: number): ReferenceWindow | undefined;
}

/** The reference of a slice that needs none. */
export const NO_REFERENCE: SliceReference = { windowAt: () => undefined };

/**
 * Fetches the reference bases that a slice needs, or takes those that it embeds. Throws `FormatError` `MISSING_REFERENCE`,
 * `REFERENCE_MISMATCH`, `INVALID_DATA`, and what `visitRecordSpans` throws.
 */
export async function openSliceReference(slice: StoredSlice, options: SliceReferenceOptions): Promise<SliceReference> {
  const { referenceId, alignmentStart, alignmentSpan, embeddedReferenceId } = slice.header;
  if (referenceId === -1 || !(options.compression.needsReference || embeddedReferenceId >= 0)) return NO_REFERENCE;
  if (referenceId === -2) return openSeveral(slice, options);
  const reference = referenceOf(referenceId, slice, options);
  const start = Math.max(alignmentStart - 1, 0);
  const bounds = { start, end: start + alignmentSpan };
  const window =
    embeddedReferenceId >= 0 ? embedded(slice, bounds) : await fetchWindow({ reference, slice, ...options }, bounds);
  checkReferenceMd5(window, slice, reference.name);
  return { windowAt: () => window };
}

function referenceOf(id: number, slice: StoredSlice, { references }: SliceReferenceOptions): CramReference {
  const reference = references[id];
  if (reference === undefined) {
    throw invalidData(`slice refers to reference ${id}, but the header has ${references.length}`, slice.offset);
  }
  return reference;
}

function embedded(
  slice: StoredSlice,
  { start, end }: { readonly start: number; readonly end: number },
): ReferenceWindow {
  const bases = slice.data(slice.header.embeddedReferenceId);
  if (bases.length < end - start) {
    throw invalidData(`embedded reference has ${bases.length} bases, but the slice spans ${end - start}`, slice.offset);
  }
  // They become the text of MD.
  if (bases.some((base) => base <= SPACE || base > TILDE)) {
    throw invalidData('embedded reference has bytes that are not bases', slice.offset);
  }
  return toWindow(start, end, bases.subarray(0, end - start));
}

/** Fetches windows around the records of a slice of several references, after decoding their positions. */
async function openSeveral(slice: StoredSlice, options: SliceReferenceOptions): Promise<SliceReference> {
  const { compression } = options;
  const series = openSliceSeries(selectPositions(compression), slice);
  const spans: { readonly referenceId: number; readonly start: number; end: number }[] = [];
  visitRecordSpans({ slice, compression, series }, (referenceId, start, last) => {
    if (referenceId < 0 || start <= 0) return;
    const previous = spans.at(-1);
    if (
      previous?.referenceId === referenceId &&
      start - 1 >= previous.start &&
      start - 1 <= previous.end + MERGE_BASES
    ) {
      previous.end = Math.max(previous.end, last);
    } else spans.push({ referenceId, start: start - 1, end: last });
  });
  const merged: typeof spans = [];
  for (const span of spans.sort((a, b) => a.referenceId - b.referenceId || a.start - b.start)) {
    const previous = merged.at(-1);
    if (previous?.referenceId === span.referenceId && span.start <= previous.end + MERGE_BASES) {
      previous.end = Math.max(previous.end, span.end);
    } else merged.push(span);
  }
  const windows = new Map<number, ReferenceWindow[]>();
  for (let at = 0; at < merged.length; at += CONCURRENT_FETCHES) {
    const batch = merged.slice(at, at + CONCURRENT_FETCHES);
    const fetched = await Promise.all(
      batch.map((span) =>
        fetchWindow({ reference: referenceOf(span.referenceId, slice, options), slice, ...options }, span),
      ),
    );
    for (const [index, window] of fetched.entries()) {
      const id = batch[index]?.referenceId ?? -1;
      const known = windows.get(id);
      if (known === undefined) windows.set(id, [window]);
      else known.push(window);
    }
  }
  return { windowAt: (id, position) => findWindow(windows.get(id) ?? [], position) };
}

/** Returns the last window that starts at or before a position. */
function findWindow(windows: readonly ReferenceWindow[], position: number): ReferenceWindow | undefined {
  return windows[firstIndex(windows.length, (index) => (windows[index]?.start ?? 0) > position) - 1];
}
