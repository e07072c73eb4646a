// Bits of the output, packed from the lowest of each byte up (RFC 1951 §3.1.1).
import { INPUT, OUTPUT } from './deflate-layout';

/** Fewer than 8 bits wait between calls; whoever writes more has made sure that they fit the output. */
export let waitingBits: u64 = 0;
export let waitingCount: u32 = 0;
/** Bytes of output that are complete. */
export let outputLength: u32 = 0;

/** Starts the output anew. */
export function clearOutput(): void {
  waitingBits = 0;
  waitingCount = 0;
  outputLength = 0;
}

/** For loops that keep the state in locals: what they leave behind. */
// @inline
export function setOutput(bits: u64, count: u32, length: u32): void {
  waitingBits = bits;
  waitingCount = count;
  outputLength = length;
}

/** Writes the lowest `count` bits, at most 56, of a value that has no others. */
export function putBits(value: u64, count: u32): void {
  const bits = waitingBits | (value << waitingCount);
  const total = waitingCount + count;
  store<u64>(outputLength, bits, OUTPUT);
  setOutput(bits >> (total & 56), total & 7, outputLength + (total >> 3));
}

/** Fills up the last byte. */
export function alignOutput(): void {
  putBits(0, (8 - waitingCount) & 7);
}

/** Copies input from `start` to `end`; the output is aligned. */
export function putInput(start: u32, end: u32): void {
  memory.copy(OUTPUT + outputLength, INPUT + start, end - start);
  outputLength += end - start;
}
