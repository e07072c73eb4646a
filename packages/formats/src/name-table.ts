/** The ids of names. A `Map` is one. */
export type NameLookup = Pick<
  ReadonlyMap<string, number>,
  'size' | 'get' | 'has' | 'keys' | 'values' | typeof Symbol.iterator
>;

const encoder = new TextEncoder();
// Not fatal, as for the headers that the names come from.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const NO_ENTRY = 0xffffffff;
/** Slots per name: chains of occupied slots stay short. */
const SLOTS_PER_NAME = 2;
const FIRST_CAPACITY = 256;
/** How much the table grows at once. All names are then hashed again, which takes 50 ms for a million. */
const GROWTH = 4;

/**
 * Names numbered from 0, in memory of about 40 bytes and the bytes of the name each at most: a header may have millions. If two
 * names are equal, the last one counts, as in a `Map`.
 */
export class NameTable implements NameLookup {
  /** All names, one after another. */
  #bytes = new Uint8Array(16 * FIRST_CAPACITY);
  #byteLength = 0;
  /** The end of each name in `#bytes`. */
  #ends = new Uint32Array(FIRST_CAPACITY);
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
    return this.#bytes.length + this.#ends.byteLength + this.#slots.byteLength;
  }

  /** Adds a name, whose id is the number of names before it. */
  add(name: Uint8Array): void {
    if (this.#count === this.#ends.length) this.#grow();
    if (this.#byteLength + name.length > this.#bytes.length) {
      this.#bytes = enlarged(this.#bytes, 2 * (this.#byteLength + name.length));
    }
    const slot = this.#findSlot(name);
    if (this.#slots[slot] === NO_ENTRY) this.#distinct++;
    this.#slots[slot] = this.#count;
    this.#bytes.set(name, this.#byteLength);
    this.#byteLength += name.length;
    this.#ends[this.#count++] = this.#byteLength;
  }

  get(name: string): number | undefined {
    const id = this.#slots[this.#findSlot(encoder.encode(name))];
    return id === NO_ENTRY ? undefined : id;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  *values(): MapIterator<number> {
    for (let id = 0; id < this.#count; id++) if (this.#slots[this.#findSlot(this.#nameAt(id))] === id) yield id;
  }

  *keys(): MapIterator<string> {
    for (const [name] of this) yield name;
  }

  *[Symbol.iterator](): MapIterator<[string, number]> {
    for (const id of this.values()) yield [decoder.decode(this.#nameAt(id)), id];
  }

  #nameAt(id: number): Uint8Array {
    return this.#bytes.subarray(id === 0 ? 0 : this.#ends[id - 1], this.#ends[id]);
  }

  /** Returns the slot of a name: the one that holds it, or the free one where it belongs. */
  #findSlot(name: Uint8Array): number {
    const mask = this.#slots.length - 1;
    for (let slot = this.#hash(name) & mask; ; slot = (slot + 1) & mask) {
      const id = this.#slots[slot] ?? NO_ENTRY;
      if (id === NO_ENTRY || this.#isName(id, name)) return slot;
    }
  }

  #isName(id: number, name: Uint8Array): boolean {
    const start = id === 0 ? 0 : (this.#ends[id - 1] ?? 0);
    if ((this.#ends[id] ?? 0) - start !== name.length) return false;
    for (let i = 0; i < name.length; i++) if (this.#bytes[start + i] !== name[i]) return false;
    return true;
  }

  /** FNV-1a with a random start, so that a file cannot easily be made of names that collide. */
  #hash(name: Uint8Array): number {
    let hash = this.#seed;
    for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ (name[i] ?? 0), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    return (hash ^ (hash >>> 13)) >>> 0;
  }

  #grow(): void {
    const capacity = GROWTH * this.#ends.length;
    const ends = new Uint32Array(capacity);
    ends.set(this.#ends);
    this.#ends = ends;
    this.#slots = new Uint32Array(SLOTS_PER_NAME * capacity).fill(NO_ENTRY);
    for (let id = 0; id < this.#count; id++) this.#slots[this.#findSlot(this.#nameAt(id))] = id;
  }
}

function enlarged(bytes: Uint8Array<ArrayBuffer>, byteLength: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(byteLength);
  larger.set(bytes);
  return larger;
}
