import type { DeflateOptions } from '@htskit/bgzf';
import { BlockList } from './block-list.js';
import type { BlockRange } from './r-tree.js';
import type { FileEnd } from './target.js';

/** Items in a block, of data or of summaries, as in the files of bedGraphToBigWig. */
export const ITEMS_PER_BLOCK = 1024;
/** Bytes of a summary: the reference, the range, the number of bases with a value, and four floats. */
export const SUMMARY_BYTES = 32;
/** How many times as many bases a summary of the next zoom level has. */
export const ZOOM_FACTOR = 4;

/** What is known of the values in a range of a reference. Sums have the precision of a double until they are stored. */
export interface Summary {
  referenceId: number;
  start: number;
  end: number;
  /** The number of bases with a value. */
  baseCount: number;
  minimum: number;
  maximum: number;
  sum: number;
  squareSum: number;
}

/** Decides which neighbouring summaries become one of the next zoom level: as many as together have at most so many bases. */
export class SummaryGroups {
  readonly #reduction: number;
  #referenceId = -1;
  #limit = 0;

  constructor(reduction: number) {
    this.#reduction = reduction;
  }

  /** Returns whether the summary begins a group, rather than join that of those before it. */
  begins({ referenceId, start, end }: Pick<Summary, 'referenceId' | 'start' | 'end'>): boolean {
    if (referenceId === this.#referenceId && end <= this.#limit) return false;
    this.#referenceId = referenceId;
    this.#limit = start + this.#reduction;
    return true;
  }
}

/** The stored summaries of one zoom level, and where they are. */
export interface ZoomLevel {
  /** The most bases in a summary. */
  readonly reduction: number;
  readonly count: number;
  readonly dataOffset: number;
  readonly indexOffset: number;
  /** The number of summaries of the next zoom level. */
  readonly nextCount: number;
  readonly blocks: BlockList;
}

/** Writes the summaries of one zoom level. */
export class ZoomLevelWriter {
  readonly #reduction: number;
  readonly #count: number;
  readonly #dataOffset: number;
  readonly #blocks: BlockList;
  readonly #nextGroups: SummaryGroups;
  readonly #block = new Uint8Array(ITEMS_PER_BLOCK * SUMMARY_BYTES);
  readonly #view = new DataView(this.#block.buffer);
  #blockLength = 0;
  #nextCount = 0;

  constructor(end: FileEnd, { reduction, count }: Pick<ZoomLevel, 'reduction' | 'count'>, deflate: DeflateOptions) {
    this.#reduction = reduction;
    this.#count = count;
    this.#dataOffset = end.position;
    this.#blocks = new BlockList(end, deflate);
    this.#nextGroups = new SummaryGroups(reduction * ZOOM_FACTOR);
    this.#view.setUint32(0, count, true);
    end.append(this.#block.subarray(0, 4));
  }

  /** Adds a summary. Returns whether a block was completed, after which the file should be drained. */
  add(summary: Summary): boolean {
    const { referenceId, start, end, baseCount, minimum, maximum, sum, squareSum } = summary;
    const view = this.#view;
    const at = SUMMARY_BYTES * this.#blockLength++;
    view.setUint32(at, referenceId, true);
    view.setUint32(at + 4, start, true);
    view.setUint32(at + 8, end, true);
    view.setUint32(at + 12, baseCount, true);
    view.setFloat32(at + 16, minimum, true);
    view.setFloat32(at + 20, maximum, true);
    view.setFloat32(at + 24, sum, true);
    view.setFloat32(at + 28, squareSum, true);
    if (this.#nextGroups.begins(summary)) this.#nextCount++;
    if (this.#blockLength < ITEMS_PER_BLOCK) return false;
    this.#writeBlock();
    return true;
  }

  /** Writes the rest of the summaries and their R-tree. */
  async finish(): Promise<ZoomLevel> {
    if (this.#blockLength > 0) this.#writeBlock();
    const indexOffset = await this.#blocks.writeTree({ itemCount: this.#count, itemsPerSlot: ITEMS_PER_BLOCK });
    return {
      reduction: this.#reduction,
      count: this.#count,
      dataOffset: this.#dataOffset,
      indexOffset,
      nextCount: this.#nextCount,
      blocks: this.#blocks,
    };
  }

  #writeBlock(): void {
    const [view, last] = [this.#view, SUMMARY_BYTES * (this.#blockLength - 1)];
    const range: BlockRange = {
      firstId: view.getUint32(0, true),
      start: view.getUint32(4, true),
      lastId: view.getUint32(last, true),
      end: view.getUint32(last + 8, true),
    };
    this.#blocks.add(this.#block.subarray(0, last + SUMMARY_BYTES), range);
    this.#blockLength = 0;
  }
}

/** Reads the summaries of a block, in a single object that is moved from one to the next. */
export function* readSummaries(block: DataView): Generator<Summary, void> {
  for (let at = 0; at < block.byteLength; at += SUMMARY_BYTES) {
    yield {
      referenceId: block.getUint32(at, true),
      start: block.getUint32(at + 4, true),
      end: block.getUint32(at + 8, true),
      baseCount: block.getUint32(at + 12, true),
      minimum: block.getFloat32(at + 16, true),
      maximum: block.getFloat32(at + 20, true),
      sum: block.getFloat32(at + 24, true),
      squareSum: block.getFloat32(at + 28, true),
    };
  }
}
