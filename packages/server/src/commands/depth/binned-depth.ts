import type { DepthInterval, DepthRuns } from '@htskit/coverage';
import type { BigWigRuns } from '@htskit/formats';
import { encodeText } from '@htskit/io';
import { LINE_FEED, TAB, writeDecimal, writeDigits } from './digits.js';

/**
 * Yields the mean depths of bins of `binSize` bases, which begin with each interval, if they are not 0. The intervals are in the order
 * of the file and disjoint, and contain all runs.
 */
export async function* toBins(
  runs: AsyncIterable<DepthRuns>,
  intervals: readonly DepthInterval[],
  binSize: number,
): AsyncGenerator<BigWigRuns, void> {
  const bins = new Bins(intervals, binSize);
  for await (const each of runs) {
    if (each.referenceId !== bins.referenceId) {
      yield bins.finish();
      bins.referenceId = each.referenceId;
    }
    bins.add(each);
    yield bins.take();
  }
  yield bins.finish();
}

/** The bins of one reference, the last of which is not complete. */
class Bins {
  referenceId = -1;
  readonly #intervals: readonly DepthInterval[];
  readonly #binSize: number;
  #interval = 0;
  #start = 0;
  #end = 0;
  #sum = 0;
  #starts: number[] = [];
  #ends: number[] = [];
  #values: number[] = [];

  constructor(intervals: readonly DepthInterval[], binSize: number) {
    this.#intervals = intervals;
    this.#binSize = binSize;
  }

  /** Adds runs that follow those so far. Loops in a generator would be slower. */
  add({ length, start, end, depth }: DepthRuns): void {
    for (let i = 0; i < length; i++) this.#addRun(start[i] ?? 0, end[i] ?? 0, depth[i] ?? 0);
  }

  #addRun(start: number, end: number, depth: number): void {
    if (depth === 0) return;
    for (let base = start; base < end; ) {
      if (base >= this.#end) this.#open(base);
      const next = Math.min(end, this.#end);
      this.#sum += (next - base) * depth;
      base = next;
    }
  }

  /** Returns the complete bins. */
  take(): BigWigRuns {
    const [start, end, value] = [this.#starts, this.#ends, this.#values];
    [this.#starts, this.#ends, this.#values] = [[], [], []];
    return { referenceId: this.referenceId, length: start.length, start, end, value };
  }

  /** Returns the last bins of the reference. */
  finish(): BigWigRuns {
    this.#close();
    this.#end = 0;
    return this.take();
  }

  #close(): void {
    if (this.#sum === 0) return;
    this.#starts.push(this.#start);
    this.#ends.push(this.#end);
    this.#values.push(this.#sum / (this.#end - this.#start));
    this.#sum = 0;
  }

  /** Opens the bin of a base. */
  #open(base: number): void {
    this.#close();
    const isBefore = ({ referenceId, end }: DepthInterval): boolean =>
      referenceId < this.referenceId || (referenceId === this.referenceId && end <= base);
    let interval = this.#intervals[this.#interval];
    while (interval !== undefined && isBefore(interval)) interval = this.#intervals[++this.#interval];
    const { start, end } = interval ?? { start: 0, end: Infinity };
    this.#start = base - ((base - start) % this.#binSize);
    this.#end = Math.min(end, this.#start + this.#binSize);
  }
}

/** Bytes of two positions and a value, with what separates them. */
const MAX_NUMBERS_BYTES = 48;

/** Yields the lines of a bedGraph: the reference, the bases and the value, with up to four decimals. */
export async function* printBedGraph(
  runs: AsyncIterable<BigWigRuns>,
  references: readonly { readonly name: string }[],
): AsyncGenerator<Uint8Array, void> {
  for await (const each of runs) yield formatLines(encodeText(`${references[each.referenceId]?.name ?? ''}\t`), each);
}

function formatLines(name: Uint8Array, { length, start, end, value }: BigWigRuns): Uint8Array {
  const memory = new Uint8Array(length * (name.length + MAX_NUMBERS_BYTES));
  let at = 0;
  for (let i = 0; i < length; i++) {
    for (let character = 0; character < name.length; character++) memory[at++] = name[character] ?? 0;
    at = writeDigits(memory, at, start[i] ?? 0);
    memory[at] = TAB;
    at = writeDigits(memory, at + 1, end[i] ?? 0);
    memory[at] = TAB;
    at = writeDecimal(memory, at + 1, value[i] ?? 0);
    memory[at++] = LINE_FEED;
  }
  return memory.subarray(0, at);
}
