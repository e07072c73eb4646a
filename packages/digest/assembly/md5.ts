// The block transformation of MD5 (RFC 1321).

/** The four words A, B, C and D. */
export const MD5_STATE: usize = memory.data(16, 16);

/**
 * Compresses the `count` blocks of 64 bytes at address `at` into the state. Blocks are only read, so no address is
 * unsafe. Unrolled, because each operation has its own word, constant and shift.
 */
export function md5Blocks(at: usize, count: i32): void {
  const end = at + ((<usize>count) << 6);
  let a = load<u32>(MD5_STATE);
  let b = load<u32>(MD5_STATE, 4);
  let c = load<u32>(MD5_STATE, 8);
  let d = load<u32>(MD5_STATE, 12);
  while (at < end) {
    const firstA = a;
    const firstB = b;
    const firstC = c;
    const firstD = d;

    a = f(a, b, c, d, load<u32>(at) + 0xd76aa478, 7);
    d = f(d, a, b, c, load<u32>(at, 4) + 0xe8c7b756, 12);
    c = f(c, d, a, b, load<u32>(at, 8) + 0x242070db, 17);
    b = f(b, c, d, a, load<u32>(at, 12) + 0xc1bdceee, 22);
    a = f(a, b, c, d, load<u32>(at, 16) + 0xf57c0faf, 7);
    d = f(d, a, b, c, load<u32>(at, 20) + 0x4787c62a, 12);
    c = f(c, d, a, b, load<u32>(at, 24) + 0xa8304613, 17);
    b = f(b, c, d, a, load<u32>(at, 28) + 0xfd469501, 22);
    a = f(a, b, c, d, load<u32>(at, 32) + 0x698098d8, 7);
    d = f(d, a, b, c, load<u32>(at, 36) + 0x8b44f7af, 12);
    c = f(c, d, a, b, load<u32>(at, 40) + 0xffff5bb1, 17);
    b = f(b, c, d, a, load<u32>(at, 44) + 0x895cd7be, 22);
    a = f(a, b, c, d, load<u32>(at, 48) + 0x6b901122, 7);
    d = f(d, a, b, c, load<u32>(at, 52) + 0xfd987193, 12);
    c = f(c, d, a, b, load<u32>(at, 56) + 0xa679438e, 17);
    b = f(b, c, d, a, load<u32>(at, 60) + 0x49b40821, 22);

    a = g(a, b, c, d, load<u32>(at, 4) + 0xf61e2562, 5);
    d = g(d, a, b, c, load<u32>(at, 24) + 0xc040b340, 9);
    c = g(c, d, a, b, load<u32>(at, 44) + 0x265e5a51, 14);
    b = g(b, c, d, a, load<u32>(at) + 0xe9b6c7aa, 20);
    a = g(a, b, c, d, load<u32>(at, 20) + 0xd62f105d, 5);
    d = g(d, a, b, c, load<u32>(at, 40) + 0x02441453, 9);
    c = g(c, d, a, b, load<u32>(at, 60) + 0xd8a1e681, 14);
    b = g(b, c, d, a, load<u32>(at, 16) + 0xe7d3fbc8, 20);
    a = g(a, b, c, d, load<u32>(at, 36) + 0x21e1cde6, 5);
    d = g(d, a, b, c, load<u32>(at, 56) + 0xc33707d6, 9);
    c = g(c, d, a, b, load<u32>(at, 12) + 0xf4d50d87, 14);
    b = g(b, c, d, a, load<u32>(at, 32) + 0x455a14ed, 20);
    a = g(a, b, c, d, load<u32>(at, 52) + 0xa9e3e905, 5);
    d = g(d, a, b, c, load<u32>(at, 8) + 0xfcefa3f8, 9);
    c = g(c, d, a, b, load<u32>(at, 28) + 0x676f02d9, 14);
    b = g(b, c, d, a, load<u32>(at, 48) + 0x8d2a4c8a, 20);

    a = h(a, b, c, d, load<u32>(at, 20) + 0xfffa3942, 4);
    d = h(d, a, b, c, load<u32>(at, 32) + 0x8771f681, 11);
    c = h(c, d, a, b, load<u32>(at, 44) + 0x6d9d6122, 16);
    b = h(b, c, d, a, load<u32>(at, 56) + 0xfde5380c, 23);
    a = h(a, b, c, d, load<u32>(at, 4) + 0xa4beea44, 4);
    d = h(d, a, b, c, load<u32>(at, 16) + 0x4bdecfa9, 11);
    c = h(c, d, a, b, load<u32>(at, 28) + 0xf6bb4b60, 16);
    b = h(b, c, d, a, load<u32>(at, 40) + 0xbebfbc70, 23);
    a = h(a, b, c, d, load<u32>(at, 52) + 0x289b7ec6, 4);
    d = h(d, a, b, c, load<u32>(at) + 0xeaa127fa, 11);
    c = h(c, d, a, b, load<u32>(at, 12) + 0xd4ef3085, 16);
    b = h(b, c, d, a, load<u32>(at, 24) + 0x04881d05, 23);
    a = h(a, b, c, d, load<u32>(at, 36) + 0xd9d4d039, 4);
    d = h(d, a, b, c, load<u32>(at, 48) + 0xe6db99e5, 11);
    c = h(c, d, a, b, load<u32>(at, 60) + 0x1fa27cf8, 16);
    b = h(b, c, d, a, load<u32>(at, 8) + 0xc4ac5665, 23);

    a = i(a, b, c, d, load<u32>(at) + 0xf4292244, 6);
    d = i(d, a, b, c, load<u32>(at, 28) + 0x432aff97, 10);
    c = i(c, d, a, b, load<u32>(at, 56) + 0xab9423a7, 15);
    b = i(b, c, d, a, load<u32>(at, 20) + 0xfc93a039, 21);
    a = i(a, b, c, d, load<u32>(at, 48) + 0x655b59c3, 6);
    d = i(d, a, b, c, load<u32>(at, 12) + 0x8f0ccc92, 10);
    c = i(c, d, a, b, load<u32>(at, 40) + 0xffeff47d, 15);
    b = i(b, c, d, a, load<u32>(at, 4) + 0x85845dd1, 21);
    a = i(a, b, c, d, load<u32>(at, 32) + 0x6fa87e4f, 6);
    d = i(d, a, b, c, load<u32>(at, 60) + 0xfe2ce6e0, 10);
    c = i(c, d, a, b, load<u32>(at, 24) + 0xa3014314, 15);
    b = i(b, c, d, a, load<u32>(at, 52) + 0x4e0811a1, 21);
    a = i(a, b, c, d, load<u32>(at, 16) + 0xf7537e82, 6);
    d = i(d, a, b, c, load<u32>(at, 44) + 0xbd3af235, 10);
    c = i(c, d, a, b, load<u32>(at, 8) + 0x2ad7d2bb, 15);
    b = i(b, c, d, a, load<u32>(at, 36) + 0xeb86d391, 21);

    a += firstA;
    b += firstB;
    c += firstC;
    d += firstD;
    at += 64;
  }
  store<u32>(MD5_STATE, a);
  store<u32>(MD5_STATE, b, 4);
  store<u32>(MD5_STATE, c, 8);
  store<u32>(MD5_STATE, d, 12);
}

// The operations of the four rounds (§3.4). Each depends on `b`, the result of the previous one, so `b` is used last.

// @inline
function f(a: u32, b: u32, c: u32, d: u32, word: u32, bits: i32): u32 {
  return rotl<u32>(a + word + (((c ^ d) & b) ^ d), bits) + b;
}

// @inline
function g(a: u32, b: u32, c: u32, d: u32, word: u32, bits: i32): u32 {
  return rotl<u32>(a + word + (c & ~d) + (b & d), bits) + b;
}

// @inline
function h(a: u32, b: u32, c: u32, d: u32, word: u32, bits: i32): u32 {
  return rotl<u32>(a + word + (c ^ d ^ b), bits) + b;
}

// @inline
function i(a: u32, b: u32, c: u32, d: u32, word: u32, bits: i32): u32 {
  return rotl<u32>(a + word + (c ^ (b | ~d)), bits) + b;
}
