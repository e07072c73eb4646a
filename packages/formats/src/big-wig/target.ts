import type { ByteRange } from '@htskit/io';
import { GrowingBytes } from '@htskit/io/internal';

/** Bytes that are collected before they are written. */
const BUFFER_BYTES = 2 ** 20;

/** The storage that a bigWig file is written to, at any position, and read back from while it is written. */
export interface BigWigTarget {
  /** Stores bytes from `position` on, which is at most the size so far. The bytes are valid until the promise resolves. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** Returns the bytes of a range that has been written. */
  read(range: ByteRange): Promise<Uint8Array>;
}

/**
 * Memory that a bigWig file is written to.
 *
 * @example
 * ```ts
 * import { BigWigMemory, BigWigWriter } from '@htskit/formats';
 *
 * const target = new BigWigMemory();
 * const writer = new BigWigWriter(target, { references: [{ name: 'chr1', length: 1000 }] });
 * await writer.write({ referenceId: 0, length: 2, start: [0, 10], end: [10, 25], value: [3, 4.5] });
 * await writer.finish();
 * console.log(target.bytes.length);
 * ```
 */
export class BigWigMemory implements BigWigTarget {
  readonly #bytes = new GrowingBytes();

  /** What is written: a view, which the next write may change. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.bytes;
  }

  async write(bytes: Uint8Array, position: number): Promise<void> {
    const kept = Math.min(bytes.length, this.#bytes.byteLength - position);
    this.#bytes.bytes.set(bytes.subarray(0, kept), position);
    this.#bytes.append(bytes.subarray(kept));
  }

  async read({ start, end }: ByteRange): Promise<Uint8Array> {
    return this.#bytes.bytes.slice(start, end);
  }
}

/** The growing end of a file. Small pieces are collected in memory. */
export class FileEnd {
  readonly #target: BigWigTarget;
  readonly #buffer = new GrowingBytes();
  #flushedBytes = 0;

  constructor(target: BigWigTarget) {
    this.#target = target;
  }

  /** The offset of the next byte. */
  get position(): number {
    return this.#flushedBytes + this.#buffer.byteLength;
  }

  /** Collects a copy of the bytes. */
  append(bytes: Uint8Array): void {
    this.#buffer.append(bytes);
  }

  /** Writes what is collected, if it is much. */
  async drain(): Promise<void> {
    if (this.#buffer.byteLength >= BUFFER_BYTES) await this.flush();
  }

  /** Writes all that is collected. */
  async flush(): Promise<void> {
    await this.#target.write(this.#buffer.bytes, this.#flushedBytes);
    this.#flushedBytes = this.position;
    this.#buffer.clear();
  }

  /** Replaces bytes that were flushed. */
  async replace(bytes: Uint8Array, position: number): Promise<void> {
    await this.#target.write(bytes, position);
  }

  /** Reads bytes that were flushed. */
  async read(range: ByteRange): Promise<Uint8Array> {
    return this.#target.read(range);
  }
}
