import type { VirtualOffset } from '@htskit/bgzf';
import type { BinningScheme } from '../binning/binning-scheme.js';
import type { ByteWriter } from './byte-writer.js';

/** HTSlib moves the chunks of a bin whose records lie within fewer compressed bytes into the bin's parent. */
const SMALL_BIN_BYTES = 0x10000;
const NONE = -1;
const CHILDREN = 8;

/** The parts of a reference besides its chunks: the pseudo-bin (SAMv1 §5.2) and, for CSI, the loffsets. */
export interface BinExtras {
  readonly pseudoBin: { readonly start: VirtualOffset; readonly end: VirtualOffset; readonly counts: PseudoBinCounts };
  /** Returns the loffset of a bin (CSIv1), given the first window that it spans. Absent for BAI and TBI. */
  readonly loffset?: (firstWindow: number) => VirtualOffset;
}

interface PseudoBinCounts {
  readonly mapped: number;
  readonly unmapped: number;
}

/**
 * The bins of one reference and their chunks, which are added in the order of the file. The arrays are indexed by the order
 * of the chunks or by the ordinals of the bins in the table.
 */
export class BinChunks {
  readonly #scheme: BinningScheme;
  readonly #table = new BinTable();
  /** By bin: its number, and the compressed offsets at which its first chunk starts and its last chunk ends. */
  readonly #bins: number[] = [];
  readonly #firstCoffsets: number[] = [];
  readonly #lastCoffsets: number[] = [];
  /** By chunk: the ordinal of its bin, its start and its end. */
  readonly #ordinals: number[] = [];
  readonly #startCoffsets: number[] = [];
  readonly #startUoffsets: number[] = [];
  readonly #endCoffsets: number[] = [];
  readonly #endUoffsets: number[] = [];

  constructor(scheme: BinningScheme) {
    this.#scheme = scheme;
  }

  /** Adds a chunk, which follows all others in the file. */
  add(bin: number, start: VirtualOffset, end: VirtualOffset): void {
    const ordinal = this.#table.add(bin);
    if (ordinal === this.#bins.length) {
      this.#bins.push(bin);
      this.#firstCoffsets.push(start.coffset);
      this.#lastCoffsets.push(end.coffset);
    }
    this.#lastCoffsets[ordinal] = end.coffset;
    this.#ordinals.push(ordinal);
    this.#startCoffsets.push(start.coffset);
    this.#startUoffsets.push(start.uoffset);
    this.#endCoffsets.push(end.coffset);
    this.#endUoffsets.push(end.uoffset);
  }

  /** Writes the number of bins and each bin. No chunk may be added afterwards. */
  write(writer: ByteWriter, { pseudoBin, loffset }: BinExtras): void {
    // HTSlib adds the pseudo-bin last and then looks it up. Either can enlarge the table and so change the order of bins.
    this.#table.add(this.#scheme.pseudoBin);
    this.#table.add(this.#scheme.pseudoBin);
    const lists = this.#joinChunks(this.#mergeSmallBins());
    writer.int32(1 + lists.counts.reduce((sum, count) => sum + Math.min(count, 1), 0));
    this.#table.visit((bin, ordinal) => {
      const isPseudoBin = bin === this.#scheme.pseudoBin;
      if (!isPseudoBin && lists.counts[ordinal] === 0) return;
      writer.int32(bin);
      const { coffset, uoffset } = (isPseudoBin ? undefined : loffset?.(this.#firstWindow(bin))) ?? ZERO;
      if (loffset !== undefined) writer.virtualOffset(coffset, uoffset);
      if (isPseudoBin) writePseudoBin(writer, pseudoBin);
      else this.#writeChunks(writer, ordinal, lists);
    });
  }

