// The result of parsing: sequences, and the symbol frequencies of each segment.
import {
  DISTANCE_FREQUENCIES,
  FIRST_LENGTH,
  INPUT,
  INPUT_END,
  LENGTH_SYMBOLS,
  SEGMENT_SIZE,
  SEGMENTS,
  SEQUENCES,
  SEQUENCES_END,
  toDistanceSymbol,
} from './deflate-layout';
import { matchDistance, matchLength } from './deflate-matches';

/**
 * Bit position of the distance symbol of a sequence: above the 9 bits of the length and the 16 bits of the distance.
 */
export const DISTANCE_SYMBOL_SHIFT: u32 = 25;

let segment: usize = SEGMENTS;
let sequencesEnd: usize = SEQUENCES;
let literalsStart: u32 = 0;

/** Clears all sequences and segments. */
export function clearSequences(): void {
  segment = SEGMENTS;
  sequencesEnd = SEQUENCES;
  literalsStart = 0;
}

/** Begins the next segment. */
export function openSegment(): usize {
  memory.fill(segment, 0, SEGMENT_SIZE);
  return segment;
}

/** Ends the segment at an offset of the input. The bytes since the last match were recorded as literals. */
export function closeSegment(at: u32): void {
  store<u32>(sequencesEnd, at - literalsStart);
  store<u32>(sequencesEnd, 0, 4);
  sequencesEnd += 8;
  literalsStart = at;
  store<u32>(segment, at, INPUT_END);
  store<u32>(segment, sequencesEnd, SEQUENCES_END);
  segment += SEGMENT_SIZE;
}

/** Records a match at `at`. The bytes since the last match were recorded as literals. */
// @inline
export function recordMatch(at: u32, match: u32): void {
  const symbol = toDistanceSymbol(matchDistance(match));
  increment(segment + ((<u32>load<u8>(matchLength(match), LENGTH_SYMBOLS) + FIRST_LENGTH) << 2));
  increment(segment + DISTANCE_FREQUENCIES + (symbol << 2));
  store<u32>(sequencesEnd, at - literalsStart);
  store<u32>(sequencesEnd, match | (symbol << DISTANCE_SYMBOL_SHIFT), 4);
  sequencesEnd += 8;
  literalsStart = at + matchLength(match);
}

/** Records the byte at `at` as a literal. */
// @inline
export function recordLiteral(at: u32): void {
  increment(segment + ((<u32>load<u8>(at, INPUT)) << 2));
}

/** Records the bytes from `at` to `end` as literals, and returns the larger of the two. */
export function recordLiterals(at: u32, end: u32): u32 {
  for (; at < end; at += 1) recordLiteral(at);
  return at;
}

// @inline
function increment(frequency: usize): void {
  store<u32>(frequency, load<u32>(frequency) + 1);
}
