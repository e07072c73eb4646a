import { decodeText, encodeText } from '@htskit/io';
/** The ids of names. A `Map` is one whose names do not repeat. */
export interface NameLookup
  extends Pick<ReadonlyMap<string, number>, 'size' | 'get' | 'has' | 'keys' | 'values' | typeof Symbol.iterator> {
  /** Whether several ids have a name. `get` returns the last one. */
  readonly isRepeated?: (name: string) => boolean;
}

/** Returns the ids of names, which may repeat. */
export function createNameLookup(entries: Iterable<readonly [name: string, id: number]>): NameLookup {
  const ids = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [name, id] of entries) {
    if (ids.has(name)) repeated.add(name);
    ids.set(name, id);
  }
  return Object.assign(ids, { isRepeated: (name: string) => repeated.has(name) });
}

/** The ids of the names of a header, whose readers keep them in a compact table. */
export interface NameIds extends NameLookup {
  /** The id of the next name. All ids are below it. */
  readonly nextId: number;
  /** Memory in bytes. */
  readonly byteLength: number;
}

const NO_ENTRY = 0xffffffff;
/** Slots per name: chains of occupied slots stay short. */
const SLOTS_PER_NAME = 2;
const FIRST_CAPACITY = 256;
/** How much the table grows at once. Hashes are kept, since to compute those of a million names again took 50 ms. */
const GROWTH = 2;

/**
 * Names numbered from 0, in memory of about 40 bytes and the bytes of the name each at most: a header may have millions. If two
 * names are equal, the last one counts, as in a `Map`.
 */
export class NameTable implements NameIds {
  /** All names, one after another. */
  #bytes = new Uint8Array(16 * FIRST_CAPACITY);
  #byteLength = 0;
  /** The end of each name in `#bytes`. */
  #ends = new Uint32Array(FIRST_CAPACITY);
  #hashes = new Uint32Array(FIRST_CAPACITY);
  /** Whether each name is that of an id before. */
  #repeats = new Uint8Array(FIRST_CAPACITY);
  /** The ids of names at the places of their hashes. */
  #slots = new Uint32Array(SLOTS_PER_NAME * FIRST_CAPACITY).fill(NO_ENTRY);
  /** Number of names that were added, and of those that differ. */
  #count = 0;
  #distinct = 0;
  readonly #seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;

  /** Number of different names. */
  get size(): number {
    return this.#distinct;
  }

  /** The id of the next name: the number of names that were added, those that repeat included. */
  get nextId(): number {
    return this.#count;
  }

  /** Memory in bytes. */
  get byteLength(): number {
    return (
      this.#bytes.length +
      this.#ends.byteLength +
      this.#hashes.byteLength +
      this.#repeats.length +
      this.#slots.byteLength
    );
  }

  /** Adds a name, whose id is the number of names before it: the bytes of `data` from `start` to `end`, or all. */
  add(data: Uint8Array, start = 0, end: number = data.length): void {
    const hash = this.#hash(data, start, end);
    const slot = this.#findSlot(hash, data, start, end);
    if (this.#slots[slot] === NO_ENTRY) this.#distinct++;
    else this.#repeats[this.#count] = 1;
    this.#put(slot, hash, data.subarray(start, end));
  }

  /** Adds a name like `add`, unless the table has it. Returns whether it was added. */
  addNew(data: Uint8Array, start = 0, end: number = data.length): boolean {
    const hash = this.#hash(data, start, end);
    const slot = this.#findSlot(hash, data, start, end);
    if (this.#slots[slot] !== NO_ENTRY) return false;
    this.#distinct++;
    this.#put(slot, hash, data.subarray(start, end));
    return true;
  }

  get(name: string): number | undefined {
    const id = this.#slots[this.#slotOf(encodeText(name))];
    return id === NO_ENTRY ? undefined : id;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  isRepeated(name: string): boolean {
    return this.#repeats[this.get(name) ?? -1] === 1;
  }

  *values(): MapIterator<number> {
    for (let id = 0; id < this.#count; id++) if (this.#slots[this.#slotOf(this.#nameAt(id))] === id) yield id;
  }

  *keys(): MapIterator<string> {
    for (const [name] of this) yield name;
  }

  *[Symbol.iterator](): MapIterator<[string, number]> {
    for (const id of this.values()) yield [decodeText(this.#nameAt(id)), id];
  }

  #nameAt(id: number): Uint8Array {
    return this.#bytes.subarray(id === 0 ? 0 : this.#ends[id - 1], this.#ends[id]);
  }

  #slotOf(name: Uint8Array): number {
    return this.#findSlot(this.#hash(name, 0, name.length), name, 0, name.length);
  }

  /** Returns the slot of a name: the one that holds it, or the free one where it belongs. */
  #findSlot(hash: number, data: Uint8Array, start: number, end: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const id = this.#slots[slot] ?? NO_ENTRY;
      if (id === NO_ENTRY || (this.#hashes[id] === hash && this.#isName(id, data, start, end))) return slot;
    }
  }

  #isName(id: number, data: Uint8Array, start: number, end: number): boolean {
    const from = id === 0 ? 0 : (this.#ends[id - 1] ?? 0);
    if ((this.#ends[id] ?? 0) - from !== end - start) return false;
    for (let i = 0; i < end - start; i++) if (this.#bytes[from + i] !== data[start + i]) return false;
    return true;
  }

  /** FNV-1a with a random start, so that a file cannot easily be made of names that collide. */
  #hash(data: Uint8Array, start: number, end: number): number {
    let hash = this.#seed;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ (data[at] ?? 0), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    return (hash ^ (hash >>> 13)) >>> 0;
  }

  #put(slot: number, hash: number, name: Uint8Array): void {
    const id = this.#count++;
    this.#slots[slot] = id;
    this.#hashes[id] = hash;
    if (this.#byteLength + name.length > this.#bytes.length) {
      this.#bytes = enlarged(this.#bytes, 2 * (this.#byteLength + name.length));
    }
    this.#bytes.set(name, this.#byteLength);
    this.#byteLength += name.length;
    this.#ends[id] = this.#byteLength;
    if (this.#count === this.#ends.length) this.#grow();
  }

  #grow(): void {
    const capacity = GROWTH * this.#count;
    const [ends, hashes, repeats] = [this.#ends, this.#hashes, this.#repeats];
    this.#ends = new Uint32Array(capacity);
    this.#ends.set(ends);
    this.#hashes = new Uint32Array(capacity);
    this.#hashes.set(hashes);
    this.#repeats = new Uint8Array(capacity);
    this.#repeats.set(repeats);
    const slots = new Uint32Array(SLOTS_PER_NAME * capacity).fill(NO_ENTRY);
    const mask = slots.length - 1;
    // Each name keeps one slot: that of the last id it was added with.
    for (const id of this.#slots) {
      if (id === NO_ENTRY) continue;
      let slot = (hashes[id] ?? 0) & mask;
      while (slots[slot] !== NO_ENTRY) slot = (slot + 1) & mask;
      slots[slot] = id;
    }
    this.#slots = slots;
  }
}

function enlarged(bytes: Uint8Array<ArrayBuffer>, byteLength: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(byteLength);
  larger.set(bytes);
  return larger;
}
