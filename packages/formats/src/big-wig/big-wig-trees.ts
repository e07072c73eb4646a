import { type ByteRange, type ByteSource, encodeText } from '@htskit/io';
import { firstIndex } from '@htskit/io/internal';
import { invalidData } from '../format-error.js';
import { compareKeys } from './chromosome-tree.js';
import { readOffset, readPieces, toView } from './read-pieces.js';

const CHROMOSOMES_MAGIC = 0x78ca8c91;
const BLOCKS_MAGIC = 0x2468ace0;
const CHROMOSOMES_HEADER_BYTES = 32;
const BLOCKS_HEADER_BYTES = 48;
const NODE_HEADER_BYTES = 4;
const VALUE_BYTES = 8;
const [LEAF_SLOT_BYTES, INNER_SLOT_BYTES] = [32, 24];
/** Levels of a tree. With two children for each node, more than any file has. */
const MAX_DEPTH = 32;
const MAX_NODE_SLOTS = 2 ** 16;
const MAX_KEY_BYTES = 2 ** 12;
/** Bytes that each block counts for, at least: a short one takes time, too, and may inflate to a thousand times its size. */
const MIN_BLOCK_BYTES = 256;

/** A reference of a bigWig file. */
export interface NamedReference {
  readonly referenceId: number;
  readonly length: number;
}

/** Bases [start, end) of a reference. */
export interface BaseInterval {
  readonly start: number;
  readonly end: number;
}

/** A node of either tree. */
interface TreeNode {
  readonly view: DataView;
  readonly isLeaf: boolean;
  readonly count: number;
}

interface LocateOptions {
  readonly referenceId: number;
  readonly maxBytes: number;
}

/** Searches the B+ tree of names and the R-trees of blocks of a bigWig file (supplement of Kent et al. 2010). */
export class BigWigTrees {
  readonly #source: ByteSource;
  readonly #version: string | undefined;

  constructor(source: ByteSource, version: string | undefined) {
    this.#source = source;
    this.#version = version;
  }

  /** Returns the value of a name, or undefined. */
  async find(treeOffset: number, name: string): Promise<NamedReference | undefined> {
    const header = await this.#header(treeOffset, CHROMOSOMES_HEADER_BYTES, CHROMOSOMES_MAGIC);
    const keyBytes = header.getUint32(8, true);
    const slots = slotsOf(header, treeOffset);
    if (keyBytes > MAX_KEY_BYTES) throw invalidData(`names of ${keyBytes} bytes in a bigWig file`, treeOffset);
    const slotBytes = keyBytes + VALUE_BYTES;
    const key = encodeText(name);
    let offset = treeOffset + CHROMOSOMES_HEADER_BYTES;
    for (let depth = 0; depth < MAX_DEPTH; depth++) {
      const range = { start: offset, end: offset + NODE_HEADER_BYTES + slots * slotBytes };
      const bytes = await this.#source.read(range, { version: this.#version });
      const { view, isLeaf, count } = parseNode(bytes, { offset, leafBytes: slotBytes, innerBytes: slotBytes });
      const keyAt = (slot: number): Uint8Array => trimmedKey(bytes, NODE_HEADER_BYTES + slot * slotBytes, keyBytes);
      const slot = firstIndex(count, (index) => compareKeys(keyAt(index), key) > 0) - 1;
      if (slot < 0) return undefined;
      const value = NODE_HEADER_BYTES + slot * slotBytes + keyBytes;
      if (!isLeaf) offset = readOffset(view, value);
      else if (compareKeys(keyAt(slot), key) !== 0) return undefined;
      else return { referenceId: view.getUint32(value, true), length: view.getUint32(value + 4, true) };
    }
    throw invalidData('the tree of names of a bigWig file is too deep', treeOffset);
  }

