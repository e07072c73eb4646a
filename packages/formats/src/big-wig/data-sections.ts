import type { DeflateOptions } from '@htskit/bgzf';
import { BlockList } from './block-list.js';
import type { BigWigReference } from './chromosome-tree.js';
import type { FileEnd } from './target.js';
import { ITEMS_PER_BLOCK } from './zoom-level.js';

const HEADER_BYTES = 24;
const RUN_COUNT_OFFSET = 22;
const ITEM_BYTES = 12;
export const MAX_SECTION_BYTES: number = HEADER_BYTES + ITEMS_PER_BLOCK * ITEM_BYTES;
const TYPE_BED_GRAPH = 1;

/** Consecutive runs of bases with the same value on one reference, in ascending order and disjoint. */
export interface BigWigRuns {
  /** The index of the reference. */
  readonly referenceId: number;
  /** The number of runs. The arrays may be longer. */
  readonly length: number;
  /** The first base of each run, 0-based. */
  readonly start: ArrayLike<number>;
  /** The base after the last one of each run. */
  readonly end: ArrayLike<number>;
  /** The value of each base of the run, stored as a 32-bit float. */
  readonly value: ArrayLike<number>;
}

/** The summary of the whole file. */
export interface TotalSummary {
  baseCount: number;
  minimum: number;
  maximum: number;
  sum: number;
  squareSum: number;
}

/** Writes the runs of all references in sections of bedGraph items, each of one reference. */
export class DataSections {
  readonly #end: FileEnd;
  readonly #references: readonly BigWigReference[];
  readonly #block = new Uint8Array(MAX_SECTION_BYTES);
  readonly #view = new DataView(this.#block.buffer);
  readonly blocks: BlockList;
  readonly total: TotalSummary = { baseCount: 0, minimum: 0, maximum: 0, sum: 0, squareSum: 0 };
  /** The number of runs. */
  runCount = 0;
  #blockLength = 0;
  #referenceId = 0;
  #previousEnd = 0;

  constructor(end: FileEnd, references: readonly BigWigReference[], deflate: DeflateOptions) {
    this.#end = end;
    this.#references = references;
    this.blocks = new BlockList(end, deflate);
  }

  /** Adds runs. Throws RangeError for a run that is invalid or not after those before it; the file is then incomplete. */
  async write(runs: BigWigRuns): Promise<void> {
    if (runs.length === 0) return;
    this.#startReference(runs.referenceId);
    for (let i = this.#fill(runs, 0); this.#blockLength === ITEMS_PER_BLOCK; i = this.#fill(runs, i)) {
      this.#writeSection();
      await this.#end.drain();
    }
  }

  /** Adds runs from the one at `first` on until the section is full, and returns the index of the next one. */
  #fill({ length, start, end, value }: BigWigRuns, first: number): number {
    let i = first;
    for (; i < length && this.#blockLength < ITEMS_PER_BLOCK; i++) {
      this.#add(start[i] ?? NaN, end[i] ?? NaN, Math.fround(value[i] ?? NaN));
    }
    return i;
  }

  /** Writes the rest of the runs and the R-tree, and returns its offset. */
  async finish(): Promise<number> {
    this.#writeSection();
    return this.blocks.writeTree({ itemCount: this.blocks.length, itemsPerSlot: 1 });
  }

  #startReference(referenceId: number): void {
    if (referenceId === this.#referenceId) return;
    if (!(this.#references[referenceId] !== undefined && referenceId > this.#referenceId)) {
      throw new RangeError(`reference ${referenceId} is unknown or not after ${this.#referenceId}`);
    }
    this.#writeSection();
    this.#referenceId = referenceId;
    this.#previousEnd = 0;
  }

  #add(start: number, end: number, value: number): void {
    const reference = this.#references[this.#referenceId];
    const isOrdered = start >= this.#previousEnd && start < end && end <= (reference?.length ?? 0);
    if (!(isOrdered && Number.isInteger(start) && Number.isInteger(end) && Number.isFinite(value))) {
      throw this.#invalidRun(start, end, value);
    }
    const at = HEADER_BYTES + ITEM_BYTES * this.#blockLength++;
    this.#view.setUint32(at, start, true);
    this.#view.setUint32(at + 4, end, true);
    this.#view.setFloat32(at + 8, value, true);
    this.#previousEnd = end;
    this.#addToTotal(end - start, value);
  }

  #invalidRun(start: number, end: number, value: number): RangeError {
    const { name, length } = this.#references[this.#referenceId] ?? { name: '', length: 0 };
    const expected = `expected integers from ${this.#previousEnd} to ${length}, and a finite value`;
    return new RangeError(`invalid run [${start}, ${end}) of ${JSON.stringify(name)} with value ${value}: ${expected}`);
  }

  #addToTotal(length: number, value: number): void {
    const { total } = this;
    total.minimum = this.runCount === 0 ? value : Math.min(total.minimum, value);
    total.maximum = this.runCount === 0 ? value : Math.max(total.maximum, value);
    total.baseCount += length;
    total.sum += value * length;
    total.squareSum += value * value * length;
    this.runCount++;
  }

  #writeSection(): void {
    if (this.#blockLength === 0) return;
    const [view, firstId] = [this.#view, this.#referenceId];
    const [start, end] = [view.getUint32(HEADER_BYTES, true), this.#previousEnd];
    view.setUint32(0, firstId, true);
    view.setUint32(4, start, true);
    view.setUint32(8, end, true);
    view.setUint8(20, TYPE_BED_GRAPH);
    view.setUint16(RUN_COUNT_OFFSET, this.#blockLength, true);
    const block = this.#block.subarray(0, HEADER_BYTES + ITEM_BYTES * this.#blockLength);
    this.blocks.add(block, { firstId, start, lastId: firstId, end });
    this.#blockLength = 0;
  }
}

/** Returns the reference of a stored section. */
export function sectionReference(section: DataView): number {
  return section.getUint32(0, true);
}

/** Returns the number of runs of a stored section. */
export function sectionLength(section: DataView): number {
  return section.getUint16(RUN_COUNT_OFFSET, true);
}

/** Returns the first base of a run of a stored section. */
export function runStart(section: DataView, index: number): number {
  return section.getUint32(HEADER_BYTES + ITEM_BYTES * index, true);
}

/** Returns the base after the last one of a run of a stored section. */
export function runEnd(section: DataView, index: number): number {
  return section.getUint32(HEADER_BYTES + ITEM_BYTES * index + 4, true);
}

/** Returns the value of a run of a stored section. */
export function runValue(section: DataView, index: number): number {
  return section.getFloat32(HEADER_BYTES + ITEM_BYTES * index + 8, true);
}
