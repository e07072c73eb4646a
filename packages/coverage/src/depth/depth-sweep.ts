import type { RunList } from './depth-runs.js';

const BUCKET_SHIFT = 16;
/** Bases of a bucket. */
export const BUCKET_BASES: number = 2 ** BUCKET_SHIFT;
/** Buckets of the window: as many as most records end in. */
const WINDOW_BUCKETS = 4;
const WINDOW_BASES = WINDOW_BUCKETS * BUCKET_BASES;
const WINDOW_MASK = WINDOW_BASES - 1;

/**
 * Sweeps along a reference, and sums the changes of depth at each base to runs. Changes in a window, which moves with the sweep, are in
 * arrays that wrap around; later ones, of records that span more bases, are listed by bucket.
 */
export class DepthSweep {
  readonly #depthChanges = new Int32Array(WINDOW_BASES);
  /** Changes of the number of records that have a gap, at their start and end. */
  readonly #gapChanges = new Int32Array(WINDOW_BASES);
  /** By bucket of the window, whether it has had changes: the bases of one without them need not be looked at. */
  readonly #hasChanges = new Uint8Array(WINDOW_BUCKETS);
  /** By bucket, triples of a position, a change of depth and a change of gaps. */
  readonly #late = new Map<number, number[]>();
  /** The start of the window, a multiple of a bucket. */
  #windowStart = 0;
  /** All changes before this base are summed. */
  #position = 0;
  /** The last base with a change. */
  #last = -1;
  #depth = 0;
  #gaps = 0;
  #runStart = 0;

  /** Starts a reference. */
  start(): void {
    this.#windowStart = 0;
    this.#position = 0;
    this.#last = -1;
  }

  /** Adds changes of the depth, and of the number of records with a gap, from a base on that is not before the last `sweep`. */
  change(position: number, depth: number, gaps: number): void {
    if (position > this.#last) this.#last = position;
    if (position >= this.#windowStart + WINDOW_BASES) {
      this.#changeLater(position, depth, gaps);
      return;
    }
    this.#hasChanges[bucketOf(position)] = 1;
    const at = position & WINDOW_MASK;
    this.#depthChanges[at] = (this.#depthChanges[at] ?? 0) + depth;
    if (gaps !== 0) this.#gapChanges[at] = (this.#gapChanges[at] ?? 0) + gaps;
  }

  /** Sums the changes before a base, and appends the runs that end there or before. */
  sweep(to: number, runs: RunList): void {
    while (this.#position < to) {
      if (this.#last < this.#position) {
        this.#position = to;
        this.#windowStart = to - (to % BUCKET_BASES);
        return;
      }
      const bucketEnd = this.#windowStart + BUCKET_BASES;
      const end = Math.min(to, bucketEnd, this.#last + 1);
      if (this.#hasChanges[bucketOf(this.#windowStart)] === 1) this.#sumChanges(end, runs);
      else this.#position = end;
      if (this.#position === bucketEnd) this.#moveWindow();
    }
  }

  /** Sums all changes. */
  finish(runs: RunList): void {
    this.sweep(this.#last + 1, runs);
  }

  #sumChanges(to: number, runs: RunList): void {
    const [depthChanges, gapChanges] = [this.#depthChanges, this.#gapChanges];
    let [depth, gaps] = [this.#depth, this.#gaps];
    for (let position = this.#position; position < to; position++) {
      const at = position & WINDOW_MASK;
      const depthChange = depthChanges[at] ?? 0;
      const gapChange = gapChanges[at] ?? 0;
      if (depthChange === 0 && gapChange === 0) continue;
      depthChanges[at] = 0;
      gapChanges[at] = 0;
      const hadRecords = depth > 0 || gaps > 0;
      const hasRecords = depth + depthChange > 0 || gaps + gapChange > 0;
      if (depthChange !== 0 || hadRecords !== hasRecords) {
        if (hadRecords) runs.push(this.#runStart, position, depth);
        this.#runStart = position;
      }
      depth += depthChange;
      gaps += gapChange;
    }
    this.#depth = depth;
    this.#gaps = gaps;
    this.#position = to;
  }

  #changeLater(position: number, depth: number, gaps: number): void {
    const bucket = Math.floor(position / BUCKET_BASES);
    const changes = this.#late.get(bucket);
    if (changes === undefined) this.#late.set(bucket, [position, depth, gaps]);
    else changes.push(position, depth, gaps);
  }

  /** Moves the window by a bucket. */
  #moveWindow(): void {
    this.#hasChanges[bucketOf(this.#windowStart)] = 0;
    this.#windowStart += BUCKET_BASES;
    const bucket = (this.#windowStart + WINDOW_BASES) / BUCKET_BASES - 1;
    const changes = this.#late.get(bucket);
    if (changes === undefined) return;
    this.#late.delete(bucket);
    for (let i = 0; i < changes.length; i += 3) this.change(changes[i] ?? 0, changes[i + 1] ?? 0, changes[i + 2] ?? 0);
  }
}

/** Returns the index in the window of the bucket of a base. */
function bucketOf(position: number): number {
  return (position & WINDOW_MASK) >>> BUCKET_SHIFT;
}
