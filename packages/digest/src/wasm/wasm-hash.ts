import { type BlockHash, BlockHasher, type Hasher } from '../block-hasher.js';
import { MD5 } from '../md5.js';
import type { DigestInstance } from './digest-instance.js';

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
  const md5 = { ...MD5, compress: compressIn(instance, { state: md5State, run: md5Blocks, blockLength: 64 }) };
  const sha512: BlockHash = {
    blockLength: 128,
    lengthLength: 16,
    isLittleEndian: false,
    initial: SHA512_INITIAL,
    compress: compressIn(instance, { state: sha512State, run: sha512Blocks, blockLength: 128 }),
  };
  return { createMd5: () => new BlockHasher(md5), createSha512: () => new BlockHasher(sha512) };
}

/** Returns a function that copies a state into the instance, compresses blocks there, and copies the state back. */
function compressIn({ buffer, raw }: DigestInstance, { state, run, blockLength }: InstanceHash): BlockHash['compress'] {
  return (copy, blocks) => {
    state.set(copy);
    // Bytes in the memory of the instance are read in place.
    if (blocks.buffer === buffer) {
      run(blocks.byteOffset, blocks.length / blockLength);
    } else {
      for (let offset = 0; offset < blocks.length; offset += raw.length) {
        const piece = blocks.subarray(offset, offset + raw.length);
        raw.set(piece);
        run(raw.byteOffset, piece.length / blockLength);
      }
    }
    copy.set(state);
  };
}

/** A hash in the memory of an instance. */
interface InstanceHash {
  readonly blockLength: number;
  /** A view of the state. */
  readonly state: Uint8Array;
  /** Compresses `count` blocks, which begin at `address`, into the state. */
  readonly run: (address: number, count: number) => void;
}

function toLittleEndian(words: readonly bigint[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(8 * words.length));
  for (const [index, word] of words.entries()) bytes.setBigUint64(8 * index, word, true);
  return new Uint8Array(bytes.buffer);
}

/** An implementation of the hashes. */
export interface HashEngine {
  createMd5(): Hasher;
  createSha512(): Hasher;
}
