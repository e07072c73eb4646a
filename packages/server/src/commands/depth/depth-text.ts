import type { DepthInterval, DepthRuns } from '@htskit/coverage';
import { encodeText } from '@htskit/io';

const CHUNK_BYTES = 2 ** 16;
/** Bytes of a position and of a depth, with what separates them. */
const MAX_NUMBERS_BYTES = 32;
const [ZERO, TAB, LINE_FEED] = [0x30, 0x09, 0x0a];

/** Yields a line for each base, as samtools depth prints them: the reference, the 1-based position and the depth. */
export async function* printDepth(
  runs: AsyncIterable<DepthRuns>,
  references: readonly { readonly name: string }[],
): AsyncGenerator<Uint8Array, void> {
  const names = new Map<number, Uint8Array>();
  let lines = new LineBuffer(0);
  for await (const { referenceId, length, start, end, depth } of runs) {
    const name = names.get(referenceId) ?? encodeText(`${references[referenceId]?.name ?? ''}\t`);
    names.set(referenceId, name);
    for (let i = 0; i < length; i++) {
      for (let base = start[i] ?? 0; base < (end[i] ?? 0); base++) {
        if (lines.isFull(name.length)) {
          yield lines.bytes;
          lines = new LineBuffer(name.length);
        }
        lines.append(name, base + 1, depth[i] ?? 0);
      }
    }
  }
  yield lines.bytes;
}

/** Lines in memory that is not used again. */
class LineBuffer {
  readonly #memory: Uint8Array;
  #length = 0;

  constructor(nameLength: number) {
    this.#memory = new Uint8Array(CHUNK_BYTES + nameLength);
  }

  get bytes(): Uint8Array {
    return this.#memory.subarray(0, this.#length);
  }

  isFull(nameLength: number): boolean {
    return this.#length + nameLength + MAX_NUMBERS_BYTES > this.#memory.length;
  }

  append(name: Uint8Array, position: number, depth: number): void {
    const memory = this.#memory;
    memory.set(name, this.#length);
    let at = writeDigits(memory, this.#length + name.length, position);
    memory[at++] = TAB;
    at = writeDigits(memory, at, depth);
    memory[at++] = LINE_FEED;
    this.#length = at;
  }
}

/** Writes an integer that is not negative, and returns the offset after it. */
function writeDigits(memory: Uint8Array, start: number, value: number): number {
  let digits = 1;
  for (let limit = 10; value >= limit; limit *= 10) digits++;
  let rest = value;
  for (let at = start + digits - 1; at >= start; at--) {
    const tens = Math.floor(rest / 10);
    memory[at] = ZERO + rest - 10 * tens;
    rest = tens;
  }
  return start + digits;
}

/**
 * Adds runs of depth 0 between the others, so that all bases of the intervals have one: of all of them, or of those on references that
 * have records. The intervals are in the order of the file and disjoint.
 */
export async function* fillGaps(
  runs: AsyncIterable<DepthRuns>,
  intervals: readonly DepthInterval[],
  { isAll }: { readonly isAll: boolean },
): AsyncGenerator<DepthRuns, void> {
  const filler = new GapFiller(intervals, isAll);
  for await (const each of runs) {
    yield* filler.startReference(each.referenceId);
    let first = 0;
    for (let i = 0; i < each.length; i++) {
      for (const gap of filler.fillTo(each.start[i] ?? 0, each.end[i] ?? 0)) {
        yield partOf(each, first, i);
        yield gap;
        first = i;
      }
    }
    yield partOf(each, first, each.length);
  }
  yield* filler.startReference(Infinity);
}

/** Finds the bases of intervals that no run has. */
class GapFiller {
  readonly #intervals: readonly DepthInterval[];
  readonly #isAll: boolean;
  #next = 0;
  #referenceId = -1;
  /** All bases of the reference before this one are done. */
  #position = 0;

  constructor(intervals: readonly DepthInterval[], isAll: boolean) {
    this.#intervals = intervals;
    this.#isAll = isAll;
  }

  /** Yields the rest of the references before this one. */
  *startReference(referenceId: number): Generator<DepthRuns, void> {
    if (referenceId === this.#referenceId) return;
    for (; this.#next < this.#intervals.length; this.#next++) {
      const interval = this.#intervals[this.#next];
      if (interval === undefined || interval.referenceId >= referenceId) break;
      const isReached = interval.referenceId === this.#referenceId;
      const start = isReached ? Math.max(interval.start, this.#position) : interval.start;
      if ((this.#isAll || isReached) && start < interval.end) yield zeroRun(interval.referenceId, start, interval.end);
    }
    this.#referenceId = referenceId;
    this.#position = 0;
  }

  /** Yields the bases before a run, which is in an interval. */
  *fillTo(runStart: number, runEnd: number): Generator<DepthRuns, void> {
    for (; this.#next < this.#intervals.length; this.#next++) {
      const interval = this.#intervals[this.#next];
      if (interval === undefined || interval.referenceId !== this.#referenceId) break;
      const [start, end] = [Math.max(interval.start, this.#position), Math.min(interval.end, runStart)];
      if (start < end) yield zeroRun(interval.referenceId, start, end);
      if (interval.end >= runEnd) break;
    }
    this.#position = runEnd;
  }
}

function partOf({ referenceId, start, end, depth }: DepthRuns, first: number, last: number): DepthRuns {
  return {
    referenceId,
    length: last - first,
    start: start.subarray(first, last),
    end: end.subarray(first, last),
    depth: depth.subarray(first, last),
  };
}

function zeroRun(referenceId: number, start: number, end: number): DepthRuns {
  return {
    referenceId,
    length: 1,
    start: Int32Array.of(start),
    end: Int32Array.of(end),
    depth: Uint32Array.of(0),
  };
}
