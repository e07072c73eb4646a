// Levels 2 to 8: decides which matches are taken and which are deferred for better ones.
import { isWorthwhile } from './deflate-costs';
import { MAX_MATCH, MIN_MATCH } from './deflate-layout';
import { findMatch, insert, matchDistance, matchLength } from './deflate-matches';
import { recordLiteral, recordLiterals, recordMatch } from './deflate-sequences';

/** The effort of each level from 2 to 8: places to search, and a length at which to stop. */
const DEPTHS: usize = memory.data<u16>([2, 4, 6, 10, 16, 32, 100]);
const NICE_LENGTHS: usize = memory.data<u16>([16, 24, 32, 48, 65, 130, 258]);
/** A shorter match waits for a better one at the next byte, and in the highest levels at the byte after that. */
const EAGER_LENGTHS: usize = memory.data<u16>([0, 8, 16, 24, 32, 65, 258]);
const FIRST_LEVEL: u32 = 2;
const FIRST_LEVEL_TO_WAIT_TWICE: u32 = 7;

/** Minimum saving of a deferred match, in quarters of a byte, one byte later and two bytes later. */
const MARGIN_OF_ONE: i32 = 2;
const MARGIN_OF_TWO: i32 = 6;

/** Parses from `at` to `end` or slightly beyond, and returns where it stopped. `length` is the length of the input. */
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

/** Returns whether a later match saves more than `margin` quarters of a byte. Distances count by their logarithms. */
// @inline
function isBetter(later: u32, match: u32, margin: i32): bool {
  const gain = 4 * <i32>(matchLength(later) - matchLength(match));
  const nearer = <i32>(clz(matchDistance(later)) - clz(matchDistance(match)));
  return (<i32>(gain >= 0) & <i32>(gain + nearer > margin)) != 0;
}

function setting(settings: usize, level: u32): u32 {
  return load<u16>(settings + ((level - FIRST_LEVEL) << 1));
}
