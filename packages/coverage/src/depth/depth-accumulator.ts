import { DEFAULT_EXCLUDE_FLAGS, type DepthColumns, type DepthFilter } from './depth-columns.js';
import { type DepthRuns, RunList } from './depth-runs.js';
import { BUCKET_BASES, DepthSweep } from './depth-sweep.js';
import { MateOverlaps } from './mate-overlaps.js';

/** The last base that a 32-bit integer holds. */
const MAX_BASE = 2 ** 31 - 1;
/** Codes of the operations of CIGAR, as bits: M, =, X; D; D and N; I and S. */
const ALIGNED = 0b1_1000_0001;
const DELETED = 0b100;
const GAPS = 0b1100;
const INSERTED = 0b1_0010;

/**
 * Sums alignments to exact runs of depth, in the order of the file and in bounded memory: changes of depth of a few hundred thousand
 * bases, and those of records that span more.
 *
 * @example
 * ```ts
 * import { DepthAccumulator } from '@htskit/coverage';
 *
 * const accumulator = new DepthAccumulator({ minMappingQuality: 20 });
 * const columns = {
 *   length: 1,
 *   referenceId: Int32Array.of(0),
 *   start: Int32Array.of(10),
 *   flags: Uint16Array.of(0),
 *   mappingQuality: Uint8Array.of(60),
 *   cigar: { offsets: Int32Array.of(0, 1), values: Uint32Array.of(50 << 4) }, // 50M
 * };
 * for (const runs of [...accumulator.add(columns), ...accumulator.finish()]) console.log(runs.start[0], runs.end[0]);
 * ```
 */
export class DepthAccumulator {
  readonly #filter: Required<Omit<DepthFilter, 'countOverlapsOnce'>>;
  readonly #overlaps: MateOverlaps | undefined;
  /** The operations that count, as bits. */
  readonly #counted: number;
  readonly #sweep = new DepthSweep();
  readonly #runs = new RunList();
  #referenceId = -1;
  /** The start of the last record. */
  #start = 0;
  /** The base up to which runs were swept. */
  #swept = 0;

  constructor({
    excludeFlags = DEFAULT_EXCLUDE_FLAGS,
    minMappingQuality = 0,
    minBaseQuality = 0,
    countDeletions = false,
    countOverlapsOnce = false,
  }: DepthFilter = {}) {
    if (countOverlapsOnce) this.#overlaps = new MateOverlaps();
    this.#filter = { excludeFlags, minMappingQuality, minBaseQuality, countDeletions };
    this.#counted = countDeletions ? ALIGNED | DELETED : ALIGNED;
  }

