// Level 1: the latest two places of each hash, without chains.
import { INPUT, MAX_DISTANCE, MAX_MATCH } from './deflate-layout';
import { extend, matchLength, packMatch } from './deflate-matches';
import { recordLiteral, recordLiterals, recordMatch } from './deflate-sequences';

const HASH_BITS: u32 = 14;
/** A match of this length is taken without looking at the older place. */
const NICE: u32 = 32;

/** Two places for each hash of 4 bytes, as "position + 1" or 0, the latest in the low half. */
const PAIRS: usize = memory.data(4 << HASH_BITS, 16);

/** Clears all places. */
export function clearPairs(): void {
  memory.fill(PAIRS, 0, 4 << HASH_BITS);
}

/** Parses from `at` to `end` or slightly beyond, and returns where it stopped. `length` is the length of the input. */
export function parseFast(at: u32, end: u32, length: u32): u32 {
  const insertEnd: u32 = length < 4 ? 0 : length - 3;
  const searchEnd = min(end, insertEnd);
  while (at < searchEnd) {
    const bytes = load<u32>(at, INPUT);
    const pair = insertInPair(bytes, at);
    const match = longerOf(pair, bytes, at, min(MAX_MATCH, length - at));
    if (match == 0) {
      recordLiteral(at);
      at += 1;
      continue;
    }
    recordMatch(at, match);
    const matchEnd = at + matchLength(match);
    const stop = min(matchEnd, insertEnd);
    for (at += 1; at < stop; at += 1) insertInPair(load<u32>(at, INPUT), at);
    at = matchEnd;
  }
  return recordLiterals(at, end);
}

/** Returns the longer match of at least 4 bytes at one of the two places, or 0. */
// @inline
function longerOf(pair: u32, bytes: u32, at: u32, most: u32): u32 {
  const first: u32 = at < MAX_DISTANCE ? 1 : at + 1 - MAX_DISTANCE;
  const latest = pair & 0xffff;
  const older = pair >> 16;
  if (latest < first) return 0;
  let match: u32 = 0;
  if (load<u32>(latest, INPUT - 1) == bytes) {
    const length = extend(latest - 1, at, 4, most);
    match = packMatch(length, at + 1 - latest);
    if (length >= NICE) return match;
  }
  if (older >= first && load<u32>(older, INPUT - 1) == bytes) {
    const length = extend(older - 1, at, 4, most);
    if (length > matchLength(match)) match = packMatch(length, at + 1 - older);
  }
  return match;
}

/** Records the place `at` and returns the previous places. */
// @inline
function insertInPair(bytes: u32, at: u32): u32 {
  const slot = ((bytes * 0x9e3779b1) >> (32 - HASH_BITS)) << 2;
  const pair = load<u32>(slot, PAIRS);
  store<u32>(slot, (pair << 16) | (at + 1), PAIRS);
  return pair;
}
