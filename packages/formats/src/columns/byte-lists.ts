import { unpackBases } from '../bam/bases.js';
import { copyBytes, viewOf } from '../bytes/copy-bytes.js';
import type { GrowingList } from './list-column.js';
import { type PartCopier, type Parts, partCopier } from './wasm/part-copier.js';

/** The start of a value that a record lacks. */
export const NO_VALUE = -1;

/** Longer data is not copied to WebAssembly, whose memory is never given back. */
const MAX_COPIED_BYTES = 2 ** 22;

type GrowingBytes = GrowingList<Uint8Array<ArrayBuffer>>;

/** Returns memory for the places of values of `count` records. */
export function createParts(count: number): Parts {
  return { starts: new Int32Array(count), ends: new Int32Array(count) };
}

/** Data of records. Its parts are appended to lists before those of other data. */
export class ListSource {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Whether the data was copied to WebAssembly. */
  #isEntered = false;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = viewOf(bytes);
  }

  /** Appends parts as the lists of records. */
  appendBytes(list: GrowingBytes, parts: Parts): void {
    const byteLength = appendEnds(list, parts);
    const to = list.values.reserve(byteLength);
    const copier = this.#copier();
    if (copier !== undefined) list.values.values.set(copier.copy(parts, byteLength), to);
    else copyAll({ view: viewOf(list.values.values), to }, this.view, parts);
  }

  /** Appends the letters of bases as the lists of records. A part has `ends[i] - starts[i]` bases, two in each byte from its start on. */
  appendBases(list: GrowingBytes, parts: Parts): void {
    const count = appendEnds(list, parts);
    const to = list.values.reserve(count);
    const copier = this.#copier();
    if (copier !== undefined) list.values.values.set(copier.unpack(parts, count), to);
    else unpackAll({ view: viewOf(list.values.values), to }, this.view, parts);
  }

  /** Returns the copier, which has the data. It takes a third of the time of the loops below. */
  #copier(): PartCopier | undefined {
    if (partCopier === undefined || this.bytes.length > MAX_COPIED_BYTES) return undefined;
    if (!this.#isEntered) partCopier.enter(this.bytes);
    this.#isEntered = true;
    return partCopier;
  }
}

/** Appends the ends of the lists, and returns the number of their values. */
function appendEnds(list: GrowingBytes, { starts, ends }: Parts): number {
  const hasAll = !starts.includes(NO_VALUE);
  const first = list.values.length;
  let at = hasAll ? list.reserveEnds(starts.length) : 0;
  const listEnds = list.ends.values;
  let end = first;
  for (let i = 0; i < starts.length; i++) {
    const start = starts[i] ?? NO_VALUE;
    if (start !== NO_VALUE) end += (ends[i] ?? start) - start;
    if (hasAll) listEnds[at++] = end;
    else list.endAt(end, start !== NO_VALUE);
  }
  return end - first;
}

/** The place of the next part. */
interface Target {
  readonly view: DataView;
  to: number;
}

function copyAll(target: Target, view: DataView, { starts, ends }: Parts): void {
  for (let i = 0; i < starts.length; i++) {
    const start = starts[i] ?? NO_VALUE;
    const length = start === NO_VALUE ? 0 : (ends[i] ?? start) - start;
    copyBytes(target, view, start, length);
    target.to += length;
  }
}

function unpackAll(target: Target, view: DataView, { starts, ends }: Parts): void {
  for (let i = 0; i < starts.length; i++) {
    const at = starts[i] ?? 0;
    const count = (ends[i] ?? at) - at;
    unpackBases(view, { at, count }, target.view, target.to);
    target.to += count;
  }
}
