import { createRandom } from '@htskit/testing';
import { expect } from 'vitest';
import { Choices } from './choices.js';

/** Files of each format. CI compares many. */
const MANY_FILES = 2000;
const FILE_COUNT = process.env['CI'] === undefined ? 200 : MANY_FILES;

/** A difference from htslib 1.24 that was decided on. */
export interface Decision {
  readonly what: string;
  /** Whether a file has what the decision is about. */
  readonly explains: (source: string) => boolean;
}

/** The values that are answered to a file, in their order; null for a refusal. */
export type Answer = readonly unknown[] | null;

/** Creates files from seeds, which name them in failures. */
export function createFiles<File>(create: (choices: Choices) => File): (File & { readonly seed: number })[] {
  return Array.from({ length: FILE_COUNT }, (_, seed) => ({ ...create(new Choices(createRandom(seed))), seed }));
}

/** Returns the result of `run`, or null if it refuses its input with an error that has a code. */
export async function orNull<T>(run: () => T | Promise<T>): Promise<T | null> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.name.endsWith('Error')) return null;
    throw error;
  }
}

/** Compares answers to files with those of htslib. */
export class Agreement {
  readonly #decisions: readonly Decision[];
  readonly #differences: string[] = [];
  readonly #used = new Set<Decision>();
  #count = 0;
  #answered = 0;

  constructor(decisions: readonly Decision[]) {
    this.#decisions = decisions;
  }

  /** Compares two answers to a file. A refusal by one of both is a difference, too, which only a decision explains. */
  compare(name: string, source: string, { ours, theirs }: { readonly ours: Answer; readonly theirs: Answer }): void {
    this.#count++;
    if (ours !== null && theirs !== null) this.#answered++;
    const difference = describeDifference(ours, theirs);
    if (difference === undefined) return;
    const decision = this.#decisions.find(({ explains }) => explains(source));
    if (decision === undefined) this.#differences.push(`${name}\n${source}\n${difference}`);
    else this.#used.add(decision);
  }

  /**
   * Fails if answers differ, if fewer than `share` of the answers are no refusals, or if a decision explains nothing, for which
   * there must be many files.
   */
  check(share: number): void {
    const [first = '', ...others] = this.#differences;
    const names = others.slice(0, 40).map((difference) => difference.split('\n', 1)[0]);
    expect([first, ...names].join('\n\n'), `${this.#differences.length} of ${this.#count} answers differ`).toBe('');
    if (FILE_COUNT === MANY_FILES) expect(this.#decisions.filter((decision) => !this.#used.has(decision))).toEqual([]);
    expect(this.#answered / this.#count).toBeGreaterThan(share);
  }
}

/** Returns the first values that differ, or undefined if there are none. */
function describeDifference(ours: Answer, theirs: Answer): string | undefined {
  if (ours === null && theirs === null) return undefined;
  if (ours !== null && theirs !== null) {
    const length = Math.max(ours.length, theirs.length);
    for (let index = 0; index < length; index++) {
      const [mine, other] = [JSON.stringify(ours[index]), JSON.stringify(theirs[index])];
      if (mine !== other) return `--- htslib: ${other}\n--- htskit: ${mine}`;
    }
    return undefined;
  }
  return theirs === null ? '--- htslib refuses the file' : '--- htskit refuses the file';
}
