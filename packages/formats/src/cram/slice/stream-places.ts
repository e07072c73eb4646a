import type { Positioned } from '../byte-cursor.js';

/** The places in the streams of a slice at which some of its records start. */
export class StreamPlaces {
  readonly #streams: readonly Positioned[];
  /** The position of each stream, for one record after another. */
  readonly #positions: Uint32Array;

  constructor(streams: readonly Positioned[], count: number) {
    this.#streams = streams;
    this.#positions = new Uint32Array(streams.length * count);
  }

  /** Bytes of memory. */
  get byteLength(): number {
    return this.#positions.byteLength;
  }

  /** Keeps the current place under an index. */
  keep(index: number): void {
    let at = index * this.#streams.length;
    for (const stream of this.#streams) this.#positions[at++] = stream.position;
  }

  /** Returns to the place that is kept under an index. */
  restore(index: number): void {
    let at = index * this.#streams.length;
    for (const stream of this.#streams) stream.position = this.#positions[at++] ?? 0;
  }
}
