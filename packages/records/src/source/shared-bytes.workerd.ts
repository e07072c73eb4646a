/** Bytes that all open files keep together. All requests of an isolate share its 128 MB with the code and what they read. */
export const SHARED_BYTES: number = 2 ** 25;
