import { encodeText } from '@htskit/io';
import { ByteWriter } from '../bytes/byte-writer.js';

const MAGIC = 0x78ca8c91;
const NODE_HEADER_BYTES = 4;
const MAX_NODE_SLOTS = 256;
/** A value is the id and the length of a reference; in an inner node, the offset of a node. */
const VALUE_BYTES = 8;
const MAX_LENGTH = 2 ** 32 - 1;

/** A reference of a bigWig file. */
export interface BigWigReference {
  readonly name: string;
  /** The number of its bases, less than 2^32. */
  readonly length: number;
}

/** The names and sizes that all nodes of the tree share. */
interface TreeLayout {
  readonly references: readonly BigWigReference[];
  /** The names as bytes, by the id of a reference. */
  readonly keys: readonly Uint8Array<ArrayBuffer>[];
  readonly keyBytes: number;
  readonly nodeSlots: number;
}

/**
 * Encodes the B+ tree of names (supplement of Kent et al. 2010), which is stored at `offset`. The id of a reference is its index.
 * Throws RangeError for a name that is repeated, and for an invalid length.
 */
export function encodeChromosomeTree(references: readonly BigWigReference[], offset: number): Uint8Array {
  const keys = references.map(({ name }) => encodeText(name));
  const ids = Uint32Array.from(keys.keys()).sort((a, b) => compareKeys(keys[a], keys[b]));
  checkReferences(references, ids);
  const keyBytes = keys.reduce((longest, { length }) => Math.max(longest, length), 1);
  const nodeSlots = Math.max(1, Math.min(MAX_NODE_SLOTS, keys.length));
  const layout = { references, keys, keyBytes, nodeSlots };

  const out = new ByteWriter();
  for (const value of [MAGIC, nodeSlots, keyBytes, VALUE_BYTES]) out.int32(value);
  out.uint64(keys.length);
  out.uint64(0);
  // From the root down, a slot spans ever fewer names. Those of leaves span one.
  const spans = [1];
  for (let span = nodeSlots; span < keys.length; span *= nodeSlots) spans.unshift(span);
  for (const span of spans) writeLevel(out, ids, { ...layout, span, offset });
  return out.memory.subarray(0, out.length);
}

function checkReferences(references: readonly BigWigReference[], ids: Uint32Array): void {
  let previous: string | undefined;
  for (const id of ids) {
    const { name, length } = references[id] ?? { name: '', length: 0 };
    if (name === previous) throw new RangeError(`reference ${JSON.stringify(name)} is repeated`);
    if (!(Number.isInteger(length) && length >= 0 && length <= MAX_LENGTH)) {
      throw new RangeError(
        `length ${length} of reference ${JSON.stringify(name)} is not an integer from 0 to ${MAX_LENGTH}`,
      );
    }
    previous = name;
  }
}

/** Compares bytes as `memcmp` does, by which readers search the tree. */
export function compareKeys(a: Uint8Array = new Uint8Array(), b: Uint8Array = new Uint8Array()): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Writes the nodes of one level, whose slots each span `span` names. */
function writeLevel(
  out: ByteWriter,
  ids: Uint32Array,
  { span, offset, ...layout }: TreeLayout & { readonly span: number; readonly offset: number },
): void {
  const { keys, keyBytes, nodeSlots } = layout;
  const nodeBytes = NODE_HEADER_BYTES + nodeSlots * (keyBytes + VALUE_BYTES);
  const nodeCount = Math.max(1, Math.ceil(ids.length / (span * nodeSlots)));
  const childStart = offset + out.length + nodeCount * nodeBytes;
  for (let node = 0; node < nodeCount; node++) {
    const firstSlot = node * nodeSlots;
    const endSlot = Math.min(firstSlot + nodeSlots, Math.ceil(ids.length / span));
    const nodeEnd = out.length + nodeBytes;
    out.int16(span === 1 ? 1 : 0);
    out.int16(endSlot - firstSlot);
    for (let slot = firstSlot; slot < endSlot; slot++) {
      const id = ids[slot * span] ?? 0;
      writeKey(out, keyBytes, keys[id]);
      if (span > 1) out.uint64(childStart + slot * nodeBytes);
      else writeValue(out, id, layout);
    }
    writeZeros(out, nodeEnd - out.length);
  }
}

function writeKey(out: ByteWriter, keyBytes: number, key = new Uint8Array()): void {
  out.copy(key, 0, key.length);
  writeZeros(out, keyBytes - key.length);
}

function writeValue(out: ByteWriter, id: number, { references }: TreeLayout): void {
  out.int32(id);
  out.int32(references[id]?.length ?? 0);
}

function writeZeros(out: ByteWriter, count: number): void {
  const at = out.reserve(count);
  out.memory.fill(0, at, at + count);
}
