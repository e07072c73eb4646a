import type { ByteRange } from '@htskit/io';
import { ByteWriter } from '../bytes/byte-writer.js';

const MAGIC = 0x2468ace0;
const HEADER_BYTES = 48;
const NODE_SLOTS = 256;
const NODE_HEADER_BYTES = 4;
/** Each slot begins with the start of its range, a reference and a base, then the end. */
const [RANGE_END, RANGE_BYTES] = [8, 16];
const LEAF_SLOT_BYTES = 32;
const INNER_SLOT_BYTES = 24;

/** The bases that a block of data covers, from the start on one reference to the end on the same or a later one. */
export interface BlockRange {
  readonly firstId: number;
  readonly start: number;
  readonly lastId: number;
  readonly end: number;
}

export interface RTreeCounts {
  /** The number of items in all blocks. */
  readonly itemCount: number;
  readonly itemsPerSlot: number;
}

/** The slots of all nodes of one level. */
interface Level {
  readonly slots: Uint8Array;
  readonly count: number;
  readonly slotBytes: number;
}

/**
 * The R-tree of the blocks of a bigWig file ("cirTree", supplement of Kent et al. 2010): from ranges of bases, in ascending order, to
 * ranges of bytes. In memory, a block takes the 32 bytes of its leaf slot.
 */
export class RTree {
  readonly #slots = new ByteWriter();

  /** The number of blocks. */
  get length(): number {
    return this.#slots.length / LEAF_SLOT_BYTES;
  }

  /** Adds a block after those so far. */
  add({ firstId, start, lastId, end }: BlockRange, bytes: ByteRange): void {
    const slots = this.#slots;
    slots.int32(firstId);
    slots.int32(start);
    slots.int32(lastId);
    slots.int32(end);
    slots.uint64(bytes.start);
    slots.uint64(bytes.end - bytes.start);
  }

  /** Returns where a block is stored. */
  byteRange(index: number): ByteRange {
    const { view } = this.#slots;
    const at = LEAF_SLOT_BYTES * index + RANGE_BYTES;
    const start = view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
    return { start, end: start + view.getUint32(at + 8, true) };
  }

  /** Yields the bytes of the tree, which is stored at `offset`, just after the blocks: the header and each node. */
  *encode(offset: number, counts: RTreeCounts): Generator<Uint8Array, void> {
    const [root, ...levels] = this.#levels();
    yield encodeHeader(root, offset, counts);
    let end = offset + HEADER_BYTES;
    for (const [depth, level] of levels.entries()) {
      end += Math.max(1, Math.ceil(level.count / NODE_SLOTS)) * nodeBytes(level);
      const below = levels[depth + 1];
      if (below !== undefined) setChildOffsets(level, end, nodeBytes(below));
      yield* encodeNodes(level, below === undefined);
    }
  }

  /** Returns the slots of each level. The first is not stored: its slot is the range of the root. */
  #levels(): [Level, ...Level[]] {
    let level: Level = { slots: this.#slots.memory, count: this.length, slotBytes: LEAF_SLOT_BYTES };
    const below: Level[] = [];
    do {
      below.unshift(level);
      level = toParents(level);
    } while (level.count > 1);
    return [level, ...below];
  }
}

/** Returns a level with one slot for each node of another. Its offsets are not set yet. */
function toParents({ slots, count, slotBytes }: Level): Level {
  const parentCount = Math.max(1, Math.ceil(count / NODE_SLOTS));
  const parents = new Uint8Array(INNER_SLOT_BYTES * parentCount);
  for (let first = 0, at = 0; first < count; first += NODE_SLOTS, at += INNER_SLOT_BYTES) {
    const last = Math.min(count, first + NODE_SLOTS) - 1;
    parents.set(slots.subarray(slotBytes * first, slotBytes * first + RANGE_END), at);
    parents.set(slots.subarray(slotBytes * last + RANGE_END, slotBytes * last + RANGE_BYTES), at + RANGE_END);
  }
  return { slots: parents, count: parentCount, slotBytes: INNER_SLOT_BYTES };
}

function encodeHeader({ slots }: Level, offset: number, { itemCount, itemsPerSlot }: RTreeCounts): Uint8Array {
  const header = new ByteWriter();
  header.int32(MAGIC);
  header.int32(NODE_SLOTS);
  header.uint64(itemCount);
  header.copy(slots, 0, RANGE_BYTES);
  header.uint64(offset);
  header.int32(itemsPerSlot);
  header.int32(0);
  return header.memory.subarray(0, HEADER_BYTES);
}

/** Returns the length of a node, which is the same for all nodes of a level. */
function nodeBytes({ slotBytes }: Level): number {
  return NODE_HEADER_BYTES + NODE_SLOTS * slotBytes;
}

function setChildOffsets({ slots, count }: Level, start: number, childBytes: number): void {
  const view = new DataView(slots.buffer);
  for (let i = 0; i < count; i++) {
    const offset = start + i * childBytes;
    view.setUint32(INNER_SLOT_BYTES * i + RANGE_BYTES, offset, true);
    view.setUint32(INNER_SLOT_BYTES * i + RANGE_BYTES + 4, Math.floor(offset / 2 ** 32), true);
  }
}

function* encodeNodes(level: Level, isLeaf: boolean): Generator<Uint8Array, void> {
  const { slots, count, slotBytes } = level;
  for (let first = 0; first === 0 || first < count; first += NODE_SLOTS) {
    const end = Math.min(count, first + NODE_SLOTS);
    const node = new Uint8Array(nodeBytes(level));
    node[0] = isLeaf ? 1 : 0;
    new DataView(node.buffer).setUint16(2, end - first, true);
    node.set(slots.subarray(slotBytes * first, slotBytes * end), NODE_HEADER_BYTES);
    yield node;
  }
}
