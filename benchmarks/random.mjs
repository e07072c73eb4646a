/** Returns a seeded generator of integers in [0, 2^32) (xorshift32, Marsaglia 2003). */
export function createRandom(seed) {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** Returns a seeded generator of numbers in [0, 1). */
export function createShares(seed) {
  const random = createRandom(seed);
  return () => random() / 2 ** 32;
}
