import { firstIndex } from '@htskit/io/internal';
import type { BaseRange } from '../../sequence.js';
import type { NumberColumn } from '../../table/columns.js';
import { isPackable, packedLength } from './packed-bases.js';

/** The characters of a sequence other than A, C, G and T, as runs of one character each, in order and without overlaps. */
export interface ExceptionRuns {
  /** First base of each run. */
  readonly starts: NumberColumn;
  /** Bases of each run. */
  readonly lengths: NumberColumn;
  readonly letters: Uint8Array;
}

/** Bytes of a number of a run of a sequence: 8 from 2^32 bases on. */
function numberBytes(baseCount: number): 4 | 8 {
  return baseCount < 2 ** 32 ? 4 : 8;
}

/** Returns the bytes of a stored run, which has a start, a length and a letter. */
export function runBytes(baseCount: number): number {
  return 2 * numberBytes(baseCount) + 1;
}

/**
 * The maximum number of runs of a packed sequence; one with more is stored as letters. Bounds the memory of the runs to 17 MiB.
 */
export const MAX_RUNS: number = 2 ** 20;

/** Formats the runs of a sequence as they are stored: all starts, all lengths, all letters; numbers are little-endian. */
export function formatRuns({ starts, lengths, letters }: ExceptionRuns, baseCount: number): Uint8Array {
  const width = numberBytes(baseCount);
  const bytes = new Uint8Array(runBytes(baseCount) * letters.length);
  const view = new DataView(bytes.buffer);
  for (const [index, number] of [...starts, ...lengths].entries()) {
    view.setUint32(width * index, number % 2 ** 32, true);
    if (width === 8) view.setUint32(width * index + 4, Math.floor(number / 2 ** 32), true);
  }
  bytes.set(letters, 2 * width * letters.length);
  return bytes;
}

/** Parses the runs of a sequence of `baseCount` bases. Returns undefined if they are out of order or out of bounds. */
export function parseRuns(bytes: Uint8Array, baseCount: number): ExceptionRuns | undefined {
  const width = numberBytes(baseCount);
  const count = bytes.length / runBytes(baseCount);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const numberAt = (index: number): number =>
    view.getUint32(width * index, true) + (width === 8 ? view.getUint32(width * index + 4, true) * 2 ** 32 : 0);
  const column = width === 8 ? Float64Array : Uint32Array;
  const starts = new column(count);
  const lengths = new column(count);
  const letters = bytes.slice(2 * width * count);
  let end = 0;
  for (let run = 0; run < count; run++) {
    const start = numberAt(run);
    const length = numberAt(count + run);
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
  return firstIndex(starts.length, (run) => (starts[run] ?? 0) + (lengths[run] ?? 0) > base);
}

function toColumn(numbers: readonly number[], baseCount: number): NumberColumn {
  return numberBytes(baseCount) === 8 ? Float64Array.from(numbers) : Uint32Array.from(numbers);
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
    if (packedLength(this.#length) + runBytes(this.#length) * this.#runCount >= this.#length) return undefined;
    return {
      starts: toColumn(this.#starts, this.#length),
      lengths: toColumn(this.#lengths, this.#length),
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
