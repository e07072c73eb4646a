// Finds earlier places with the same bytes: hash chains over the whole input, which needs no sliding window.
import { INPUT, MAX_DISTANCE, MAX_INPUT } from './deflate-layout';

const SHORT_HASH_BITS: u32 = 13;
const LONG_HASH_BITS: u32 = 16;

/**
 * Places are "position + 1" in 16 bits, or 0. Pairs are the latest two places of a hash of 3 bytes, the latest in the
 * low half. Heads are the latest place of a hash of 6 bytes. A chain leads from each place to the previous one with the
 * same hash. Chains need not be cleared, since they are reached only from heads.
 */
const PAIRS: usize = memory.data(4 << SHORT_HASH_BITS, 16);
const HEADS: usize = memory.data(2 << LONG_HASH_BITS, 16);
const CHAINS: usize = memory.data(2 * MAX_INPUT, 16);
/** The matches that findMatches found (u32 each), at most one of each length. */
const LISTED: usize = memory.data(4 * 259, 16);

/** Packs a match into a number, length above distance. 0 is no match. */
// @inline
export function packMatch(length: u32, distance: u32): u32 {
  return (length << 16) | distance;
}

// @inline
export function matchLength(match: u32): u32 {
  return match >> 16;
}

// @inline
export function matchDistance(match: u32): u32 {
  return match & 0xffff;
}

/** Clears all places. */
export function clearMatches(): void {
  memory.fill(PAIRS, 0, 4 << SHORT_HASH_BITS);
  memory.fill(HEADS, 0, 2 << LONG_HASH_BITS);
}

/** Returns how many bytes at `earlier` and at `at` agree, at most `most`. Reads up to 7 bytes beyond. */
// @inline
export function extend(earlier: u32, at: u32, known: u32, most: u32): u32 {
  let length = known;
  while (length < most) {
    const difference = load<u64>(earlier + length, INPUT) ^ load<u64>(at + length, INPUT);
    if (difference != 0) return min(length + <u32>(ctz(difference) >> 3), most);
    length += 8;
  }
  return most;
}

/** Records the place `at` without looking for a match. At least 4 bytes of input are left. */
// @inline
export function insert(at: u32): void {
  const bytes = load<u64>(at, INPUT);
  insertInPairs(at, bytes);
  insertInChains(at, bytes);
}

/**
 * Records the place `at`, and returns the longest match there of more than `least` and at most `most` bytes, or 0.
 * Matches of 6 bytes are searched at `depth` places of a chain until one has `nice` bytes. Shorter matches are searched
 * at two places only, since distant ones save little. At least 4 bytes of input are left.
 */
// @inline
export function findMatch(at: u32, least: u32, most: u32, nice: u32, depth: u32): u32 {
  const bytes = load<u64>(at, INPUT);
  const pair = insertInPairs(at, bytes);
  const head = insertInChains(at, bytes);
  const first: u32 = at < MAX_DISTANCE ? 1 : at + 1 - MAX_DISTANCE;
  const longest = findLonger(head, first, at, max(least, 5), most, nice, depth);
  return longest != 0 || least > 4 ? longest : findShort(pair, first, at, least, most);
}

/** Returns the longer match of at most 8 bytes at one of two places. Without branches, which would be unpredictable. */
// @inline
function findShort(pair: u32, first: u32, at: u32, least: u32, most: u32): u32 {
  const bytes = load<u64>(at, INPUT);
  const latest = pair & 0xffff;
  const older = pair >> 16;
  const latestLength = select(<u32>(ctz(load<u64>(latest, INPUT - 1) ^ bytes) >> 3), 0, latest >= first);
  const olderLength = select(<u32>(ctz(load<u64>(older, INPUT - 1) ^ bytes) >> 3), 0, older >= first);
  const isOlder = olderLength > latestLength;
  const length = min(select(olderLength, latestLength, isOlder), most);
  return select(packMatch(length, at + 1 - select(older, latest, isOlder)), 0, length > least);
}

/** Returns the longest match at a place of the chain that starts at `earlier`, at or after `first`. */
// @inline
function findLonger(earlier: u32, first: u32, at: u32, least: u32, most: u32, nice: u32, depth: u32): u32 {
  let match: u32 = 0;
  if (least >= most) return match;
  if (nice > most) nice = most;
  const bytes = load<u32>(at, INPUT);
  // The bytes that would make the match longer rule out most places.
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

/**
 * Records the place `at`, lists the matches there in ascending order of length, each at the nearest place, and returns
 * their number. matchAt returns them. At least 4 bytes of input are left.
 */
export function findMatches(at: u32, most: u32, depth: u32): u32 {
  const bytes = load<u64>(at, INPUT);
  const pair = insertInPairs(at, bytes);
  let earlier = insertInChains(at, bytes);
  const first: u32 = at < MAX_DISTANCE ? 1 : at + 1 - MAX_DISTANCE;
  let count: u32 = 0;
  let least: u32 = 2;
  for (let places = pair; places != 0; places >>= 16) {
    const place = places & 0xffff;
    if (place < first) break;
    const length = min(<u32>(ctz(load<u64>(place, INPUT - 1) ^ bytes) >> 3), most);
    if (length <= least) continue;
    store<u32>(count << 2, packMatch(length, at + 1 - place), LISTED);
    count += 1;
    least = length;
  }
  for (; earlier >= first && least < most && depth > 0; depth -= 1) {
    if (load<u16>(earlier + least, INPUT - 2) == load<u16>(at + least, INPUT - 1)) {
      const length = extend(earlier - 1, at, 0, most);
      if (length > least) {
        store<u32>(count << 2, packMatch(length, at + 1 - earlier), LISTED);
        count += 1;
        least = length;
      }
    }
    earlier = load<u16>(earlier << 1, CHAINS);
  }
  return count;
}

// @inline
export function matchAt(index: u32): u32 {
  return load<u32>(index << 2, LISTED);
}

// @inline
function insertInPairs(at: u32, bytes: u64): u32 {
  const slot = ((<u32>(bytes << 8) * 0x9e3779b1) >> (32 - SHORT_HASH_BITS)) << 2;
  const pair = load<u32>(slot, PAIRS);
  store<u32>(slot, (pair << 16) | (at + 1), PAIRS);
  return pair;
}

// @inline
function insertInChains(at: u32, bytes: u64): u32 {
  const slot = (<u32>(((bytes << 16) * 0x9e3779b97f4a7c15) >> (64 - LONG_HASH_BITS))) << 1;
  const head = <u32>load<u16>(slot, HEADS);
  store<u16>((at + 1) << 1, head, CHAINS);
  store<u16>(slot, at + 1, HEADS);
  return head;
}
