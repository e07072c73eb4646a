import type { VirtualOffset } from '@htskit/bgzf';
import type { BinningScheme } from '../binning/binning-scheme.js';
import { BinTable } from './bin-table.js';
import type { ByteWriter } from './byte-writer.js';

/** HTSlib moves the chunks of a bin whose records lie within fewer compressed bytes into the bin's parent. */
const SMALL_BIN_BYTES = 0x10000;
const NONE = -1;
const CHILDREN = 8;

/** What a reference has besides chunks: its pseudo-bin (SAMv1 §5.2), and for CSI what each bin begins with. */
export interface BinExtras {
  readonly pseudoBin: { readonly start: VirtualOffset; readonly end: VirtualOffset; readonly counts: PseudoBinCounts };
  /** loffset of a bin (CSIv1), given the first window that it spans. Absent for BAI and TBI. */
  readonly loffset?: ((firstWindow: number) => VirtualOffset) | undefined;
}

interface PseudoBinCounts {
  readonly mapped: number;
  readonly unmapped: number;
}

/**
 * The bins of one reference and their chunks, which come in the order of the file. Numbers stand in arrays, by the order of
 * chunks, or by the rank of bins.
 */
export class BinChunks {
  readonly #scheme: BinningScheme;
  readonly #table = new BinTable();
  readonly #bins: number[] = [];
  /** Of each bin: where its first chunk starts and its last one ends, in compressed bytes. */
  readonly #firstCoffsets: number[] = [];
  readonly #lastCoffsets: number[] = [];
  /** Of each chunk. */
  readonly #ranks: number[] = [];
  readonly #startCoffsets: number[] = [];
  readonly #startUoffsets: number[] = [];
  readonly #endCoffsets: number[] = [];
  readonly #endUoffsets: number[] = [];

  constructor(scheme: BinningScheme) {
    this.#scheme = scheme;
  }

  /** Adds a chunk behind all others. */
  add(bin: number, start: VirtualOffset, end: VirtualOffset): void {
    const rank = this.#table.add(bin);
    if (rank === this.#bins.length) {
      this.#bins.push(bin);
      this.#firstCoffsets.push(start.coffset);
      this.#lastCoffsets.push(end.coffset);
    }
    this.#lastCoffsets[rank] = end.coffset;
    this.#ranks.push(rank);
    this.#startCoffsets.push(start.coffset);
    this.#startUoffsets.push(start.uoffset);
    this.#endCoffsets.push(end.coffset);
    this.#endUoffsets.push(end.uoffset);
  }

  /** Writes the count of bins and each bin, after which none may be added. */
  write(writer: ByteWriter, { pseudoBin, loffset }: BinExtras): void {
    // HTSlib adds the pseudo-bin last and looks it up once more, either of which may enlarge the table.
    this.#table.add(this.#scheme.pseudoBin);
    this.#table.add(this.#scheme.pseudoBin);
    const lists = this.#joinChunks(this.#mergeSmallBins());
    writer.int32(1 + lists.counts.reduce((sum, count) => sum + Math.min(count, 1), 0));
    this.#table.visit((bin, rank) => {
      const isPseudoBin = bin === this.#scheme.pseudoBin;
      if (!isPseudoBin && lists.counts[rank] === 0) return;
      writer.int32(bin);
      const { coffset, uoffset } = (isPseudoBin ? undefined : loffset?.(this.#firstWindow(bin))) ?? ZERO;
      if (loffset !== undefined) writer.virtualOffset(coffset, uoffset);
      if (isPseudoBin) writePseudoBin(writer, pseudoBin);
      else this.#writeChunks(writer, rank, lists);
    });
  }

  /** By the rank of each bin, that of the ancestor which its chunks go to, or its own. */
  #mergeSmallBins(): Int32Array {
    const bins = this.#bins;
    const targets = Int32Array.from(bins.keys());
    // Parents have lower numbers than their children, whose chunks they have when it is their turn.
    const byNumber = Array.from(bins.keys()).sort((a, b) => (bins[a] ?? 0) - (bins[b] ?? 0));
    for (let place = byNumber.length - 1; place >= 0; place--) {
      const rank = byNumber[place] ?? 0;
      const bin = bins[rank] ?? 0;
      const parent = bin === 0 ? NONE : this.#table.rankOf(Math.floor((bin - 1) / CHILDREN));
      const first = this.#firstCoffsets[rank] ?? 0;
      const last = this.#lastCoffsets[rank] ?? 0;
      if (parent === NONE || last - first >= SMALL_BIN_BYTES) continue;
      targets[rank] = parent;
      this.#firstCoffsets[parent] = Math.min(first, this.#firstCoffsets[parent] ?? first);
      this.#lastCoffsets[parent] = Math.max(last, this.#lastCoffsets[parent] ?? last);
    }
    for (const rank of byNumber) targets[rank] = targets[targets[rank] ?? rank] ?? rank;
    return targets;
  }

  /** Links the chunks of each bin, joining those that begin in the block in which the one before ends. */
  #joinChunks(targets: Int32Array): ChunkLists {
    const heads = new Int32Array(targets.length).fill(NONE);
    const tails = new Int32Array(targets.length).fill(NONE);
    const counts = new Int32Array(targets.length);
    const next = new Int32Array(this.#ranks.length).fill(NONE);
    for (let chunk = 0; chunk < next.length; chunk++) {
      const bin = targets[this.#ranks[chunk] ?? 0] ?? 0;
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

  #writeChunks(writer: ByteWriter, rank: number, { heads, counts, next }: ChunkLists): void {
    writer.int32(counts[rank] ?? 0);
    for (let chunk = heads[rank] ?? NONE; chunk !== NONE; chunk = next[chunk] ?? NONE) {
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

/** Chunks by bin: `next` leads from each to the one behind it. */
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
