/** Where the decoder stands between its steps. Static fields become WebAssembly globals, which all files share. */
export abstract class Stream {
  /** The next bit of the input: its byte's address times 8, and its place in the byte, the lowest bit first. */
  static position: i32 = 0;
  /** The end of the input, in bits as `position`. */
  static end: i32 = 0;
  /** The byte to write next. */
  static out: usize = 0;
  /** Decoding ends when `out` gets here: the size that was asked for, or a byte more where that is an error. */
  static limit: usize = 0;
}

/** The bits from a position on, the first one lowest (RFC 1951 §3.1.1); 57 or more of them. */
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
