/** A hash in progress. */
export interface Hasher {
  /** Adds bytes, which may change afterwards. */
  update(bytes: Uint8Array): void;
  /** Returns the raw digest, 16 bytes for MD5 and 64 for SHA-512. It must be called once, after the last `update`. */
  digest(): Uint8Array;
}

/** A hash that compresses one block after the other into its state, such as MD5 and the SHA-2 family. */
export interface BlockHash {
  readonly blockLength: number;
  /** Bytes at the end of the last block that hold the length in bits. */
  readonly lengthLength: number;
  /** Byte order of the length and the digest. The state is always little-endian. */
  readonly isLittleEndian: boolean;
  readonly initial: Uint8Array;
  /** Compresses whole blocks into the state. */
  readonly compress: (state: Uint8Array, blocks: Uint8Array) => void;
}

/** A hash in progress: its state and its incomplete block. */
export class BlockHasher implements Hasher {
  readonly #hash: BlockHash;
  readonly #state: Uint8Array;
  readonly #block: Uint8Array;
  /** Bytes of the incomplete block. */
  #filled = 0;
  #length = 0;

  constructor(hash: BlockHash) {
    this.#hash = hash;
    this.#state = hash.initial.slice();
    this.#block = new Uint8Array(hash.blockLength);
  }

  update(bytes: Uint8Array): void {
    this.#length += bytes.length;
    const rest = this.#filled === 0 ? bytes : this.#fillBlock(bytes);
    const end = rest.length - (rest.length % this.#hash.blockLength);
    if (end > 0) this.#hash.compress(this.#state, rest.subarray(0, end));
    if (end < rest.length) {
      this.#block.set(rest.subarray(end));
      this.#filled = rest.length - end;
    }
  }

  digest(): Uint8Array {
    this.#pad();
    this.#hash.compress(this.#state, this.#block);
    return this.#hash.isLittleEndian ? this.#state : swapWords(this.#state);
  }

  /** Adds bytes to the incomplete block until it is full, and returns the rest. */
  #fillBlock(bytes: Uint8Array): Uint8Array {
    const taken = bytes.subarray(0, this.#block.length - this.#filled);
    this.#block.set(taken, this.#filled);
    this.#filled += taken.length;
    if (this.#filled === this.#block.length) {
      this.#hash.compress(this.#state, this.#block);
      this.#filled = 0;
    }
    return bytes.subarray(taken.length);
  }

  /** Pads the last block with a bit, zeros and the length in bits (RFC 1321 §3.1 and §3.2, FIPS 180-4 §5.1.2). */
  #pad(): void {
    const { blockLength, lengthLength, isLittleEndian } = this.#hash;
    this.#block.fill(0, this.#filled);
    this.#block[this.#filled] = 0x80;
    if (this.#filled + 1 > blockLength - lengthLength) {
      this.#hash.compress(this.#state, this.#block);
      this.#block.fill(0);
    }
    // Lengths are safe integers, so the upper half of the 16 bytes of SHA-512 is always zero.
    const bits = BigInt(this.#length) * 8n;
    new DataView(this.#block.buffer).setBigUint64(blockLength - 8, bits, isLittleEndian);
  }
}

/** Reverses the byte order of 64-bit words. */
function swapWords(bytes: Uint8Array): Uint8Array {
  const swapped = new Uint8Array(bytes.length);
  const from = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const to = new DataView(swapped.buffer);
  for (let offset = 0; offset < bytes.length; offset += 8) to.setBigUint64(offset, from.getBigUint64(offset, true));
  return swapped;
}
