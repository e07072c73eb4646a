/** Returns the same incompressible bytes each time (xorshift32, Marsaglia 2003). */
export function noise(length: number): Uint8Array {
  let state = 2463534242;
  const bytes = new Uint8Array(length);
  for (let index = 0; index < length; index++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[index] = state;
  }
  return bytes;
}

/** Returns bytes of 20 letters without repeats. */
export function letters(length: number): Uint8Array {
  return noise(length).map((byte) => 65 + (byte % 20));
}
