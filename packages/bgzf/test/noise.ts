/** Returns the same incompressible bytes each time (xorshift32, Marsaglia 2003). */
export function noise(length: number): Uint8Array {
  let state = 2463534242;
  return Uint8Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state;
  });
}

/** Returns bytes of 20 letters without repeats. */
export function letters(length: number): Uint8Array {
  return noise(length).map((byte) => 65 + (byte % 20));
}