  /**
   * Adds records, and returns the runs that later records cannot change, by reference. Throws RangeError if a record is before another
   * one on its reference. Records without a position do not count.
   */
  add(columns: DepthColumns): DepthRuns[] {
    const { excludeFlags, minMappingQuality, minBaseQuality } = this.#filter;
    const { length, referenceId, start, flags, mappingQuality, cigar, qualities } = columns;
    const finished: DepthRuns[] = [];
    for (let i = 0; i < length; i++) {
      if (((flags[i] ?? 0) & excludeFlags) !== 0 || (mappingQuality?.[i] ?? 0) < minMappingQuality) continue;
      const [id, base] = [referenceId[i] ?? -1, start[i] ?? -1];
      if (id < 0 || base < 0) continue;
      if (id !== this.#referenceId) this.#startReference(id, finished);
      this.#moveTo(base);
      const [first, end] = [cigar.offsets[i] ?? 0, cigar.offsets[i + 1] ?? 0];
      const [firstQuality, qualityEnd] = [qualities?.offsets[i] ?? 0, qualities?.offsets[i + 1] ?? 0];
      const clip = this.#overlaps?.clipOf(columns, i) ?? 0;
      if (clip <= base && (minBaseQuality === 0 || qualities === undefined || firstQuality === qualityEnd)) {
        this.#addOperations(base, cigar.values, first, end);
      } else {
        const bases = qualities?.values.subarray(firstQuality, qualityEnd) ?? NO_QUALITIES;
        this.#addBases(base, cigar.values.subarray(first, end), { qualities: bases, clip });
      }
    }
    this.#sweep.sweep(this.#start, this.#runs);
    if (this.#runs.length > 0) finished.push(this.#runs.take(this.#referenceId));
    return finished;
  }

  /** Returns the rest of the runs. */
  finish(): DepthRuns[] {
    const finished: DepthRuns[] = [];
    this.#startReference(-1, finished);
    return finished;
  }

  #startReference(referenceId: number, finished: DepthRuns[]): void {
    this.#sweep.finish(this.#runs);
    if (this.#runs.length > 0) finished.push(this.#runs.take(this.#referenceId));
    this.#sweep.start();
    this.#referenceId = referenceId;
    this.#start = 0;
    this.#swept = 0;
  }

  /** Sweeps in long steps, since most records begin close to the one before. */
  #moveTo(base: number): void {
    if (base < this.#start) {
      throw new RangeError(`records are not sorted: one at base ${base} follows one at ${this.#start}`);
    }
    this.#start = base;
    if (base < this.#swept + BUCKET_BASES) return;
    this.#sweep.sweep(base, this.#runs);
    this.#swept = base;
  }

  /** Adds a record whose bases all count. */
  #addOperations(start: number, operations: Uint32Array, first: number, end: number): void {
    const [sweep, counted] = [this.#sweep, this.#counted];
    let [runStart, base] = [start, start];
    let hasGap = false;
    for (let i = first; i < end; i++) {
      const operation = operations[i] ?? 0;
      const type = 1 << (operation & 15);
      if ((type & (counted | GAPS)) === 0) continue;
      const next = Math.min(MAX_BASE, base + (operation >>> 4));
      if ((type & counted) === 0) {
        if (base > runStart) addRun(sweep, runStart, base);
        runStart = next;
        hasGap = true;
      }
      base = next;
    }
    if (base > runStart) addRun(sweep, runStart, base);
    if (hasGap || base === start) addGap(sweep, start, Math.max(base, start + 1));
  }

  /** Adds a record whose bases count if their quality suffices, from base `clip` on. */
  #addBases(start: number, operations: Uint32Array, { qualities, clip }: CountedBases): void {
    const [counted, { minBaseQuality }] = [this.#counted, this.#filter];
    const addCounted = (from: number, to: number): void => {
      if (to > Math.max(from, clip)) addRun(this.#sweep, Math.max(from, clip), to);
    };
    let [runStart, base, queryBase] = [start, start, 0];
    for (const operation of operations) {
      const type = 1 << (operation & 15);
      const end = Math.min(MAX_BASE, base + (operation >>> 4));
      if ((type & INSERTED) !== 0) queryBase += operation >>> 4;
      if ((type & (counted | GAPS)) === 0) continue;
      if ((type & ALIGNED) === 0) {
        // A deletion has the quality of the base after it, and counts if none follows.
        const isCounted = (type & counted) !== 0 && (qualities[queryBase] ?? minBaseQuality) >= minBaseQuality;
        if (!isCounted) {
          addCounted(runStart, base);
          runStart = end;
        }
        base = end;
        continue;
      }
      for (; base < end; base++, queryBase++) {
        if ((qualities[queryBase] ?? minBaseQuality) >= minBaseQuality) continue;
        addCounted(runStart, base);
        runStart = base + 1;
      }
    }
    addCounted(runStart, base);
    addGap(this.#sweep, start, Math.max(base, start + 1));
  }
}

/** The bases of a record that count. */
interface CountedBases {
  /** Bases without a quality count. */
  readonly qualities: Uint8Array;
  /** The first base of the reference that counts. */
  readonly clip: number;
}

const NO_QUALITIES = new Uint8Array();

function addRun(sweep: DepthSweep, start: number, end: number): void {
  sweep.change(start, 1, 0);
  sweep.change(end, -1, 0);
}

/** Adds the bases of a record, some of which do not count. A record that covers no base is one base long, as in htslib. */
function addGap(sweep: DepthSweep, start: number, end: number): void {
  sweep.change(start, 0, 1);
  sweep.change(end, 0, -1);
}
