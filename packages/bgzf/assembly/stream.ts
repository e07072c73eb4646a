/** Where the decoder stands between its steps: static fields become WebAssembly globals, which are shared by all files. */
export abstract class Stream {
  /**
   * The bits of the input that come next, the first one lowest. Above `bitCount` there are bits too: those of the bytes
   * from `next` on, which are read again.
   */
  static bits: i64 = 0;
  /** How many bits were taken out of the input and not yet used, 0 to 63. */
  static bitCount: i64 = 0;
  /** The byte to read next. */
  static next: usize = 0;
  /** The end of the input. */
  static inputEnd: usize = 0;
  /** The byte to write next. */
  static out: usize = 0;
  /** Decoding ends when `out` gets here: the size that was asked for, or a byte more where that is an error. */
  static limit: usize = 0;
}

/** Fills the bit buffer to 56 bits or more, without a branch: RFC 1951 §3.1.1 packs from the lowest bit on. */
export function refill(): void {
  Stream.bits |= load<i64>(Stream.next) << Stream.bitCount;
  Stream.next += <usize>((63 - Stream.bitCount) >> 3);
  Stream.bitCount |= 56;
}

/** The next `count` bits, which the buffer has to hold. */
export function takeBits(count: i64): i32 {
  const value = <i32>(Stream.bits & ((1 << count) - 1));
  Stream.bits >>>= count;
  Stream.bitCount -= count;
  return value;
}

/** Whether more bits were used than the input has. */
export function isOverrun(): bool {
  return (<i64>Stream.next - <i64>Stream.inputEnd) << 3 > Stream.bitCount;
}
