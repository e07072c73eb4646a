import type { DepthInterval, DepthRuns } from '@htskit/coverage';
import { encodeText } from '@htskit/io';
import { LINE_FEED, TAB, writeDigits, ZERO } from './digits.js';

const CHUNK_BYTES = 2 ** 16;
/** Bytes of a position and of a depth, with what separates them, and of the last word of a line. */
const MAX_NUMBERS_BYTES = 32;

/** Yields a line for each base, as samtools depth prints them: the reference, the 1-based position and the depth. */
export async function* printDepth(
  runs: AsyncIterable<DepthRuns>,
  references: readonly { readonly name: string }[],
): AsyncGenerator<Uint8Array, void> {
  const names = new Map<number, Uint8Array>();
  let lines: LineBuffer | undefined;
  for await (const each of runs) {
    const { referenceId } = each;
    const name = names.get(referenceId) ?? encodeText(`${references[referenceId]?.name ?? ''}\t`);
    names.set(referenceId, name);
    if (name !== lines?.name) {
      if (lines !== undefined) yield lines.bytes;
      lines = new LineBuffer(name);
    }
    const place: Place = { run: 0, base: each.start[0] ?? 0 };
    while (!lines.appendRuns(each, place)) {
      yield lines.bytes;
      lines = new LineBuffer(name);
    }
  }
  if (lines !== undefined) yield lines.bytes;
}

/** The next base of runs that is printed. */
interface Place {
  run: number;
  base: number;
}

/** Lines of one reference, in memory that is not used again. */
class LineBuffer {
  /** The name of the reference, and a tab. */
  readonly name: Uint8Array;
  readonly #memory: Uint8Array;
  readonly #words: DataView;
  /** The line that was written last, up to its last digit. */
  readonly #line: Uint8Array;
  readonly #lineWords: DataView;
  /** The position on the line, without its last digit, and the offset of the tab after it. */
  #tens = -1;
  #tab = 0;
  #length = 0;

  constructor(name: Uint8Array) {
    this.name = name;
    this.#memory = new Uint8Array(CHUNK_BYTES + name.length);
    this.#words = new DataView(this.#memory.buffer);
    this.#line = new Uint8Array(name.length + MAX_NUMBERS_BYTES);
    this.#line.set(name);
    this.#lineWords = new DataView(this.#line.buffer);
  }

  get bytes(): Uint8Array {
    return this.#memory.subarray(0, this.#length);
  }

  /** Appends the lines of runs from a place on, which moves. Returns whether there was space for all. Loops in a generator are slower. */
  appendRuns({ length, start, end, depth }: DepthRuns, place: Place): boolean {
    for (; place.run < length; place.base = start[++place.run] ?? 0) {
      const runEnd = end[place.run] ?? 0;
      place.base = this.#append(place.base, runEnd, depth[place.run] ?? 0);
      if (place.base < runEnd) return false;
    }
    return true;
  }

  /**
   * Appends the lines of bases [start, end), and returns the first base for which there is no space. Up to ten lines in a row differ
   * only in the last digit of their position: copying a line by words takes a seventh of the time of writing it. Words of text are not
   * NaNs, which a copy could change: in UTF-8, no byte from 0xF0 on is before 0x7F or 0xFF.
   */
  #append(start: number, end: number, depth: number): number {
    const [memory, words, line, lineWords] = [this.#memory, this.#words, this.#line, this.#lineWords];
    const limit = memory.length - line.length;
    let [base, at] = [start, this.#length];
    while (base < end && at <= limit) {
      const tens = Math.floor((base + 1) / 10);
      this.#setTens(tens);
      const tab = this.#tab;
      const lineEnd = writeDigits(line, tab + 1, depth);
      line[lineEnd] = LINE_FEED;
      const last = Math.min(end, 10 * tens + 9, base + Math.floor((limit - at) / (lineEnd + 1)) + 1);
      for (; base < last; base++) {
        for (let i = 0; i <= lineEnd; i += 8) words.setFloat64(at + i, lineWords.getFloat64(i, true), true);
        memory[at + tab - 1] = ZERO + base + 1 - 10 * tens;
        at += lineEnd + 1;
      }
    }
    this.#length = at;
    return base;
  }

  #setTens(tens: number): void {
    if (tens === this.#tens) return;
    this.#tens = tens;
    this.#tab = (tens === 0 ? this.name.length : writeDigits(this.#line, this.name.length, tens)) + 1;
    this.#line[this.#tab] = TAB;
  }
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
      if (filler.continues(each.start[i] ?? 0, each.end[i] ?? 0)) continue;
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

  /** Whether a run begins where the last one ended, so that nothing is between them. Most do. */
  continues(runStart: number, runEnd: number): boolean {
    if (runStart !== this.#position) return false;
    this.#position = runEnd;
    return true;
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
