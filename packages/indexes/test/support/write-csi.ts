import type { VirtualOffset } from '@htskit/bgzf';
import { buildCsi, type CsiReferenceParts } from './build-csi.js';
import { binChunks, type IndexedRecord, mergeSmallBins, type WriterHabits } from './write-index.js';

/** A binning scheme of CSIv1. */
export interface Scheme {
  readonly minShift: number;
  readonly depth: number;
}

/** Writes the CSI of a sorted file, straight from CSIv1 and the habits of a writer. */
export function writeCsi(
  records: readonly IndexedRecord[],
  referenceCount: number,
  { scheme, ...habits }: WriterHabits & { readonly scheme: Scheme },
): Uint8Array {
  const references = Array.from({ length: referenceCount }, (_, referenceId) =>
    writeReference(
      records.filter((record) => record.referenceId === referenceId),
      scheme,
      habits,
    ),
  );
  return buildCsi(references, {
    ...scheme,
    unplacedCount: records.filter(({ referenceId }) => referenceId === -1).length,
  });
}

function writeReference(records: readonly IndexedRecord[], scheme: Scheme, habits: WriterHabits): CsiReferenceParts {
  const bins = binChunks(records, (beg, end) => reg2bin(beg, end, scheme));
  if (habits.mergesSmallBins) mergeSmallBins(bins);
  const unmapped = records.filter(({ isUnmapped }) => isUnmapped).length;
  return {
    bins: [...bins]
      .sort(([a], [b]) => habits.binOrder(a) - habits.binOrder(b) || a - b)
      .map(([number, chunks]) => ({
        number,
        loffset: windowOffset(records, firstWindow(number, scheme), { minShift: scheme.minShift, ...habits }),
        chunks,
      })),
    ...(habits.hasPseudoBin && { pseudoBin: { mapped: records.length - unmapped, unmapped } }),
  };
}

/** CSIv1, reg2bin, without its 32-bit shifts. */
function reg2bin(beg: number, end: number, { minShift, depth }: Scheme): number {
  let first = (8 ** depth - 1) / 7;
  for (let level = depth; level > 0; level--) {
    const span = 2 ** (minShift + 3 * (depth - level));
    if (Math.floor(beg / span) === Math.floor((end - 1) / span)) return first + Math.floor(beg / span);
    first -= 8 ** (level - 1);
  }
  return 0;
}

/** Returns the first of the smallest bins that a bin spans (bin_bot of HTSlib). */
function firstWindow(number: number, { depth }: Scheme): number {
  let level = 0;
  let first = 0;
  while (number >= first + 8 ** level) first += 8 ** level++;
  return (number - first) * 8 ** (depth - level);
}

/** Returns the entry that a linear index would have for a window. */
function windowOffset(
  records: readonly IndexedRecord[],
  window: number,
  { minShift, indexesUnmapped, emptyWindows }: WriterHabits & { readonly minShift: number },
): VirtualOffset {
  const toWindow = (base: number): number => Math.floor(base / 2 ** minShift);
  const indexed = records.filter(({ isUnmapped }) => indexesUnmapped || !isUnmapped);
  const overlapping = indexed.find(
    ({ baseStart, baseEnd }) => toWindow(baseStart) <= window && window <= toWindow(baseEnd - 1),
  );
  if (overlapping !== undefined) return overlapping.start;
  const before = indexed.filter(({ baseEnd }) => toWindow(baseEnd - 1) < window);
  const last = Math.max(...before.map(({ baseEnd }) => toWindow(baseEnd - 1)));
  const filler = {
    zero: undefined,
    previous: before.find(({ baseEnd }) => toWindow(baseEnd - 1) === last),
    next: indexed.find(({ baseStart }) => toWindow(baseStart) > window),
  };
  return filler[emptyWindows]?.start ?? { coffset: 0, uoffset: 0 };
}
