// The outcome of a step of the decoder.

export const OK: i32 = 0;
/** The data is corrupt or incomplete. */
export const CORRUPT: i32 = -1;
/** The output has reached its limit. */
export const FULL: i32 = -2;
/** The data is near its end, and symbols must be checked one by one. */
export const NEAR_END: i32 = 1;
