import type { VirtualOffset } from '@htskit/bgzf';
import { firstIndex } from '@htskit/io/internal';
import type { ByteWriter } from './byte-writer.js';

/**
 * Builds the linear index (SAMv1 §5.1.3): for each window of a reference, the start of the first record that overlaps it.
 * Records are sorted by start, so a record that extends further than all before it is the first in a run of further windows.
 * A record creates at most one run, whatever it spans, and a run takes as much memory as one window. Windows without a record
 * have the offset of the next run, as in HTSlib.
 */
export class WindowOffsets {
  /** By run: its end in windows, and the start of its record. */
  readonly #runEnds: number[] = [];
  readonly #coffsets: number[] = [];
  readonly #uoffsets: number[] = [];
  #runsEnd = 0;
  #count = 0;

  /** Adds a record that begins at a virtual offset and overlaps the windows [first, end), which may be empty. */
  add(first: number, end: number, { coffset, uoffset }: VirtualOffset): void {
    if (end > this.#count) this.#count = end;
    if (end <= this.#runsEnd || end <= first) return;
    this.#runEnds.push(end);
    this.#coffsets.push(coffset);
    this.#uoffsets.push(uoffset);
    this.#runsEnd = end;
  }

  /** Number of windows up to the last that a record overlaps. */
  get count(): number {
    return this.#count;
  }

  /** Returns the offset of a window, or undefined after the last run. */
  at(window: number): VirtualOffset | undefined {
    return this.#run(firstIndex(this.#runEnds.length, (run) => (this.#runEnds[run] ?? 0) > window));
  }

  /**
   * Writes the number of windows and all windows. A window after the last run, which only a record without bases at the end
   * creates, is 0, which means unknown. HTSlib writes all ones there, and its own queries then miss the record.
   */
  write(writer: ByteWriter): void {
    writer.int32(this.#count);
    let window = 0;
    for (const [run, end] of this.#runEnds.entries()) {
      writer.virtualOffsets(this.#run(run), end - window);
      window = end;
    }
    writer.virtualOffsets(undefined, this.#count - window);
  }

  #run(index: number): VirtualOffset | undefined {
    const coffset = this.#coffsets[index];
    const uoffset = this.#uoffsets[index];
    return coffset === undefined || uoffset === undefined ? undefined : { coffset, uoffset };
  }
}
