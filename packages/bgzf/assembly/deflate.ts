// Raw DEFLATE (RFC 1951) of an input of at most 65536 bytes, which the caller writes to `input`: hash chains, lazy
// matching by estimated costs, and segments that become blocks when their statistics are known.
import { parseBest } from './deflate-best';
import { alignOutput, clearOutput, outputLength } from './deflate-bits';
import { setFirstCosts, setNextCosts } from './deflate-costs';
import { clearPairs, parseFast } from './deflate-fast';
import { INPUT, INPUT_END, MAX_INPUT, OUTPUT, SEGMENT_BYTES, SEGMENT_SIZE, SEGMENTS } from './deflate-layout';
import { clearMatches } from './deflate-matches';
import { parseLazily } from './deflate-parse';
import { clearSequences, closeSegment, openSegment } from './deflate-sequences';
import { putSegments } from './deflate-split';

/** Addresses of the input and the output. */
export const input: i32 = <i32>INPUT;
export const output: i32 = <i32>OUTPUT;

/** Bytes that a stored block adds to its data. */
const STORED_EXTRA: u32 = 5;

/**
 * Compresses `length` bytes at a level from 1 (fastest) to 9, and returns the length of the output, or 0 if it would
 * not be less than `length` + 5 bytes. No state is kept between calls. Traps if an argument is out of range.
 */
export function deflate(length: u32, level: u32): u32 {
  if (length > MAX_INPUT || level < 1 || level > 9) unreachable();
  // Bytes after the input are hashed too, and must not depend on an earlier input.
  store<u64>(INPUT + length, 0);
  clearOutput();
  clearSequences();
  if (level == 1) clearPairs();
  else clearMatches();
  if (!putSegments(parse(length, level), length + STORED_EXTRA - 1)) return 0;
  alignOutput();
  return outputLength;
}

/** Parses the input into segments, at least one, and returns where they end. */
function parse(length: u32, level: u32): usize {
  let at: u32 = 0;
  let previous: usize = 0;
  do {
    const segment = openSegment();
    const left = length - at;
    // A short rest becomes part of the last segment.
    const end = left < SEGMENT_BYTES + SEGMENT_BYTES / 2 ? length : at + SEGMENT_BYTES;
    at = parseSegment(at, end, length, level, previous);
    closeSegment(at);
    previous = segment;
  } while (at < length);
  return previous + SEGMENT_SIZE;
}

function parseSegment(at: u32, end: u32, length: u32, level: u32, previous: usize): u32 {
  if (level == 1) return parseFast(at, end, length);
  if (previous == 0) setFirstCosts(at, end);
  else setNextCosts(previous);
  if (level == 9) return parseBest(at, end, length);
  return parseLazily(at, end, length, level);
}
