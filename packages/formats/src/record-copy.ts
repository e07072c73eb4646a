/** Memory that is used again; what a longer record or piece took is given back. */
const KEPT_BYTES = 2 ** 20;

/**
 * A copy of bytes in which some are left out and others put in. What is kept is copied in runs, as long as they are, and not
 * part by part. It grows with what is copied.
 */
export class RecordCopy {
  #source: Uint8Array = new Uint8Array(0);
  /** Where the run begins in `source` that is kept, and not yet copied. */
  #runStart = 0;
  #bytes = new Uint8Array(0);
  #view = new DataView(this.#bytes.buffer);
  #byteLength = 0;

  /** The memory of the copy, to change what `replace` and `cut` have copied; valid until either is called. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** A view of `bytes`. */
  get view(): DataView {
    return this.#view;
  }

  /** Makes `source` the bytes to copy next, behind what has been copied. */
  begin(source: Uint8Array): void {
    this.#source = source;
    this.#runStart = 0;
  }

  /** Where the source's byte `at` comes to stand, which is not in front of what was cut last. */
  positionOf(at: number): number {
    return this.#byteLength + at - this.#runStart;
  }

  /** Leaves out the bytes [start, end) of the source, which are not in front of what was cut last. */
  cut(start: number, end: number): void {
    this.replace(start, end, 0);
  }

  /** Copies what is kept in front of the source's byte `end`, which is not in front of what was cut last. */
  keepTo(end: number): void {
    this.replace(end, end, 0);
  }

  /**
   * Puts `byteLength` bytes, to be filled in, in the place of [start, end) of the source, which are not in front of what was
   * cut last. Returns where they stand in the copy.
   */
  replace(start: number, end: number, byteLength: number): number {
    const position = this.positionOf(start);
    if (position + byteLength > this.#bytes.length) this.#grow(position + byteLength);
    if (start > this.#runStart) this.#bytes.set(this.#source.subarray(this.#runStart, start), this.#byteLength);
    this.#runStart = end;
    this.#byteLength = position + byteLength;
    return position;
  }

  /** Takes back what `replace` put in last from `position` on: less was filled in. */
  shrinkTo(position: number): void {
    this.#byteLength = position;
  }

  /** Hands the copy out, as a view that is valid until the next `begin`; the next copy is an empty one. */
  take(): Uint8Array {
    const copy = this.#bytes.subarray(0, this.#byteLength);
    if (this.#bytes.length > KEPT_BYTES) this.#setMemory(new Uint8Array(0));
    this.#byteLength = 0;
    this.#source = new Uint8Array(0);
    this.#runStart = 0;
    return copy;
  }

  #grow(byteLength: number): void {
    const grown = new Uint8Array(Math.max(byteLength, 2 * this.#bytes.length));
    grown.set(this.#bytes.subarray(0, this.#byteLength));
    this.#setMemory(grown);
  }

  #setMemory(bytes: Uint8Array<ArrayBuffer>): void {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}
