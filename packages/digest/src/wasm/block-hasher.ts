import type { Hasher } from '../hasher.js';
import type { DigestInstance } from './digest-instance.js';

/** A hash that takes one block after the other into its state, as MD5 and the SHA-2 family do. */
export interface BlockHash {
  readonly blockLength: number;
  /** Bytes at the end of the last block that hold the number of bits. */
  readonly lengthLength: number;
  /** Of the number of bits and the digest. The state is little-endian always. */
  readonly isLittleEndian: boolean;
  readonly initial: Uint8Array;
  /** The state as a view of the memory of the instance. */
  readonly state: Uint8Array;
  /** Takes `count` blocks from `address` in that memory on into the state. */
  readonly compress: (address: number, count: number) => void;
}

/** A running hash in WebAssembly. It keeps the state and the begun block itself, and brings them along for each call. */
export class BlockHasher implements Hasher {
  readonly #instance: DigestInstance;
  readonly #hash: BlockHash;
  readonly #state: Uint8Array;
  readonly #block: Uint8Array;
  /** Bytes of the block that are there, less than all. */
  #filled = 0;
  #length = 0;

  constructor(instance: DigestInstance, hash: BlockHash) {
    this.#instance = instance;
    this.#hash = hash;
    this.#state = hash.initial.slice();
    this.#block = new Uint8Array(hash.blockLength);
  }

  update(bytes: Uint8Array): void {
    this.#length += bytes.length;
    const rest = this.#filled === 0 ? bytes : this.#fillBlock(bytes);
    const end = rest.length - (rest.length % this.#hash.blockLength);
    if (end > 0) this.#compress(rest.subarray(0, end));
    if (end < rest.length) {
      this.#block.set(rest.subarray(end));
      this.#filled = rest.length - end;
    }
  }

  digest(): Uint8Array {
    this.#pad();
    this.#compress(this.#block);
    return this.#hash.isLittleEndian ? this.#state : swapWords(this.#state);
  }

  /** Completes the begun block, as far as `bytes` reach, and returns those that are left. */
  #fillBlock(bytes: Uint8Array): Uint8Array {
    const taken = bytes.subarray(0, this.#block.length - this.#filled);
    this.#block.set(taken, this.#filled);
    this.#filled += taken.length;
    if (this.#filled === this.#block.length) {
      this.#compress(this.#block);
      this.#filled = 0;
    }
    return bytes.subarray(taken.length);
  }

  /** Makes the block the last: a bit, zeros and the number of bits (RFC 1321 §3.1 and §3.2, FIPS 180-4 §5.1.2). */
  #pad(): void {
    const { blockLength, lengthLength, isLittleEndian } = this.#hash;
    this.#block.fill(0, this.#filled);
    this.#block[this.#filled] = 0x80;
    if (this.#filled + 1 > blockLength - lengthLength) {
      this.#compress(this.#block);
      this.#block.fill(0);
    }
    // Lengths are safe integers, so that the first half of the 16 bytes of SHA-512 stays zero.
    const bits = BigInt(this.#length) * 8n;
    new DataView(this.#block.buffer).setBigUint64(blockLength - 8, bits, isLittleEndian);
  }

  /** Takes whole blocks into the state. What the instance normalised is read where it lies. */
  #compress(blocks: Uint8Array): void {
    const { blockLength, compress, state } = this.#hash;
    const { buffer, raw } = this.#instance;
    state.set(this.#state);
    if (blocks.buffer === buffer) {
      compress(blocks.byteOffset, blocks.length / blockLength);
    } else {
      for (let at = 0; at < blocks.length; at += raw.length) {
        const piece = blocks.subarray(at, at + raw.length);
        raw.set(piece);
        compress(raw.byteOffset, piece.length / blockLength);
      }
    }
    this.#state.set(state);
  }
}

/** Words of 64 bits in the other byte order. */
function swapWords(bytes: Uint8Array): Uint8Array {
  const swapped = new Uint8Array(bytes.length);
  const from = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const to = new DataView(swapped.buffer);
  for (let at = 0; at < bytes.length; at += 8) to.setBigUint64(at, from.getBigUint64(at, true));
  return swapped;
}
