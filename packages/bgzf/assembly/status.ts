// What a step of the decoder came to.

export const OK: i32 = 0;
/** The data is corrupt or incomplete. */
export const CORRUPT: i32 = -1;
/** The limit of the output is reached. */
export const FULL: i32 = -2;
/** The data is near its end, where symbols have to be checked one by one. */
export const NEAR_END: i32 = 1;
