import type { HashEngine } from '../hasher.js';
import { BlockHasher } from './block-hasher.js';
import type { DigestInstance } from './digest-instance.js';

/** RFC 1321 §3.3; little-endian, as all words of MD5. */
const MD5_INITIAL = Uint8Array.of(1, 35, 69, 103, 137, 171, 205, 239, 254, 220, 186, 152, 118, 84, 50, 16);

/** FIPS 180-4 §5.3.5. */
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

/** Hashes in WebAssembly. Any number may run at once: each keeps its state outside the instance. */
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
