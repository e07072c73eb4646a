// Where things lie in the linear memory.

/** The most bytes that are normalised in one call. */
export const CAPACITY: i32 = 65536;

/** Bytes to normalise, or blocks to hash, as JS writes them. The normaliser sets the 32 bytes behind them to zero. */
export const RAW: usize = memory.data(65536 + 32, 16);

/** Normalised bytes, which are hashed where they lie. The normaliser writes up to 32 bytes behind the last that counts. */
export const BASES: usize = memory.data(65536 + 32, 16);
