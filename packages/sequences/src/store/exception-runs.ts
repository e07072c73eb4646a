import type { BaseRange } from '../sequence.js';
import { isPackable, packedLength } from './packed-bases.js';

/** The characters of a sequence other than A, C, G and T, as runs of one character each, in order and without overlaps. */
export interface ExceptionRuns {
  /** First base of each run. */
  readonly starts: Uint32Array;
  /** Bases of each run. */
  readonly lengths: Uint32Array;
  readonly letters: Uint8Array;
}

/** Bytes of a stored run: start, length and letter. */
export const RUN_BYTES = 9;

/** Most runs of a packed sequence; one with more is stored as letters. Bounds the memory of the runs to 9 MiB. */
export const MAX_RUNS: number = 2 ** 20;

/** Formats runs as they are stored: all starts, all lengths, all letters; numbers are little-endian. */
export function formatRuns({ starts, lengths, letters }: ExceptionRuns): Uint8Array {
  const bytes = new Uint8Array(RUN_BYTES * letters.length);
  const view = new DataView(bytes.buffer);
  for (const [run, start] of starts.entries()) view.setUint32(4 * run, start, true);
  for (const [run, length] of lengths.entries()) view.setUint32(4 * (starts.length + run), length, true);
  bytes.set(letters, 8 * letters.length);
  return bytes;
}

/** Parses the runs of a sequence of `baseCount` bases. Returns undefined if they are out of order or out of bounds. */
export function parseRuns(bytes: Uint8Array, baseCount: number): ExceptionRuns | undefined {
  const count = bytes.length / RUN_BYTES;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const starts = new Uint32Array(count);
  const lengths = new Uint32Array(count);
  const letters = bytes.slice(8 * count);
  let end = 0;
  for (let run = 0; run < count; run++) {
    const start = view.getUint32(4 * run, true);
    const length = view.getUint32(4 * (count + run), true);
    if (start < end || length === 0 || start + length > baseCount || !isException(letters[run] ?? 0)) return undefined;
    starts[run] = start;
    lengths[run] = length;
    end = start + length;
  }
  return { starts, lengths, letters };
}

function isException(byte: number): boolean {
  return isNormalized(byte) && !isBase(byte);
}

/** Returns whether a byte may occur in a stored sequence: printable ASCII without lower-case letters. */
export function isNormalized(byte: number): boolean {
  return byte > 0x20 && byte < 0x7f && (byte < 0x61 || byte > 0x7a);
}

function isBase(letter: number): boolean {
  return letter === 0x41 || letter === 0x43 || letter === 0x47 || letter === 0x54;
}

/** Overwrites the bases of a range with the letters of the runs. */
export function applyRuns(
  { starts, lengths, letters }: ExceptionRuns,
  bases: Uint8Array,
  { start, end }: BaseRange,
): void {
  for (let run = firstRun({ starts, lengths }, start); run < starts.length; run++) {
    const runStart = starts[run] ?? 0;
    if (runStart >= end) return;
    const runEnd = runStart + (lengths[run] ?? 0);
    bases.fill(letters[run] ?? 0, Math.max(0, runStart - start), runEnd - start);
  }
}

/** Returns the index of the first run that ends after `base`, or the number of runs if none does. */
function firstRun({ starts, lengths }: Pick<ExceptionRuns, 'starts' | 'lengths'>, base: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) + (lengths[middle] ?? 0) > base) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Finds the runs of one sequence, in pieces of any length. */
export class RunFinder {
  readonly #starts: number[] = [];
  readonly #lengths: number[] = [];
  readonly #letters: number[] = [];
  /** Bases so far. */
  #length = 0;
  /** End and letter of the last run. */
  #runEnd = -1;
  #runLetter = 0;
  /** Number of all runs. Only the first MAX_RUNS are kept. */
  #runCount = 0;

  /** Adds normalised bases. */
  push(bases: Uint8Array): void {
    const view = new DataView(bases.buffer, bases.byteOffset, bases.length);
    const lastWord = bases.length - 4;
    let at = 0;
    for (; at <= lastWord; at += 4) {
      if (isPackable(view.getInt32(at, true))) continue;
      for (let letter = at; letter < at + 4; letter++) this.#add(bases[letter] ?? 0, this.#length + letter);
    }
    for (; at < bases.length; at++) this.#add(bases[at] ?? 0, this.#length + at);
    this.#length += bases.length;
  }

  /** Returns the runs, or undefined if the sequence is stored as letters: packing saves nothing, or there are too many runs. */
  finish(): ExceptionRuns | undefined {
    if (this.#runCount > MAX_RUNS) return undefined;
    if (packedLength(this.#length) + RUN_BYTES * this.#runCount >= this.#length) return undefined;
    return {
      starts: Uint32Array.from(this.#starts),
      lengths: Uint32Array.from(this.#lengths),
      letters: Uint8Array.from(this.#letters),
    };
  }

  #add(letter: number, at: number): void {
    if (isBase(letter)) return;
    const isLonger = this.#runEnd === at && this.#runLetter === letter;
    if (!isLonger) this.#runCount++;
    this.#runEnd = at + 1;
    this.#runLetter = letter;
    if (this.#runCount > MAX_RUNS) return;
    if (isLonger) {
      this.#lengths[this.#runCount - 1] = (this.#lengths[this.#runCount - 1] ?? 0) + 1;
    } else {
      this.#starts.push(at);
      this.#lengths.push(1);
      this.#letters.push(letter);
    }
  }
}
