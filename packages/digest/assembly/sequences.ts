// Hashes many short sequences in one call, which takes a tenth of the time of two hashers for each.
import { BATCH, CAPACITY, MD5_DIGESTS, RANGES, RAW, SHA512_DIGESTS } from './areas';
import { MD5_STATE, md5Blocks } from './md5';
import { SHA512_STATE, sha512Blocks } from './sha512';

/** The incomplete last block and the padding after it: at most two blocks of SHA-512. */
const TAIL: usize = memory.data(256, 16);

/** Writes the digests of the first `count` ranges to MD5_DIGESTS and SHA512_DIGESTS. */
export function hashSequences(count: i32): void {
  const last = min<i32>(count, BATCH);
  for (let index = 0; index < last; index++) {
    const range = RANGES + ((<usize>index) << 3);
    const end = min<u32>(load<u32>(range, 4), CAPACITY);
    const start = min<u32>(load<u32>(range), end);
    hashMd5(RAW + <usize>start, end - start, MD5_DIGESTS + <usize>index * 16);
    hashSha512(RAW + <usize>start, end - start, SHA512_DIGESTS + <usize>index * 24);
  }
}

/** RFC 1321 §3.1 to §3.5. */
function hashMd5(at: usize, length: u32, digest: usize): void {
  store<u32>(MD5_STATE, 0x67452301);
  store<u32>(MD5_STATE, 0xefcdab89, 4);
  store<u32>(MD5_STATE, 0x98badcfe, 8);
  store<u32>(MD5_STATE, 0x10325476, 12);
  const whole = length & ~63;
  md5Blocks(at, <i32>(whole >> 6));
  const size = fillTail(at + <usize>whole, length - whole, 64, 8);
  store<u64>(TAIL + size - 8, (<u64>length) << 3);
  md5Blocks(TAIL, <i32>(size >> 6));
  v128.store(digest, v128.load(MD5_STATE));
}

/** FIPS 180-4 §5.1.2 and §6.4; the first three words of the digest. */
function hashSha512(at: usize, length: u32, digest: usize): void {
  store<u64>(SHA512_STATE, 0x6a09e667f3bcc908);
  store<u64>(SHA512_STATE, 0xbb67ae8584caa73b, 8);
  store<u64>(SHA512_STATE, 0x3c6ef372fe94f82b, 16);
  store<u64>(SHA512_STATE, 0xa54ff53a5f1d36f1, 24);
  store<u64>(SHA512_STATE, 0x510e527fade682d1, 32);
  store<u64>(SHA512_STATE, 0x9b05688c2b3e6c1f, 40);
  store<u64>(SHA512_STATE, 0x1f83d9abfb41bd6b, 48);
  store<u64>(SHA512_STATE, 0x5be0cd19137e2179, 56);
  const whole = length & ~127;
  sha512Blocks(at, <i32>(whole >> 7));
  const size = fillTail(at + <usize>whole, length - whole, 128, 16);
  store<u64>(TAIL + size - 8, bswap<u64>((<u64>length) << 3));
  sha512Blocks(TAIL, <i32>(size >> 7));
  store<u64>(digest, bswap<u64>(load<u64>(SHA512_STATE)));
  store<u64>(digest, bswap<u64>(load<u64>(SHA512_STATE, 8)), 8);
  store<u64>(digest, bswap<u64>(load<u64>(SHA512_STATE, 16)), 16);
}

/** Copies the rest of a message to TAIL, followed by a bit and zeros. Returns the length in bytes of one block or two. */
// @inline
function fillTail(at: usize, length: u32, blockLength: u32, lengthLength: u32): usize {
  const size = <usize>(length < blockLength - lengthLength ? blockLength : 2 * blockLength);
  memory.fill(TAIL, 0, size);
  memory.copy(TAIL, at, <usize>length);
  store<u8>(TAIL + <usize>length, 0x80);
  return size;
}
