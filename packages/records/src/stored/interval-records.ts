import { compareVirtualOffsets, type VirtualOffset, type VirtualRange } from '@htskit/bgzf';
import { peek } from '@htskit/io';
import type { DisjointInterval } from '../region.js';
import { joinOwned } from './bgzf-stream.js';
import type { BlockReading } from './inflated-blocks.js';
import type { FileHeader } from './record-format.js';
import type { ReadPiecesOptions } from './record-store.js';

const FILE_START: VirtualOffset = { coffset: 0, uoffset: 0 };

/** An interval, and the chunks of the file that hold its records. */
export interface IntervalChunks {
  readonly interval: DisjointInterval;
  readonly chunks: readonly VirtualRange[];
}

/** Returns the intervals of all references in the order of their records. Those of one reference are in order already. */
export function inFileOrder(groups: readonly (readonly IntervalChunks[])[]): IntervalChunks[] {
  const startOf = (group: readonly IntervalChunks[]): VirtualOffset =>
    group.find(({ chunks }) => chunks.length > 0)?.chunks[0]?.start ?? FILE_START;
  return groups.toSorted((a, b) => compareVirtualOffsets(startOf(a), startOf(b))).flat();
}

/** The source of the blocks of intervals, and the filters of their records. */
interface FilterIntervalsOptions extends Pick<FileHeader, 'createFilter'>, Pick<ReadPiecesOptions, 'mayBeKept'> {
  readonly blocks: BlockReading;
}

/**
 * Yields the records of intervals, which are in the order of the file: whole records, and the promises that `blocks` yields. What
 * follows the first record after an interval is not read for it, and the next interval begins there at the earliest.
 */
export function* filterIntervals(
  parts: readonly IntervalChunks[],
  { blocks, createFilter, mayBeKept = false }: FilterIntervalsOptions,
): Generator<Uint8Array | Promise<unknown>, void> {
  /** The start of a record. All records before it begin before the end of an interval that was read. */
  let done = FILE_START;
  for (const { interval, chunks } of parts) {
    const filter = createFilter([interval]);
    for (const chunk of chunks) {
      if (filter.isPast) break;
      const start = compareVirtualOffsets(chunk.start, done) < 0 ? done : chunk.start;
      if (compareVirtualOffsets(start, chunk.end) >= 0) continue;
      for (const span of blocks.read({ start, end: chunk.end })) {
        if (span instanceof Promise) {
          yield span;
          continue;
        }
        const { data, coffset, uoffset } = span;
        const kept = filter.push(data);
        // A block is in memory of its own, and so is a record that lies in several.
        if (mayBeKept) for (const run of kept) yield peek(run);
        else if (kept.length > 0) yield joinOwned(kept);
        if (filter.isPast) break;
        const { pendingBytes } = filter;
        if (pendingBytes <= data.length) done = { coffset, uoffset: uoffset + data.length - pendingBytes };
      }
      const last = filter.isPast ? [] : filter.finish();
      if (last.length > 0) yield joinOwned(last);
    }
  }
}
