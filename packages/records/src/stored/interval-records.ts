import { compareVirtualOffsets, type InflatedSpan, type VirtualOffset, type VirtualRange } from '@htskit/bgzf';
import type { RecordFilter } from '@htskit/formats';
import { type BorrowedBytes, peek } from '@htskit/io';
import type { DisjointInterval } from '../region.js';
import { joinOwned } from './bgzf-stream.js';
import type { BlockReading } from './inflated-blocks.js';
import type { FileHeader } from './record-format.js';
import type { RecordStarts } from './record-starts.js';
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
  readonly starts: RecordStarts;
}

/**
 * Yields the records of intervals, which are in the order of the file: whole records, and the promises that `blocks` yields. What
 * follows the first record after an interval is not read for it, and the next interval begins there at the earliest.
 */
export function* filterIntervals(
  parts: readonly IntervalChunks[],
  { blocks, starts, createFilter, mayBeKept = false }: FilterIntervalsOptions,
): Generator<Uint8Array | Promise<unknown>, void> {
  /** The start of a record. All records before it begin before the end of an interval that was read. */
  let done = FILE_START;
  for (const { interval, chunks } of parts) {
    const filter = createFilter([interval]);
    for (const chunk of chunks) {
      if (filter.isPast) break;
      const start = compareVirtualOffsets(chunk.start, done) < 0 ? done : chunk.start;
      const from = starts.firstFrom(start, interval);
      if (compareVirtualOffsets(from, chunk.end) >= 0) continue;
      done = from;
      let first: VirtualOffset | undefined;
      for (const span of blocks.read({ start: from, end: chunk.end })) {
        if (span instanceof Promise) {
          yield span;
          continue;
        }
        const kept = filter.push(span.data);
        if (kept.length > 0 || filter.isPast) first ??= startOf(kept, span) ?? done;
        // A block is in memory of its own, and so is a record that lies in several.
        if (mayBeKept) yield* kept.map(peek);
        else if (kept.length > 0) yield joinOwned(kept);
        if (filter.isPast) break;
        done = nextRecord(filter, span) ?? done;
      }
      starts.add(start, interval, first ?? done);
      const last = filter.isPast ? [] : filter.finish();
      if (last.length > 0) yield joinOwned(last);
    }
  }
}

/** Returns the offset of the first part, unless that began in an earlier block. */
function startOf(
  [part]: readonly BorrowedBytes[],
  { data, coffset, uoffset }: InflatedSpan,
): VirtualOffset | undefined {
  if (part === undefined) return undefined;
  const { buffer, byteOffset } = peek(data);
  const from = peek(part);
  return from.buffer === buffer ? { coffset, uoffset: uoffset + from.byteOffset - byteOffset } : undefined;
}

/** Returns the start of the first record that does not end in a span, unless that began in an earlier block. */
function nextRecord(
  { pendingBytes }: RecordFilter,
  { data, coffset, uoffset }: InflatedSpan,
): VirtualOffset | undefined {
  return pendingBytes <= data.length ? { coffset, uoffset: uoffset + data.length - pendingBytes } : undefined;
}
