import { FIRST_SAMPLE, type VcfLine } from '../line-columns.js';
import { columnAfter } from './format-text.js';

/** The starts of the samples of a line. They are found up to the one that is needed, and once. */
export class SampleColumns {
  #starts: Int32Array = new Int32Array(0);
  /** The samples whose start is known. */
  #count = 0;
  #bytes: Uint8Array = new Uint8Array(0);
  #view: DataView = new DataView(this.#bytes.buffer);
  #end = 0;

  /** Enters a line that may have `sampleCount` samples. */
  enter({ bytes, end, starts }: VcfLine, sampleCount: number): void {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    }
    if (sampleCount > this.#starts.length) this.#starts = new Int32Array(Math.max(1, sampleCount));
    this.#starts[0] = starts[FIRST_SAMPLE] ?? 0;
    this.#count = 1;
    this.#end = end;
  }

  /** Returns the start of the column of a sample; undefined if the line lacks it. */
  start(sample: number): number | undefined {
    const [view, end] = [this.#view, this.#end];
    const first = this.#starts[0] ?? 0;
    // Each sample takes a tab at least.
    if (!(sample >= 0 && sample <= end - first)) return undefined;
    if (sample >= this.#starts.length) this.#grow(sample + 1);
    const starts = this.#starts;
    for (let last = starts[this.#count - 1] ?? 0; this.#count <= sample; this.#count++) {
      if (last <= end) last = columnAfter(view, last, end);
      starts[this.#count] = last;
    }
    const at = starts[sample] ?? 0;
    return at > end ? undefined : at;
  }

  /** Makes room for a sample that the header lacks. */
  #grow(length: number): void {
    const starts = new Int32Array(length);
    starts.set(this.#starts);
    this.#starts = starts;
  }
}
