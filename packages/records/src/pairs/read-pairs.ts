import { AlignmentRecord } from '@htskit/formats';
import { createNameLookup, groupIntervals, type IntervalsById, numberedReferences } from '@htskit/formats/internal';
import type { AlignmentFile } from '../open-alignments.js';
import { type Regions, toIntervals } from '../region.js';
import type { ReadRecordsOptions } from '../stored/record-store.js';

/** A read of a region, and its mate. */
export interface ReadPair {
  readonly read: AlignmentRecord;
  /** The mate, wherever it is aligned. Undefined if the read has none, or if the file lacks it. */
  readonly mate: AlignmentRecord | undefined;
}

/** Mates that start at most this many bases after a read are waited for. Others are looked up. */
const NEAR_BASES = 100_000;

/** Reads whose mates are looked up at once. */
const BATCH = 4096;

/**
 * Yields the reads that overlap regions as pairs: each pair once, when its second read is found. A mate that does not overlap the
 * regions is looked up in the index, for thousands of reads at once. Secondary and supplementary alignments are left out: a pair is
 * made of the primary ones. A mate without a reference (`*`) is found only if the regions select it. Memory holds copies of the reads
 * whose mates start within the next 100,000 bases, and of 4,096 others. Fails as `file.records` does.
 *
 * @example
 * ```ts
 * import { openAlignments, readPairs } from '@htskit/records';
 *
 * const file = await openAlignments('reads.bam');
 * for await (const { read, mate } of readPairs(file, 'chr1:1,001-2,000')) {
 *   if (mate !== undefined && mate.referenceId !== read.referenceId) console.log(read.name, read.start, mate.start);
 * }
 * ```
 */
export async function* readPairs(
  file: AlignmentFile,
  regions: Regions,
  { onProgress, ...options }: ReadRecordsOptions = {},
): AsyncGenerator<ReadPair, void> {
  const ids = createNameLookup(file.references.map(({ name }, id) => [name, id]));
  const intervals = toIntervals(regions, numberedReferences(ids, { hasUnplaced: true }), options);
  const waiting = new WaitingReads(groupIntervals(intervals, ({ referenceId }) => referenceId));
  for await (const record of file.records(regions, onProgress === undefined ? options : { ...options, onProgress })) {
    if (record.isSecondary || record.isSupplementary) continue;
    const mate = record.isPaired ? waiting.takeMate(record) : undefined;
    if (mate !== undefined) yield { read: mate, mate: record };
    else if (record.isPaired) waiting.add(record);
    else yield { read: record, mate: undefined };
    if (waiting.far.length >= BATCH) yield* findMates(file, waiting, options);
  }
  waiting.giveUp();
  while (waiting.far.length > 0) yield* findMates(file, waiting, options);
}

/** The reads whose mates were not found. */
class WaitingReads {
  /** Reads whose mates are not expected in what is read next. */
  far: AlignmentRecord[] = [];
  readonly #intervals: IntervalsById;
  /** Reads whose mates are expected, by their names and numbers. */
  readonly #near = new Map<string, AlignmentRecord>();
  #maxNear = BATCH;

  constructor(intervals: IntervalsById) {
    this.#intervals = intervals;
  }

  /** Returns the read that waits for this one. */
  takeMate(record: AlignmentRecord): AlignmentRecord | undefined {
    const key = keyOf(record, !record.isFirstInPair);
    const mate = this.#near.get(key);
    this.#near.delete(key);
    return mate;
  }

  /** Adds a copy of a read. */
  add(record: AlignmentRecord): void {
    const key = keyOf(record, record.isFirstInPair);
    const copy = new AlignmentRecord(record.bytes.slice());
    if (this.#isMateAhead(copy) && !this.#near.has(key)) this.#near.set(key, copy);
    else this.far.push(copy);
    if (this.#near.size < this.#maxNear) return;
    // The mates of some were not where their records say.
    for (const [other, { referenceId, mateStart, mateReferenceId }] of this.#near) {
      if (mateReferenceId === copy.referenceId && mateStart >= copy.start) continue;
      if (referenceId === copy.referenceId) this.#giveUp(other);
    }
    this.#maxNear = Math.max(BATCH, 2 * this.#near.size);
  }

  /** Expects no more mates. */
  giveUp(): void {
    for (const key of this.#near.keys()) this.#giveUp(key);
  }

  /** Returns whether a record overlaps the regions, so that it is among those that are read. */
  overlaps({ referenceId, start, end }: AlignmentRecord): boolean {
    const interval = this.#intervals.get(referenceId)?.firstEndingAfter(start);
    return interval !== undefined && interval.start < end;
  }

  #giveUp(key: string): void {
    const read = this.#near.get(key);
    this.#near.delete(key);
    if (read !== undefined) this.far.push(read);
  }

  #isMateAhead({ referenceId, start, mateReferenceId, mateStart }: AlignmentRecord): boolean {
    if (mateReferenceId !== referenceId || mateStart < start || mateStart - start > NEAR_BASES) return false;
    const interval = this.#intervals.get(referenceId)?.firstEndingAfter(mateStart);
    return interval !== undefined && interval.start <= mateStart;
  }
}

/** Looks up the mates of reads, and yields the pairs that were not yielded with the mate. */
async function* findMates(
  file: AlignmentFile,
  waiting: WaitingReads,
  options: ReadRecordsOptions,
): AsyncGenerator<ReadPair, void> {
  const reads = waiting.far.splice(0, BATCH);
  const byMate = new Map<string, AlignmentRecord[]>();
  for (const read of reads) {
    const key = keyOf(read, !read.isFirstInPair);
    const others = byMate.get(key);
    if (others === undefined) byMate.set(key, [read]);
    else others.push(read);
  }
  const places = reads.flatMap(({ mateReferenceId, mateStart }) => {
    const { name } = file.references[mateReferenceId] ?? {};
    return name === undefined || mateStart < 0 ? [] : [{ referenceName: name, start: mateStart, end: mateStart + 1 }];
  });
  for await (const mate of places.length === 0 ? [] : file.records(places, options)) {
    if (mate.isSecondary || mate.isSupplementary || !mate.isPaired) continue;
    const candidates = byMate.get(keyOf(mate, mate.isFirstInPair)) ?? [];
    const at = candidates.findIndex(
      (read) => read.mateReferenceId === mate.referenceId && read.mateStart === mate.start,
    );
    const [read] = at === -1 ? [] : candidates.splice(at, 1);
    // A mate before the read that is in the regions has found the read.
    if (read !== undefined && !(isBefore(mate, read) && waiting.overlaps(mate))) yield { read, mate };
  }
  for (const read of Array.from(byMate.values()).flat()) yield { read, mate: undefined };
}

/** Identifies a read of a template. */
function keyOf({ name }: AlignmentRecord, isFirst: boolean): string {
  return `${isFirst ? 1 : 2} ${name}`;
}

function isBefore(a: AlignmentRecord, b: AlignmentRecord): boolean {
  return a.referenceId === b.referenceId ? a.start < b.start : a.referenceId < b.referenceId;
}
