import { AlignmentRecord } from '@htskit/formats';
import type { ReadSelection } from './read-selection.js';

/** Yields the records that are kept of pieces of whole BAM records, as runs of bytes. */
export async function* filterReads(
  pieces: AsyncIterable<Uint8Array>,
  selection: ReadSelection,
): AsyncGenerator<Uint8Array, void> {
  for await (const piece of pieces) {
    const first = new AlignmentRecord(piece);
    let runStart = 0;
    for (let at = 0, end = 0; at < piece.length; at = end) {
      const record = first.viewAt(at);
      end = record.byteEnd;
      if (isSelected(record, selection)) continue;
      if (runStart < at) yield piece.subarray(runStart, at);
      runStart = end;
    }
    if (runStart < piece.length) yield piece.subarray(runStart);
  }
}

/** Counts the records in runs of whole BAM records. */
export async function countReads(runs: AsyncIterable<Uint8Array>): Promise<number> {
  let count = 0;
  for await (const run of runs) {
    const first = new AlignmentRecord(run);
    for (let at = 0; at < run.length; at = first.viewAt(at).byteEnd) count++;
  }
  return count;
}

function isSelected(record: AlignmentRecord, selection: ReadSelection): boolean {
  const { minMapq = 0, requireFlags = 0, excludeFlags = 0, readGroups } = selection;
  const { flags, mappingQuality } = record;
  if (mappingQuality < minMapq || (flags & requireFlags) !== requireFlags || (flags & excludeFlags) !== 0) return false;
  const readGroup = readGroups === undefined ? undefined : record.tag('RG');
  return readGroup === undefined || readGroups?.includes(String(readGroup)) === true;
}
