// The bits of the output, packed from the lowest bit of each byte upwards (RFC 1951 §3.1.1).
import { INPUT, OUTPUT } from './deflate-layout';

/** Fewer than 8 bits are pending between calls. A caller that writes more has checked that they fit the output. */
export let waitingBits: u64 = 0;
export let waitingCount: u32 = 0;
/** Number of complete bytes of output. */
export let outputLength: u32 = 0;

/** Resets the output. */
export function clearOutput(): void {
  waitingBits = 0;
  waitingCount = 0;
  outputLength = 0;
}

/** Stores the state of a loop that kept it in locals. */
// @inline
export function setOutput(bits: u64, count: u32, length: u32): void {
  waitingBits = bits;
  waitingCount = count;
  outputLength = length;
}

/** Writes the lowest `count` bits, at most 56, of a value whose other bits are 0. */
export function putBits(value: u64, count: u32): void {
  const bits = waitingBits | (value << waitingCount);
  const total = waitingCount + count;
  store<u64>(outputLength, bits, OUTPUT);
  setOutput(bits >> (total & 56), total & 7, outputLength + (total >> 3));
}

/** Pads the last byte with zeros. */
export function alignOutput(): void {
  putBits(0, (8 - waitingCount) & 7);
}

/** Copies the input from `start` to `end` to the byte-aligned output. */
export function putInput(start: u32, end: u32): void {
  memory.copy(OUTPUT + outputLength, INPUT + start, end - start);
  outputLength += end - start;
}
