import { type BlockHash, BlockHasher, type Hasher } from './block-hasher.js';

/** MD5 (RFC 1321). */
export const MD5: Omit<BlockHash, 'compress'> = {
  blockLength: 64,
  lengthLength: 8,
  isLittleEndian: true,
  initial: Uint8Array.of(1, 35, 69, 103, 137, 171, 205, 239, 254, 220, 186, 152, 118, 84, 50, 16),
};

/**
 * Creates an MD5 hasher. WebCrypto has no MD5. In browsers it is plain JavaScript: 370 to 500 MB/s, and a kilobyte, while
 * WebAssembly, which `SequenceDigester` needs for SHA-512, reaches 640 MB/s.
 *
 * @example
 * const md5 = createMd5();
 * for await (const chunk of stream) md5.update(chunk);
 * const digest = md5.digest();
 */
export function createMd5(): Hasher {
  return new BlockHasher({ ...MD5, compress });
}

/**
 * Compresses blocks into the state (§3.4). Unrolled: a loop over the operations takes twice as long. Functions in place of the
 * four formulas exceed what V8 inlines, and take six times as long.
 */
function compress(state: Uint8Array, blocks: Uint8Array): void {
  const words = new DataView(state.buffer, state.byteOffset, state.length);
  const view = new DataView(blocks.buffer, blocks.byteOffset, blocks.length);
  let a = words.getInt32(0, true);
  let b = words.getInt32(4, true);
  let c = words.getInt32(8, true);
  let d = words.getInt32(12, true);
  for (let at = 0; at < blocks.length; at += 64) {
    const firstA = a;
    const firstB = b;
    const firstC = c;
    const firstD = d;
    const w0 = view.getInt32(at, true);
    const w1 = view.getInt32(at + 4, true);
    const w2 = view.getInt32(at + 8, true);
    const w3 = view.getInt32(at + 12, true);
    const w4 = view.getInt32(at + 16, true);
    const w5 = view.getInt32(at + 20, true);
    const w6 = view.getInt32(at + 24, true);
    const w7 = view.getInt32(at + 28, true);
    const w8 = view.getInt32(at + 32, true);
    const w9 = view.getInt32(at + 36, true);
    const w10 = view.getInt32(at + 40, true);
    const w11 = view.getInt32(at + 44, true);
    const w12 = view.getInt32(at + 48, true);
    const w13 = view.getInt32(at + 52, true);
    const w14 = view.getInt32(at + 56, true);
    const w15 = view.getInt32(at + 60, true);

    a = (rotate((a + w0 + 0xd76aa478 + (((c ^ d) & b) ^ d)) | 0, 7) + b) | 0;
    d = (rotate((d + w1 + 0xe8c7b756 + (((b ^ c) & a) ^ c)) | 0, 12) + a) | 0;
    c = (rotate((c + w2 + 0x242070db + (((a ^ b) & d) ^ b)) | 0, 17) + d) | 0;
    b = (rotate((b + w3 + 0xc1bdceee + (((d ^ a) & c) ^ a)) | 0, 22) + c) | 0;
    a = (rotate((a + w4 + 0xf57c0faf + (((c ^ d) & b) ^ d)) | 0, 7) + b) | 0;
    d = (rotate((d + w5 + 0x4787c62a + (((b ^ c) & a) ^ c)) | 0, 12) + a) | 0;
    c = (rotate((c + w6 + 0xa8304613 + (((a ^ b) & d) ^ b)) | 0, 17) + d) | 0;
    b = (rotate((b + w7 + 0xfd469501 + (((d ^ a) & c) ^ a)) | 0, 22) + c) | 0;
    a = (rotate((a + w8 + 0x698098d8 + (((c ^ d) & b) ^ d)) | 0, 7) + b) | 0;
    d = (rotate((d + w9 + 0x8b44f7af + (((b ^ c) & a) ^ c)) | 0, 12) + a) | 0;
    c = (rotate((c + w10 + 0xffff5bb1 + (((a ^ b) & d) ^ b)) | 0, 17) + d) | 0;
    b = (rotate((b + w11 + 0x895cd7be + (((d ^ a) & c) ^ a)) | 0, 22) + c) | 0;
    a = (rotate((a + w12 + 0x6b901122 + (((c ^ d) & b) ^ d)) | 0, 7) + b) | 0;
    d = (rotate((d + w13 + 0xfd987193 + (((b ^ c) & a) ^ c)) | 0, 12) + a) | 0;
    c = (rotate((c + w14 + 0xa679438e + (((a ^ b) & d) ^ b)) | 0, 17) + d) | 0;
    b = (rotate((b + w15 + 0x49b40821 + (((d ^ a) & c) ^ a)) | 0, 22) + c) | 0;

    a = (rotate((a + w1 + 0xf61e2562 + ((c & ~d) | (b & d))) | 0, 5) + b) | 0;
    d = (rotate((d + w6 + 0xc040b340 + ((b & ~c) | (a & c))) | 0, 9) + a) | 0;
    c = (rotate((c + w11 + 0x265e5a51 + ((a & ~b) | (d & b))) | 0, 14) + d) | 0;
    b = (rotate((b + w0 + 0xe9b6c7aa + ((d & ~a) | (c & a))) | 0, 20) + c) | 0;
    a = (rotate((a + w5 + 0xd62f105d + ((c & ~d) | (b & d))) | 0, 5) + b) | 0;
    d = (rotate((d + w10 + 0x02441453 + ((b & ~c) | (a & c))) | 0, 9) + a) | 0;
    c = (rotate((c + w15 + 0xd8a1e681 + ((a & ~b) | (d & b))) | 0, 14) + d) | 0;
    b = (rotate((b + w4 + 0xe7d3fbc8 + ((d & ~a) | (c & a))) | 0, 20) + c) | 0;
    a = (rotate((a + w9 + 0x21e1cde6 + ((c & ~d) | (b & d))) | 0, 5) + b) | 0;
    d = (rotate((d + w14 + 0xc33707d6 + ((b & ~c) | (a & c))) | 0, 9) + a) | 0;
    c = (rotate((c + w3 + 0xf4d50d87 + ((a & ~b) | (d & b))) | 0, 14) + d) | 0;
    b = (rotate((b + w8 + 0x455a14ed + ((d & ~a) | (c & a))) | 0, 20) + c) | 0;
    a = (rotate((a + w13 + 0xa9e3e905 + ((c & ~d) | (b & d))) | 0, 5) + b) | 0;
    d = (rotate((d + w2 + 0xfcefa3f8 + ((b & ~c) | (a & c))) | 0, 9) + a) | 0;
    c = (rotate((c + w7 + 0x676f02d9 + ((a & ~b) | (d & b))) | 0, 14) + d) | 0;
    b = (rotate((b + w12 + 0x8d2a4c8a + ((d & ~a) | (c & a))) | 0, 20) + c) | 0;

    a = (rotate((a + w5 + 0xfffa3942 + (b ^ c ^ d)) | 0, 4) + b) | 0;
    d = (rotate((d + w8 + 0x8771f681 + (a ^ b ^ c)) | 0, 11) + a) | 0;
    c = (rotate((c + w11 + 0x6d9d6122 + (d ^ a ^ b)) | 0, 16) + d) | 0;
    b = (rotate((b + w14 + 0xfde5380c + (c ^ d ^ a)) | 0, 23) + c) | 0;
    a = (rotate((a + w1 + 0xa4beea44 + (b ^ c ^ d)) | 0, 4) + b) | 0;
    d = (rotate((d + w4 + 0x4bdecfa9 + (a ^ b ^ c)) | 0, 11) + a) | 0;
    c = (rotate((c + w7 + 0xf6bb4b60 + (d ^ a ^ b)) | 0, 16) + d) | 0;
    b = (rotate((b + w10 + 0xbebfbc70 + (c ^ d ^ a)) | 0, 23) + c) | 0;
    a = (rotate((a + w13 + 0x289b7ec6 + (b ^ c ^ d)) | 0, 4) + b) | 0;
    d = (rotate((d + w0 + 0xeaa127fa + (a ^ b ^ c)) | 0, 11) + a) | 0;
    c = (rotate((c + w3 + 0xd4ef3085 + (d ^ a ^ b)) | 0, 16) + d) | 0;
    b = (rotate((b + w6 + 0x04881d05 + (c ^ d ^ a)) | 0, 23) + c) | 0;
    a = (rotate((a + w9 + 0xd9d4d039 + (b ^ c ^ d)) | 0, 4) + b) | 0;
    d = (rotate((d + w12 + 0xe6db99e5 + (a ^ b ^ c)) | 0, 11) + a) | 0;
    c = (rotate((c + w15 + 0x1fa27cf8 + (d ^ a ^ b)) | 0, 16) + d) | 0;
    b = (rotate((b + w2 + 0xc4ac5665 + (c ^ d ^ a)) | 0, 23) + c) | 0;

    a = (rotate((a + w0 + 0xf4292244 + (c ^ (b | ~d))) | 0, 6) + b) | 0;
    d = (rotate((d + w7 + 0x432aff97 + (b ^ (a | ~c))) | 0, 10) + a) | 0;
    c = (rotate((c + w14 + 0xab9423a7 + (a ^ (d | ~b))) | 0, 15) + d) | 0;
    b = (rotate((b + w5 + 0xfc93a039 + (d ^ (c | ~a))) | 0, 21) + c) | 0;
    a = (rotate((a + w12 + 0x655b59c3 + (c ^ (b | ~d))) | 0, 6) + b) | 0;
    d = (rotate((d + w3 + 0x8f0ccc92 + (b ^ (a | ~c))) | 0, 10) + a) | 0;
    c = (rotate((c + w10 + 0xffeff47d + (a ^ (d | ~b))) | 0, 15) + d) | 0;
    b = (rotate((b + w1 + 0x85845dd1 + (d ^ (c | ~a))) | 0, 21) + c) | 0;
    a = (rotate((a + w8 + 0x6fa87e4f + (c ^ (b | ~d))) | 0, 6) + b) | 0;
    d = (rotate((d + w15 + 0xfe2ce6e0 + (b ^ (a | ~c))) | 0, 10) + a) | 0;
    c = (rotate((c + w6 + 0xa3014314 + (a ^ (d | ~b))) | 0, 15) + d) | 0;
    b = (rotate((b + w13 + 0x4e0811a1 + (d ^ (c | ~a))) | 0, 21) + c) | 0;
    a = (rotate((a + w4 + 0xf7537e82 + (c ^ (b | ~d))) | 0, 6) + b) | 0;
    d = (rotate((d + w11 + 0xbd3af235 + (b ^ (a | ~c))) | 0, 10) + a) | 0;
    c = (rotate((c + w2 + 0x2ad7d2bb + (a ^ (d | ~b))) | 0, 15) + d) | 0;
    b = (rotate((b + w9 + 0xeb86d391 + (d ^ (c | ~a))) | 0, 21) + c) | 0;

    a = (a + firstA) | 0;
    b = (b + firstB) | 0;
    c = (c + firstC) | 0;
    d = (d + firstD) | 0;
  }
  words.setInt32(0, a, true);
  words.setInt32(4, b, true);
  words.setInt32(8, c, true);
  words.setInt32(12, d, true);
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
