import type { VirtualOffset } from '@htskit/bgzf';
import type { BinningScheme } from '../binning/binning-scheme.js';
import { BinTable } from './bin-table.js';
import type { ByteWriter } from './byte-writer.js';

/** HTSlib moves the chunks of a bin whose records lie within fewer compressed bytes into the bin's parent. */
const SMALL_BIN_BYTES = 0x10000;
const NONE = -1;
const CHILDREN = 8;

/** The parts of a reference besides its chunks: the pseudo-bin (SAMv1 §5.2) and, for CSI, the loffsets. */
export interface BinExtras {
  readonly pseudoBin: { readonly start: VirtualOffset; readonly end: VirtualOffset; readonly counts: PseudoBinCounts };
  /** Returns the loffset of a bin (CSIv1), given the first window that it spans. Absent for BAI and TBI. */
  readonly loffset?: ((firstWindow: number) => VirtualOffset) | undefined;
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
