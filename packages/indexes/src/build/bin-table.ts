/** A place of the table that no bin has taken. */
const FREE = -1;
const SMALLEST_CAPACITY = 4;
/** HTSlib enlarges its table when as many places as this part of them, rounded, are taken. */
const LOAD = 0.77;

/**
 * The bins of one reference, each with a rank: how many bins came before it. The order in which HTSlib writes bins is that of
 * the places in its hash table, so this is such a table: the number of a bin, modulo a power of two, is its place, further
 * places are tried 1, 3, 6, 10 … behind it, and the table doubles as bins are added.
 */
export class BinTable {
  #bins = new Int32Array(0);
  #ranks = new Int32Array(0);
  #size = 0;
  #sizeLimit = 0;

  /** How many bins there are. */
  get size(): number {
    return this.#size;
  }

  /** The rank of a bin, which is added unless it is there. Like HTSlib's, a full table grows before it looks for the bin. */
  add(bin: number): number {
    if (this.#size >= this.#sizeLimit) this.#grow();
    const place = findPlace(this.#bins, bin);
    if (this.#bins[place] === FREE) {
      this.#bins[place] = bin;
      this.#ranks[place] = this.#size++;
    }
    return this.#ranks[place] ?? FREE;
  }

  /** The rank of a bin; −1 if there is no such bin. */
  rankOf(bin: number): number {
    return this.#size === 0 ? FREE : (this.#ranks[findPlace(this.#bins, bin)] ?? FREE);
  }

  /** Each bin and its rank, in the order of their places. */
  visit(visitor: (bin: number, rank: number) => void): void {
    for (let place = 0; place < this.#bins.length; place++) {
      const bin = this.#bins[place] ?? FREE;
      if (bin !== FREE) visitor(bin, this.#ranks[place] ?? FREE);
    }
  }

  /**
   * Doubles the table and places all bins again, by their old places. A bin whose new place is the old one of a bin that has
   * not been placed yet takes it, and that one goes next.
   */
  #grow(): void {
    const capacity = Math.max(SMALLEST_CAPACITY, 2 * this.#bins.length);
    const waiting = { bins: this.#bins, ranks: this.#ranks };
    const bins = new Int32Array(capacity).fill(FREE);
    const ranks = new Int32Array(capacity).fill(FREE);
    for (let from = 0; from < waiting.bins.length; from++) {
      let bin = waiting.bins[from] ?? FREE;
      let rank = waiting.ranks[from] ?? FREE;
      waiting.bins[from] = FREE;
      while (bin !== FREE) {
        const place = findPlace(bins, bin);
        bins[place] = bin;
        ranks[place] = rank;
        bin = waiting.bins[place] ?? FREE;
        rank = waiting.ranks[place] ?? FREE;
        if (place < waiting.bins.length) waiting.bins[place] = FREE;
      }
    }
    this.#bins = bins;
    this.#ranks = ranks;
    this.#sizeLimit = Math.floor(capacity * LOAD + 0.5);
  }
}

/** The place of `bin`, or the free one where it would be added; there is always a free one. */
function findPlace(bins: Int32Array, bin: number): number {
  const mask = bins.length - 1;
  let place = bin & mask;
  for (let step = 1; bins[place] !== bin && bins[place] !== FREE; step++) place = (place + step) & mask;
  return place;
}
