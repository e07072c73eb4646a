// How long a match must be to be worth its bits: the fewer different literals there are, the fewer bits each takes.
import { INPUT } from './deflate-layout';

const FEW: u32 = 4096;
/** Whether a byte value occurs (u8 each). */
const OCCURS: usize = memory.data(256, 16);

/** For the segment from `at` to `end`, after `previous` (0 for none), searched to `depth`. */
export function leastMatch(at: u32, end: u32, previous: usize, depth: u32): u32 {
  const literals = previous == 0 ? countBytes(at, min(end, at + FEW)) : countLiterals(previous);
  const least = literals < 6 ? 9 : literals < 8 ? 8 : literals < 10 ? 7 : literals < 16 ? 6 : literals < 46 ? 5 : literals < 80 ? 4 : 3;
  return depth < 10 ? min(least, 5) : depth < 16 ? min(least, 7) : least;
}

function countBytes(at: u32, end: u32): u32 {
  memory.fill(OCCURS, 0, 256);
  for (; at < end; at += 1) store<u8>(OCCURS + load<u8>(INPUT + at), 1);
  let count: u32 = 0;
  for (let value = 0; value < 256; value += 1) count += load<u8>(OCCURS + value);
  return count;
}

function countLiterals(segment: usize): u32 {
  let total: u32 = 0;
  for (let value = 0; value < 256; value += 1) total += load<u32>(segment + (value << 2));
  let count: u32 = 0;
  for (let value = 0; value < 256; value += 1) if (load<u32>(segment + (value << 2)) > total >> 10) count += 1;
  return count;
}
