// Level 9: the cheapest of all ways to parse a segment with the matches that were found.
import { distanceCost, lengthCost, literalCost, setLengthCosts } from './deflate-costs';
import { MAX_MATCH, SEGMENT_BYTES, toDistanceSymbol } from './deflate-layout';
import { findMatches, insert, matchAt, matchDistance, matchLength } from './deflate-matches';
import { recordLiteral, recordMatch } from './deflate-sequences';

/** Number of places to search: 400 save half a percent at half the speed. */
const DEPTH: u32 = 100;
/** A match of this length is always taken, which bounds the work on repetitive input. */
const SURELY_LONG: u32 = 128;

/** Maximum size of the last segment of an input, 1.5 times that of the others. */
const MAX_SEGMENT: u32 = SEGMENT_BYTES + SEGMENT_BYTES / 2;

/**
 * For each offset of a segment: the cost of the cheapest way to it (u32), and the match that ends this way, 0 for a
 * literal.
 */
const WAY_COSTS: usize = memory.data(4 * (MAX_SEGMENT + 1), 16);
const WAY_MATCHES: usize = memory.data(4 * (MAX_SEGMENT + 1), 16);
/** The matches of the cheapest way, at the offsets where they begin. */
const CHOSEN: usize = memory.data(4 * MAX_SEGMENT, 16);

/** Parses `[at, end)`, which is at most 1.5 segments long. `length` is the length of the input. */
export function parseBest(at: u32, end: u32, length: u32): u32 {
  setLengthCosts();
  memory.fill(WAY_COSTS, 0xff, 4 * (end - at + 1));
  store<u32>(WAY_COSTS, 0);
  const insertEnd: u32 = length < 4 ? 0 : length - 3;
  for (let place = at; place < end; ) {
    const offset = (place - at) << 2;
    const cost = load<u32>(offset, WAY_COSTS);
    relax(offset + 4, cost + literalCost(place), 0);
    const count = place < insertEnd ? findMatches(place, min(MAX_MATCH, end - place), DEPTH) : 0;
    const longest = count == 0 ? 0 : matchAt(count - 1);
    if (matchLength(longest) >= SURELY_LONG) {
      relax(offset + (matchLength(longest) << 2), cost, longest);
      const stop = min(place + matchLength(longest), insertEnd);
      for (let skipped = place + 1; skipped < stop; skipped += 1) insert(skipped);
      place += matchLength(longest);
      continue;
    }
    relaxMatches(offset, cost, count);
    place += 1;
  }
  return recordWay(at, end);
}

/** Extends the way to an offset by each length of each match, at the nearest place that has this length. */
function relaxMatches(offset: u32, cost: u32, count: u32): void {
  let length: u32 = 3;
  for (let index: u32 = 0; index < count; index += 1) {
    const match = matchAt(index);
    const distance = matchDistance(match);
    const total = cost + distanceCost(toDistanceSymbol(distance));
    for (; length <= matchLength(match); length += 1) {
      relax(offset + (length << 2), total + lengthCost(length), (length << 16) | distance);
    }
  }
}

// @inline
function relax(offset: u32, cost: u32, match: u32): void {
  if (cost >= load<u32>(offset, WAY_COSTS)) return;
  store<u32>(offset, cost, WAY_COSTS);
  store<u32>(offset, match, WAY_MATCHES);
}

/** Traces the cheapest way back from the end, and then records it from the start. */
function recordWay(at: u32, end: u32): u32 {
  for (let place = end; place > at; ) {
    const match = load<u32>((place - at) << 2, WAY_MATCHES);
    place -= max(1, matchLength(match));
    store<u32>((place - at) << 2, match, CHOSEN);
  }
  for (let place = at; place < end; ) {
    const match = load<u32>((place - at) << 2, CHOSEN);
    if (match == 0) recordLiteral(place);
    else recordMatch(place, match);
    place += max(1, matchLength(match));
  }
  return end;
}
