import { toBamData } from './bam-data.js';
import { BLOCK_SIZE_BYTES, readRecordLength } from './record-fields.js';

/** A record that comes in several pieces, in a buffer that grows with what has come and not with what is announced. */
export class CutRecord {
  #buffer = new Uint8Array(0);
  #byteLength = 0;
  #isWhole = false;

  /** Bytes that have come. */
  get byteLength(): number {
    return this.#byteLength;
  }

  /**
   * Takes from `piece` what the record lacks, and returns how many bytes that is. `offset` counts those in front of the
   * record. Throws INVALID_DATA or LIMIT_EXCEEDED for a size that no record has.
   */
  append(piece: Uint8Array, offset: number): number {
    const sizeBytes = this.#fill(piece, BLOCK_SIZE_BYTES);
    const length = readRecordLength(toBamData(this.#buffer.subarray(0, this.#byteLength), offset), 0);
    if (length === undefined) return sizeBytes;
    const taken = sizeBytes + this.#fill(piece.subarray(sizeBytes), length);
    this.#isWhole = this.#byteLength === length;
    return taken;
  }

  /** Hands the record out if it has come whole, to make place for another. */
  take(): Uint8Array | undefined {
    if (!this.#isWhole) return undefined;
    const record = this.#buffer.subarray(0, this.#byteLength);
    this.#buffer = new Uint8Array(0);
    this.#byteLength = 0;
    this.#isWhole = false;
    return record;
  }

  /** Adds bytes until there are `length`; returns how many it took. */
  #fill(piece: Uint8Array, length: number): number {
    const part = piece.subarray(0, Math.max(0, length - this.#byteLength));
    const byteLength = this.#byteLength + part.length;
    if (byteLength > this.#buffer.length) {
      const grown = new Uint8Array(Math.max(byteLength, 2 * this.#buffer.length));
      grown.set(this.#buffer);
      this.#buffer = grown;
    }
    this.#buffer.set(part, this.#byteLength);
    this.#byteLength = byteLength;
    return part.length;
  }
}
