export interface BlockCacheOptions {
  /** Of all blocks that are kept. Default 64 MiB. */
  readonly maxBytes?: number | undefined;
  /** Of one block: what is read at least. Default 128 KiB. */
  readonly blockBytes?: number | undefined;
  /** Blocks that are no further apart than this are read at once, if they are asked for at once. Default 128 KiB. */
  readonly coalesceBytes?: number | undefined;
}

const MAX_BYTES = 64 * 1024 * 1024;
const BLOCK_BYTES = 128 * 1024;

/**
 * Blocks of the versions of any number of objects, of which those that were not used for the longest time are dropped.
 * Throws RangeError for sizes that make no sense.
 */
export class BlockCache {
  readonly maxBytes: number;
  readonly blockBytes: number;
  readonly coalesceBytes: number;
  /** Those that were used last stand last. */
  readonly #blocks = new Map<string, Uint8Array>();
  #byteLength = 0;
  #hitCount = 0;
  #missCount = 0;

  constructor({ maxBytes = MAX_BYTES, blockBytes = BLOCK_BYTES, coalesceBytes = BLOCK_BYTES }: BlockCacheOptions = {}) {
    checkSize('maxBytes', maxBytes, 0);
    checkSize('blockBytes', blockBytes, 1);
    checkSize('coalesceBytes', coalesceBytes, 0);
    this.maxBytes = maxBytes;
    this.blockBytes = blockBytes;
    this.coalesceBytes = coalesceBytes;
  }

  /** Of all blocks that are kept: never more than `maxBytes`. */
  get byteLength(): number {
    return this.#byteLength;
  }

  /** How many blocks were found here. */
  get hitCount(): number {
    return this.#hitCount;
  }

  /** How many blocks were not. */
  get missCount(): number {
    return this.#missCount;
  }

  get(name: string): Uint8Array | undefined {
    const block = this.#blocks.get(name);
    if (block === undefined) {
      this.#missCount++;
      return undefined;
    }
    this.#hitCount++;
    this.#blocks.delete(name);
    this.#blocks.set(name, block);
    return block;
  }

  /** Keeps a block, which must be the only view of its buffer. One of no bytes, or of too many, is not kept. */
  set(name: string, block: Uint8Array): void {
    this.#remove(name);
    if (block.length === 0 || block.length > this.maxBytes) return;
    this.#blocks.set(name, block);
    this.#byteLength += block.length;
    for (const oldest of this.#blocks.keys()) {
      if (this.#byteLength <= this.maxBytes) return;
      this.#remove(oldest);
    }
  }

  #remove(name: string): void {
    this.#byteLength -= this.#blocks.get(name)?.length ?? 0;
    this.#blocks.delete(name);
  }
}

function checkSize(name: string, value: number, min: number): void {
  if (Number.isSafeInteger(value) && value >= min) return;
  throw new RangeError(`${name} must be a whole number from ${min} on, found ${value}`);
}
