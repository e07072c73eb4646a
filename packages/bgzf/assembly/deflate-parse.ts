// Levels 2 to 8: which matches are taken, and which wait for better ones.
import { isWorthwhile } from './deflate-costs';
import { MAX_MATCH, MIN_MATCH } from './deflate-layout';
import { findMatch, insert, matchDistance, matchLength } from './deflate-matches';
import { recordLiteral, recordLiterals, recordMatch } from './deflate-sequences';

/** How hard each level from 2 to 8 tries: places to look at, and a length to be content with. */
const DEPTHS: usize = memory.data<u16>([2, 4, 6, 10, 16, 32, 100]);
const NICE_LENGTHS: usize = memory.data<u16>([16, 24, 32, 48, 65, 130, 258]);
/** A match shorter than this waits for a better one, by one byte and in the highest levels by another. */
const EAGER_LENGTHS: usize = memory.data<u16>([0, 8, 16, 24, 32, 65, 258]);
const FIRST_LEVEL: u32 = 2;
const FIRST_LEVEL_TO_WAIT_TWICE: u32 = 7;

/** What a later match must save, in quarters of a byte, when it comes one byte later and when it comes two. */
const MARGIN_OF_ONE: i32 = 2;
const MARGIN_OF_TWO: i32 = 6;

/** Parses from `at` until `end` or somewhat beyond; returns where it stopped. `length` is that of the input. */
export function parseLazily(at: u32, end: u32, length: u32, level: u32): u32 {
  const depth = setting(DEPTHS, level);
  const nice = setting(NICE_LENGTHS, level);
  const eager = setting(EAGER_LENGTHS, level);
  const insertEnd: u32 = length < 4 ? 0 : length - 3;
  const searchEnd = min(end, insertEnd);
  while (at < searchEnd) {
    let match = findMatch(at, MIN_MATCH - 1, min(MAX_MATCH, length - at), nice, depth);
    let next = at + 1;
    if (!isWorthwhile(at, match)) {
      recordLiteral(at);
      at = next;
      continue;
    }
    while (matchLength(match) < eager && next < insertEnd) {
      let other = findMatch(next, matchLength(match) - 1, min(MAX_MATCH, length - next), nice, depth >> 1);
      next += 1;
      if (!isBetter(other, match, MARGIN_OF_ONE)) {
        if (level < FIRST_LEVEL_TO_WAIT_TWICE || next >= insertEnd) break;
        other = findMatch(next, matchLength(match) - 1, min(MAX_MATCH, length - next), nice, depth >> 2);
        next += 1;
        if (!isBetter(other, match, MARGIN_OF_TWO)) break;
      }
      at = recordLiterals(at, next - 1);
      match = other;
    }
    recordMatch(at, match);
    at += matchLength(match);
    for (const stop = min(at, insertEnd); next < stop; next += 1) insert(next);
  }
  return recordLiterals(at, end);
}

/** Whether a later match gains more than `margin` quarters of a byte; of distances, the logarithms count. */
// @inline
function isBetter(later: u32, match: u32, margin: i32): bool {
  const gain = 4 * <i32>(matchLength(later) - matchLength(match));
  const nearer = <i32>(clz(matchDistance(later)) - clz(matchDistance(match)));
  return (<i32>(gain >= 0) & <i32>(gain + nearer > margin)) != 0;
}

function setting(settings: usize, level: u32): u32 {
  return load<u16>(settings + ((level - FIRST_LEVEL) << 1));
}
