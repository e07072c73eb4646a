/** The value of an unoccupied slot. */
const FREE = -1;
const SMALLEST_CAPACITY = 4;
/** HTSlib enlarges its table when this fraction of the slots, rounded, is occupied. */
const LOAD = 0.77;

/**
 * A hash table from the bins of one reference to their ordinals, which count bins in the order of insertion. HTSlib writes
 * bins in the order of the slots of its khash table, so this reproduces it: the slot of a bin is its number modulo a power of
 * two, the probes on a collision are 1, 3, 6, 10 … slots further, and the table doubles as bins are added.
 */
export class BinTable {
  #bins = new Int32Array(0);
  #ordinals = new Int32Array(0);
  #size = 0;
  #sizeLimit = 0;

  /** Number of bins. */
  get size(): number {
    return this.#size;
  }

  /** Returns the ordinal of a bin and adds it if needed. Like in HTSlib, a full table grows even if it has the bin. */
  add(bin: number): number {
    if (this.#size >= this.#sizeLimit) this.#grow();
    const slot = findSlot(this.#bins, bin);
    if (this.#bins[slot] === FREE) {
      this.#bins[slot] = bin;
      this.#ordinals[slot] = this.#size++;
    }
    return this.#ordinals[slot] ?? FREE;
  }

  /** Returns the ordinal of a bin, or −1 if the table does not have it. */
  ordinalOf(bin: number): number {
    return this.#size === 0 ? FREE : (this.#ordinals[findSlot(this.#bins, bin)] ?? FREE);
  }

  /** Visits each bin and its ordinal in the order of the slots. */
  visit(visitor: (bin: number, ordinal: number) => void): void {
    for (let slot = 0; slot < this.#bins.length; slot++) {
      const bin = this.#bins[slot] ?? FREE;
      if (bin !== FREE) visitor(bin, this.#ordinals[slot] ?? FREE);
    }
  }

  /**
   * Doubles the table and reinserts all bins in the order of their old slots. A bin whose new slot is still occupied by a bin
   * that has not been reinserted takes the slot, and the displaced bin is reinserted next.
   */
  #grow(): void {
    const capacity = Math.max(SMALLEST_CAPACITY, 2 * this.#bins.length);
    const waiting = { bins: this.#bins, ordinals: this.#ordinals };
    const bins = new Int32Array(capacity).fill(FREE);
    const ordinals = new Int32Array(capacity).fill(FREE);
    for (let from = 0; from < waiting.bins.length; from++) {
      let bin = waiting.bins[from] ?? FREE;
      let ordinal = waiting.ordinals[from] ?? FREE;
      waiting.bins[from] = FREE;
      while (bin !== FREE) {
        const slot = findSlot(bins, bin);
        bins[slot] = bin;
        ordinals[slot] = ordinal;
        bin = waiting.bins[slot] ?? FREE;
        ordinal = waiting.ordinals[slot] ?? FREE;
        if (slot < waiting.bins.length) waiting.bins[slot] = FREE;
      }
    }
    this.#bins = bins;
    this.#ordinals = ordinals;
    this.#sizeLimit = Math.floor(capacity * LOAD + 0.5);
  }
}

/** Returns the slot of `bin`, or the free slot for it. There is always a free slot. */
function findSlot(bins: Int32Array, bin: number): number {
  const mask = bins.length - 1;
  let slot = bin & mask;
  for (let step = 1; bins[slot] !== bin && bins[slot] !== FREE; step++) slot = (slot + step) & mask;
  return slot;
}
