/** Bytes that all open files keep together. Tabs of a browser share the memory of a small machine. */
export const SHARED_BYTES: number = 2 ** 26;
