// Earlier places with the same bytes: hash chains over the whole input, which needs no sliding window.
import { INPUT, MAX_DISTANCE } from './deflate-layout';

const LONG_HASH_BITS: u32 = 15;
const SHORT_HASH_BITS: u32 = 13;

/**
 * All hold "position + 1" in 16 bits, and 0 for none. Heads are the latest place of a hash of 4 and of 3 bytes; a chain goes
 * on from each place to the one before it. Only heads are cleared: a chain is reached only from them.
 */
const LONG_HEADS: usize = memory.data(2 << 15, 16);
const SHORT_HEADS: usize = memory.data(2 << 13, 16);
const CHAINS: usize = memory.data(2 * 65536, 16);

/** A match as one number, which is 0 for none: length above distance. */
// @ts-ignore: decorator
@inline
export function packMatch(length: u32, distance: u32): u32 {
  return (length << 16) | distance;
}

// @ts-ignore: decorator
@inline
export function matchLength(match: u32): u32 {
  return match >> 16;
}

// @ts-ignore: decorator
@inline
export function matchDistance(match: u32): u32 {
  return match & 0xffff;
}

/** Forgets every place. */
export function clearMatches(): void {
  memory.fill(LONG_HEADS, 0, 2 << LONG_HASH_BITS);
  memory.fill(SHORT_HEADS, 0, 2 << SHORT_HASH_BITS);
}

/** How many bytes at `earlier` and at `at` agree, at most `most`. Looks at up to 7 bytes more. */
// @ts-ignore: decorator
@inline
export function extend(earlier: u32, at: u32, known: u32, most: u32): u32 {
  let length = known;
  while (length < most) {
    const difference = load<u64>(earlier + length, INPUT) ^ load<u64>(at + length, INPUT);
    if (difference != 0) return min(length + <u32>(ctz(difference) >> 3), most);
    length += 8;
  }
  return most;
}

/** The place `at` is remembered, without looking for a match; it has 4 bytes of input at least. */
// @ts-ignore: decorator
@inline
export function insert(at: u32): void {
  const bytes = load<u32>(at, INPUT);
  const long = longSlot(bytes);
  store<u16>((at + 1) << 1, load<u16>(long, LONG_HEADS), CHAINS);
  store<u16>(long, at + 1, LONG_HEADS);
  store<u16>(shortSlot(bytes), at + 1, SHORT_HEADS);
}

/**
 * The longest match at `at`, the nearest of its length, that is longer than `least` and has at most `most` bytes; the
 * search ends after `depth` places or with a match of `nice` bytes. `at` has 4 bytes of input at least, and is remembered.
 */
export function findMatch(at: u32, least: u32, most: u32, nice: u32, depth: u32): u32 {
  const bytes = load<u32>(at, INPUT);
  const long = longSlot(bytes);
  const short = shortSlot(bytes);
  let earlier = <u32>load<u16>(long, LONG_HEADS);
  const near = <u32>load<u16>(short, SHORT_HEADS);
  store<u16>((at + 1) << 1, earlier, CHAINS);
  store<u16>(long, at + 1, LONG_HEADS);
  store<u16>(short, at + 1, SHORT_HEADS);
  const first: u32 = at < MAX_DISTANCE ? 1 : at + 1 - MAX_DISTANCE;
  let match: u32 = 0;
  if (least < 3) {
    if (near >= first && ((load<u32>(near, INPUT - 1) ^ bytes) & 0xffffff) == 0) match = packMatch(3, at + 1 - near);
    least = 3;
  }
  if (least >= most) return match;
  if (nice > most) nice = most;
  // Most places are refused by the bytes that would make the match longer.
  let last = load<u32>(at + least, INPUT - 3);
  while (earlier >= first) {
    if (load<u32>(earlier + least, INPUT - 4) == last && load<u32>(earlier, INPUT - 1) == bytes) {
      const length = extend(earlier - 1, at, 4, most);
      if (length > least) {
        match = packMatch(length, at + 1 - earlier);
        if (length >= nice) break;
        least = length;
        last = load<u32>(at + least, INPUT - 3);
      }
    }
    depth -= 1;
    if (depth == 0) break;
    earlier = load<u16>(earlier << 1, CHAINS);
  }
  return match;
}

// @ts-ignore: decorator
@inline
function longSlot(bytes: u32): u32 {
  return ((bytes * 0x9e3779b1) >> (32 - LONG_HASH_BITS)) << 1;
}

// @ts-ignore: decorator
@inline
function shortSlot(bytes: u32): u32 {
  return (((bytes << 8) * 0x9e3779b1) >> (32 - SHORT_HASH_BITS)) << 1;
}
