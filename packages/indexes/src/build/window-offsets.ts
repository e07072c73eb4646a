import type { VirtualOffset } from '@htskit/bgzf';
import type { ByteWriter } from './byte-writer.js';

/**
 * For each window of a reference, where the first record that overlaps it begins: the linear index (SAMv1 §5.1.3). Records
 * come sorted by their start, so one that reaches further than all before it is the first in a run of windows behind those.
 * A run takes as much memory as a window, and a record makes at most one, whatever it spans. Windows between runs, without a
 * record, hold what the next run does, as those of HTSlib.
 */
export class WindowOffsets {
  /** Where each run ends, in windows, and the record that it belongs to. */
  readonly #runEnds: number[] = [];
  readonly #coffsets: number[] = [];
  readonly #uoffsets: number[] = [];
  #runsEnd = 0;
  #count = 0;

  /** Adds a record that begins at a virtual offset and overlaps the windows [first, end), which may be none. */
  add(first: number, end: number, { coffset, uoffset }: VirtualOffset): void {
    if (end > this.#count) this.#count = end;
    if (end <= this.#runsEnd || end <= first) return;
    this.#runEnds.push(end);
    this.#coffsets.push(coffset);
    this.#uoffsets.push(uoffset);
    this.#runsEnd = end;
  }

  /** The windows up to the last that a record reaches. */
  get count(): number {
    return this.#count;
  }

  /** What `window` holds; undefined behind the last run. */
  at(window: number): VirtualOffset | undefined {
    let first = 0;
    let end = this.#runEnds.length;
    while (first < end) {
      const middle = (first + end) >>> 1;
      if ((this.#runEnds[middle] ?? 0) > window) end = middle;
      else first = middle + 1;
    }
    return this.#run(first);
  }

  /**
   * Writes the count and every window. One behind the last run, which only a record without a base leaves at the end, is 0:
   * not known. HTSlib writes all ones, behind which its own queries find nothing.
   */
  write(writer: ByteWriter): void {
    writer.int32(this.#count);
    let window = 0;
    for (const [rank, end] of this.#runEnds.entries()) {
      writer.virtualOffsets(this.#run(rank), end - window);
      window = end;
    }
    writer.virtualOffsets(undefined, this.#count - window);
  }

  #run(rank: number): VirtualOffset | undefined {
    const coffset = this.#coffsets[rank];
    const uoffset = this.#uoffsets[rank];
    return coffset === undefined || uoffset === undefined ? undefined : { coffset, uoffset };
  }
}