  /** Returns, by the ordinal of each bin, the ordinal of the ancestor that receives its chunks, or its own. */
  #mergeSmallBins(): Int32Array {
    const bins = this.#bins;
    const targets = Int32Array.from(bins.keys());
    // Parents have lower numbers than their children, so they are visited after they have received their children's chunks.
    const byNumber = Array.from(bins.keys()).sort((a, b) => (bins[a] ?? 0) - (bins[b] ?? 0));
    for (let place = byNumber.length - 1; place >= 0; place--) {
      const ordinal = byNumber[place] ?? 0;
      const bin = bins[ordinal] ?? 0;
      const parent = bin === 0 ? NONE : this.#table.ordinalOf(Math.floor((bin - 1) / CHILDREN));
      const first = this.#firstCoffsets[ordinal] ?? 0;
      const last = this.#lastCoffsets[ordinal] ?? 0;
      if (parent === NONE || last - first >= SMALL_BIN_BYTES) continue;
      targets[ordinal] = parent;
      this.#firstCoffsets[parent] = Math.min(first, this.#firstCoffsets[parent] ?? first);
      this.#lastCoffsets[parent] = Math.max(last, this.#lastCoffsets[parent] ?? last);
    }
    for (const ordinal of byNumber) targets[ordinal] = targets[targets[ordinal] ?? ordinal] ?? ordinal;
    return targets;
  }

  /** Links the chunks of each bin. A chunk that begins in the block in which the previous one ends is joined to it. */
  #joinChunks(targets: Int32Array): ChunkLists {
    const heads = new Int32Array(targets.length).fill(NONE);
    const tails = new Int32Array(targets.length).fill(NONE);
    const counts = new Int32Array(targets.length);
    const next = new Int32Array(this.#ordinals.length).fill(NONE);
    for (let chunk = 0; chunk < next.length; chunk++) {
      const bin = targets[this.#ordinals[chunk] ?? 0] ?? 0;
      const tail = tails[bin] ?? NONE;
      const endCoffset = this.#endCoffsets[chunk] ?? 0;
      if (tail !== NONE && (this.#endCoffsets[tail] ?? 0) >= (this.#startCoffsets[chunk] ?? 0)) {
        this.#endCoffsets[tail] = endCoffset;
        this.#endUoffsets[tail] = this.#endUoffsets[chunk] ?? 0;
        continue;
      }
      if (tail === NONE) heads[bin] = chunk;
      else next[tail] = chunk;
      tails[bin] = chunk;
      counts[bin] = (counts[bin] ?? 0) + 1;
    }
    return { heads, counts, next };
  }

  #writeChunks(writer: ByteWriter, ordinal: number, { heads, counts, next }: ChunkLists): void {
    writer.int32(counts[ordinal] ?? 0);
    for (let chunk = heads[ordinal] ?? NONE; chunk !== NONE; chunk = next[chunk] ?? NONE) {
      writer.virtualOffset(this.#startCoffsets[chunk] ?? 0, this.#startUoffsets[chunk] ?? 0);
      writer.virtualOffset(this.#endCoffsets[chunk] ?? 0, this.#endUoffsets[chunk] ?? 0);
    }
  }

  #firstWindow(bin: number): number {
    const { levels } = this.#scheme;
    const windowSpan = levels.at(-1)?.span ?? 1;
    const level = levels.findLast(({ first }) => first <= bin) ?? { first: 0, span: windowSpan };
    return (bin - level.first) * (level.span / windowSpan);
  }
}

/** Linked lists of chunks: the first chunk and the number of chunks of each bin, and for each chunk the next one. */
interface ChunkLists {
  readonly heads: Int32Array;
  readonly counts: Int32Array;
  readonly next: Int32Array;
}

const ZERO: VirtualOffset = { coffset: 0, uoffset: 0 };

function writePseudoBin(writer: ByteWriter, { start, end, counts }: BinExtras['pseudoBin']): void {
  writer.int32(2);
  writer.virtualOffset(start.coffset, start.uoffset);
  writer.virtualOffset(end.coffset, end.uoffset);
  writer.uint64(counts.mapped);
  writer.uint64(counts.unmapped);
}

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
