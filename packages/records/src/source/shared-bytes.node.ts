/** Bytes that all open files keep together. */
export const SHARED_BYTES: number = 2 ** 28;
