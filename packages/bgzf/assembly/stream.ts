/** The position of the decoder between its steps. Static fields become WebAssembly globals, which all files share. */
export abstract class Stream {
  /** The next bit of the input: the address of its byte times 8, plus its position in the byte from the lowest bit. */
  static position: i32 = 0;
  /** The end of the input in bits, like `position`. */
  static end: i32 = 0;
  /** The address of the next byte to write. */
  static out: usize = 0;
  /** Decoding ends when `out` reaches this address: the requested size, plus one byte if more data is an error. */
  static limit: usize = 0;
}

/** Returns at least 57 bits from a position on, the first bit lowest (RFC 1951 §3.1.1). */
// @inline
export function bitsAt(position: i32): i64 {
  return load<i64>(<usize>position >> 3) >>> (position & 7);
}

/** Reads the next `count` bits as a number. */
export function takeBits(count: i32): i32 {
  const value = <i32>bitsAt(Stream.position) & ((1 << count) - 1);
  Stream.position += count;
  return value;
}

// The outcome of a step of the decoder.

export const OK: i32 = 0;
/** The data is corrupt or incomplete. */
export const CORRUPT: i32 = -1;
/** The output has reached its limit. */
export const FULL: i32 = -2;
/** The data is near its end, and symbols must be checked one by one. */
export const NEAR_END: i32 = 1;
