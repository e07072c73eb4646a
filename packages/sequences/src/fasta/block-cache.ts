/** Keeps the blocks that were asked for last. A block that is being loaded is loaded once, however many wait for it. */
export class BlockCache {
  readonly #maxBlocks: number;
  /** By coffset; the block that was asked for last comes last. */
  readonly #blocks = new Map<number, Promise<Uint8Array>>();

  /** `maxBlocks` of 0 keeps none. */
  constructor(maxBlocks: number) {
    this.#maxBlocks = maxBlocks;
  }

  /** The block at `coffset`, from `load` if it is not here. A failure is not kept. */
  get(coffset: number, load: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const block = this.#blocks.get(coffset) ?? this.#load(coffset, load);
    this.#blocks.delete(coffset);
    this.#blocks.set(coffset, block);
    this.#evict();
    return block;
  }

  #load(coffset: number, load: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const block = load();
    block.catch(() => {
      if (this.#blocks.get(coffset) === block) this.#blocks.delete(coffset);
    });
    return block;
  }

  #evict(): void {
    for (const coffset of this.#blocks.keys()) {
      if (this.#blocks.size <= this.#maxBlocks) return;
      this.#blocks.delete(coffset);
    }
  }
}
