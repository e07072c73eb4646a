// Parsing: which matches are taken, by level.
import { INPUT, MAX_DISTANCE, MAX_MATCH, MIN_MATCH } from './deflate-layout';
import { findMatch, insert, matchDistance, matchLength } from './deflate-matches';
import { recordMatch } from './deflate-sequences';

/** A match of 3 bytes from further away costs more than literals mostly do. */
const MAX_SHORT_DISTANCE: u32 = 8192;

/**
 * Parses from `at` until `end` or somewhat beyond, taking the longest match at each place; returns where it stopped.
 * `length` is that of the input.
 */
export function parseGreedily(at: u32, end: u32, length: u32, least: u32, nice: u32, depth: u32): u32 {
  const searchEnd: u32 = length < 4 ? 0 : min(end, length - 3);
  while (at < searchEnd) {
    const match = findMatch(at, least - 1, min(MAX_MATCH, length - at), nice, depth);
    if (!isWorthwhile(match)) {
      at += 1;
      continue;
    }
    recordMatch(at, match);
    at = skip(at + 1, at + matchLength(match), length);
  }
  return max(at, end);
}

/** As parseGreedily, but a match waits for a better one that begins one byte later, or `ahead` (1 or 2) bytes later. */
export function parseLazily(at: u32, end: u32, length: u32, least: u32, nice: u32, depth: u32, ahead: u32): u32 {
  const searchEnd: u32 = length < 4 ? 0 : min(end, length - 3);
  while (at < searchEnd) {
    let match = findMatch(at, least - 1, min(MAX_MATCH, length - at), nice, depth);
    let next = at + 1;
    if (!isWorthwhile(match)) {
      at = next;
      continue;
    }
    // Bounded: every turn that goes on moves `at` forward.
    while (matchLength(match) < nice && next < length - 3) {
      let other = findMatch(next, matchLength(match) - 1, min(MAX_MATCH, length - next), nice, depth >> 1);
      next += 1;
      if (isBetter(other, match, 2)) {
        at = next - 1;
        match = other;
        continue;
      }
      if (ahead == 1 || next >= length - 3) break;
      other = findMatch(next, matchLength(match) - 1, min(MAX_MATCH, length - next), nice, depth >> 2);
      next += 1;
      if (!isBetter(other, match, 6)) break;
      at = next - 1;
      match = other;
    }
    recordMatch(at, match);
    at = skip(next, at + matchLength(match), length);
  }
  return max(at, end);
}

// @ts-ignore: decorator
@inline
function isWorthwhile(match: u32): bool {
  return match != 0 && (matchLength(match) > MIN_MATCH || matchDistance(match) <= MAX_SHORT_DISTANCE);
}

/** Whether a later match saves what waiting costs: `margin` in quarters of a byte, with distances by their logarithms. */
// @ts-ignore: decorator
@inline
function isBetter(later: u32, match: u32, margin: i32): bool {
  if (matchLength(later) < matchLength(match)) return false;
  const gain = 4 * <i32>(matchLength(later) - matchLength(match));
  return gain + <i32>(clz(matchDistance(later)) - clz(matchDistance(match))) > margin;
}

/** Remembers the places from `at` to `end`, which it returns. */
// @ts-ignore: decorator
@inline
function skip(at: u32, end: u32, length: u32): u32 {
  const insertEnd = min(end, length - 3);
  for (; at < insertEnd; at += 1) insert(at);
  return end;
}
