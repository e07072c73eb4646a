import type { DigestInstance } from './digest-instance.js';

/** The initial state of MD5, little-endian (RFC 1321 §3.3). */
const MD5_INITIAL = Uint8Array.of(1, 35, 69, 103, 137, 171, 205, 239, 254, 220, 186, 152, 118, 84, 50, 16);

/** The initial state of SHA-512 (FIPS 180-4 §5.3.5). */
const SHA512_INITIAL = toLittleEndian([
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
]);

/** Creates the hashes in WebAssembly. Any number may be in progress: each keeps its state outside of the instance. */
export function createWasmHashEngine(instance: DigestInstance): HashEngine {
  const { md5State, sha512State, md5Blocks, sha512Blocks } = instance;
  const md5 = {
    blockLength: 64,
    lengthLength: 8,
    isLittleEndian: true,
    initial: MD5_INITIAL,
    state: md5State,
    compress: md5Blocks,
  };
  const sha512 = {
    blockLength: 128,
    lengthLength: 16,
    isLittleEndian: false,
    initial: SHA512_INITIAL,
    state: sha512State,
    compress: sha512Blocks,
  };
  return {
    createMd5: () => new BlockHasher(instance, md5),
    createSha512: () => new BlockHasher(instance, sha512),
  };
}

function toLittleEndian(words: readonly bigint[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(8 * words.length));
  for (const [index, word] of words.entries()) bytes.setBigUint64(8 * index, word, true);
  return new Uint8Array(bytes.buffer);
}

/** A hash that compresses one block after the other into its state, such as MD5 and the SHA-2 family. */
interface BlockHash {
  readonly blockLength: number;
  /** Bytes at the end of the last block that hold the length in bits. */
  readonly lengthLength: number;
  /** Byte order of the length and the digest. The state is always little-endian. */
  readonly isLittleEndian: boolean;
  readonly initial: Uint8Array;
  /** A view of the state in the memory of the instance. */
  readonly state: Uint8Array;
  /** Compresses `count` blocks, which begin at `address` in that memory, into the state. */
  readonly compress: (address: number, count: number) => void;
}

/** A hash in progress. It holds its state and incomplete block, and copies the state to the instance for each call. */
class BlockHasher implements Hasher {
  readonly #instance: DigestInstance;
  readonly #hash: BlockHash;
  readonly #state: Uint8Array;
  readonly #block: Uint8Array;
  /** Bytes of the incomplete block. */
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

  /** Adds bytes to the incomplete block until it is full, and returns the rest. */
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

  /** Pads the last block with a bit, zeros and the length in bits (RFC 1321 §3.1 and §3.2, FIPS 180-4 §5.1.2). */
  #pad(): void {
    const { blockLength, lengthLength, isLittleEndian } = this.#hash;
    this.#block.fill(0, this.#filled);
    this.#block[this.#filled] = 0x80;
    if (this.#filled + 1 > blockLength - lengthLength) {
      this.#compress(this.#block);
      this.#block.fill(0);
    }
    // Lengths are safe integers, so the upper half of the 16 bytes of SHA-512 is always zero.
    const bits = BigInt(this.#length) * 8n;
    new DataView(this.#block.buffer).setBigUint64(blockLength - 8, bits, isLittleEndian);
  }

  /** Compresses whole blocks into the state. Bytes in the memory of the instance are read in place. */
  #compress(blocks: Uint8Array): void {
    const { blockLength, compress, state } = this.#hash;
    const { buffer, raw } = this.#instance;
    state.set(this.#state);
    if (blocks.buffer === buffer) {
      compress(blocks.byteOffset, blocks.length / blockLength);
    } else {
      for (let offset = 0; offset < blocks.length; offset += raw.length) {
        const piece = blocks.subarray(offset, offset + raw.length);
        raw.set(piece);
        compress(raw.byteOffset, piece.length / blockLength);
      }
    }
    this.#state.set(state);
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

/** A hash in progress. */
export interface Hasher {
  /** Adds bytes, which may change afterwards. */
  update(bytes: Uint8Array): void;
  /** Returns the raw digest, 16 bytes for MD5 and 64 for SHA-512. It must be called once, after the last `update`. */
  digest(): Uint8Array;
}

/** An implementation of the hashes. */
export interface HashEngine {
  createMd5(): Hasher;
  createSha512(): Hasher;
}
