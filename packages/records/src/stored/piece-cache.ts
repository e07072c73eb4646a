import type { CachePart, FileCache } from '../source/file-cache.js';

/** Keeps decoded parts of a file within a budget, because later regions are often in the same parts. */
export class PieceCache {
  readonly #maxBytes: number;
  readonly #kept: CachePart<readonly Uint8Array[]>;

  constructor(cache: FileCache) {
    this.#maxBytes = cache.readingBytes;
    this.#kept = cache.part('pieces');
  }

  /** Yields the pieces of a part: the kept ones, or those that `decode` yields, each in memory of its own. */
  async *read(part: string, decode: () => AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    const known = this.#kept.get(part);
    if (known !== undefined) return yield* known;
    const pieces: Uint8Array[] = [];
    let byteLength = 0;
    for await (const piece of decode()) {
      byteLength += piece.buffer.byteLength;
      if (byteLength <= this.#maxBytes) pieces.push(piece);
      else pieces.length = 0;
      yield piece;
    }
    if (byteLength <= this.#maxBytes) this.#kept.set(part, pieces, byteLength);
  }
}
