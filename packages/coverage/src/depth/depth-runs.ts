/**
 * Consecutive runs of bases of one reference with the same depth, in ascending order and disjoint. Bases between runs have no records.
 * A run has depth 0 if its bases have records, but only deletions, skips or bases of low quality there.
 */
export interface DepthRuns {
  readonly referenceId: number;
  /** The number of runs. */
  readonly length: number;
  /** The first base of each run, 0-based. */
  readonly start: Int32Array;
  /** The base after the last one of each run. */
  readonly end: Int32Array;
  readonly depth: Uint32Array;
}

const FIRST_LENGTH = 1024;

/** Runs that are appended one by one. */
export class RunList {
  #start = new Int32Array(FIRST_LENGTH);
  #end = new Int32Array(FIRST_LENGTH);
  #depth = new Uint32Array(FIRST_LENGTH);
  #length = 0;

  /** The number of runs. */
  get length(): number {
    return this.#length;
  }

  /** Appends a run. */
  push(start: number, end: number, depth: number): void {
    const at = this.#length++;
    if (at === this.#start.length) this.#grow();
    this.#start[at] = start;
    this.#end[at] = end;
    this.#depth[at] = depth;
  }

  /** Returns the runs in memory of their own, and starts again. */
  take(referenceId: number): DepthRuns {
    const length = this.#length;
    this.#length = 0;
    return {
      referenceId,
      length,
      start: this.#start.slice(0, length),
      end: this.#end.slice(0, length),
      depth: this.#depth.slice(0, length),
    };
  }

  #grow(): void {
    const [start, end, depth] = [this.#start, this.#end, this.#depth];
    this.#start = new Int32Array(2 * start.length);
    this.#end = new Int32Array(2 * start.length);
    this.#depth = new Uint32Array(2 * start.length);
    this.#start.set(start);
    this.#end.set(end);
    this.#depth.set(depth);
  }
}
