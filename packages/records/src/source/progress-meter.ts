import type { ByteRange } from '@htskit/io';

/** How far a reading of records is. */
export interface ReadProgress {
  /** Compressed bytes that were read so far, or found in memory. */
  readonly bytes: number;
  /** Compressed bytes in all; of regions, an estimate. Undefined while a service has not stated it. */
  readonly totalBytes: number | undefined;
}

/** Called with the progress of a reading. */
export type OnProgress = (progress: ReadProgress) => void;

/** Reports the progress of a reading, whose bytes never become fewer. */
export class ProgressMeter {
  readonly #onProgress: OnProgress;
  readonly #totalBytes: number;
  #bytes = 0;

  constructor(totalBytes: number, onProgress: OnProgress) {
    this.#totalBytes = totalBytes;
    this.#onProgress = onProgress;
  }

  /** Reports that further bytes were read. */
  add(byteLength: number): void {
    this.#moveTo(this.#bytes + byteLength);
  }

  /** Returns a function that reports that ranges were read to an offset. They are in ascending order. */
  follow(ranges: readonly ByteRange[]): (offset: number) => void {
    const before = this.#bytes;
    let passed = 0;
    let at = 0;
    return (offset) => {
      for (let range = ranges[at]; range !== undefined && range.end <= offset; range = ranges[++at]) {
        passed += range.end - range.start;
      }
      this.#moveTo(before + passed + Math.max(0, offset - (ranges[at]?.start ?? offset)));
    };
  }

  /** Yields chunks, and reports each of them. */
  async *chunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of chunks) {
      this.add(chunk.length);
      yield chunk;
    }
  }

  /** Reports that all was read. */
  finish(): void {
    this.#moveTo(this.#totalBytes);
  }

  #moveTo(bytes: number): void {
    const reached = Math.min(bytes, this.#totalBytes);
    if (reached <= this.#bytes) return;
    this.#bytes = reached;
    this.#onProgress({ bytes: reached, totalBytes: this.#totalBytes });
  }
}