  /** Returns the number of items of an R-tree: of runs, that of its blocks. */
  async itemCount(treeOffset: number): Promise<number> {
    return readOffset(await this.#header(treeOffset, BLOCKS_HEADER_BYTES, BLOCKS_MAGIC), 8);
  }

  /** Returns where the blocks of intervals are; undefined if they, or the nodes of one level, have more than `maxBytes`. */
  async locate(
    treeOffset: number,
    intervals: readonly BaseInterval[],
    { referenceId, maxBytes }: LocateOptions,
  ): Promise<readonly ByteRange[] | undefined> {
    const slots = slotsOf(await this.#header(treeOffset, BLOCKS_HEADER_BYTES, BLOCKS_MAGIC), treeOffset);
    const overlaps = createOverlapTest(intervals, referenceId);
    let nodes: readonly number[] = [treeOffset + BLOCKS_HEADER_BYTES];
    const blocks: ByteRange[] = [];
    for (let depth = 0; nodes.length > 0; depth++) {
      if (depth === MAX_DEPTH) throw invalidData('the tree of blocks of a bigWig file is too deep', treeOffset);
      if (nodes.length * (NODE_HEADER_BYTES + slots * INNER_SLOT_BYTES) > maxBytes) return undefined;
      const children: number[] = [];
      for await (const node of this.#nodes(nodes, slots)) visitSlots(node, overlaps, { blocks, children });
      nodes = children;
    }
    const bytes = blocks.reduce((sum, { start, end }) => sum + Math.max(MIN_BLOCK_BYTES, end - start), 0);
    return bytes > maxBytes ? undefined : blocks;
  }

  async *#nodes(offsets: readonly number[], slots: number): AsyncGenerator<TreeNode, void> {
    const ranges = offsets.map((start) => ({ start, end: start + NODE_HEADER_BYTES + slots * LEAF_SLOT_BYTES }));
    for await (const { bytes, start: offset } of readPieces(this.#source, ranges, this.#version)) {
      yield parseNode(bytes, { offset, leafBytes: LEAF_SLOT_BYTES, innerBytes: INNER_SLOT_BYTES });
    }
  }

  async #header(offset: number, length: number, magic: number): Promise<DataView> {
    const range = { start: offset, end: offset + length };
    const view = toView(await this.#source.read(range, { version: this.#version }));
    if (view.byteLength === length && view.getUint32(0, true) === magic) return view;
    throw invalidData('a tree of a bigWig file is missing', offset);
  }
}

/** Returns the maximum number of slots of a node, from the header of a tree. */
function slotsOf(header: DataView, offset: number): number {
  const slots = header.getUint32(4, true);
  if (slots <= MAX_NODE_SLOTS) return slots;
  throw invalidData(`a node of ${slots} slots in a bigWig file`, offset);
}

function parseNode(
  bytes: Uint8Array,
  {
    offset,
    leafBytes,
    innerBytes,
  }: { readonly offset: number; readonly leafBytes: number; readonly innerBytes: number },
): TreeNode {
  const view = toView(bytes);
  const count = bytes.length < NODE_HEADER_BYTES ? Infinity : view.getUint16(2, true);
  const isLeaf = bytes[0] === 1;
  if (NODE_HEADER_BYTES + count * (isLeaf ? leafBytes : innerBytes) <= bytes.length) return { view, isLeaf, count };
  throw invalidData('a node of a bigWig file is incomplete', offset);
}

/** Returns a key without the zeros that it ends with. */
function trimmedKey(bytes: Uint8Array, start: number, length: number): Uint8Array {
  let end = start + length;
  while (end > start && bytes[end - 1] === 0) end--;
  return bytes.subarray(start, end);
}

/** Returns whether the range of a slot of an R-tree has bases of an interval. */
type OverlapTest = (view: DataView, at: number) => boolean;

function createOverlapTest(intervals: readonly BaseInterval[], referenceId: number): OverlapTest {
  return (view, at) => {
    const [firstId, lastId] = [view.getUint32(at, true), view.getUint32(at + 8, true)];
    if (firstId > referenceId || lastId < referenceId) return false;
    const start = firstId < referenceId ? 0 : view.getUint32(at + 4, true);
    const end = lastId > referenceId ? Infinity : view.getUint32(at + 12, true);
    const next = firstIndex(intervals.length, (index) => (intervals[index]?.end ?? 0) > start);
    return (intervals[next]?.start ?? Infinity) < end;
  };
}

/** Adds the blocks or the children of a node that have bases of an interval. */
function visitSlots(
  { view, isLeaf, count }: TreeNode,
  overlaps: OverlapTest,
  { blocks, children }: { readonly blocks: ByteRange[]; readonly children: number[] },
): void {
  const slotBytes = isLeaf ? LEAF_SLOT_BYTES : INNER_SLOT_BYTES;
  for (let slot = 0, at = NODE_HEADER_BYTES; slot < count; slot++, at += slotBytes) {
    if (!overlaps(view, at)) continue;
    const start = readOffset(view, at + 16);
    if (isLeaf) blocks.push({ start, end: start + readOffset(view, at + 24) });
    else children.push(start);
  }
}
