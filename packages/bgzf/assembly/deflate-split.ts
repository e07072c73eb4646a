// Decides which segments share a DEFLATE block: those that are smaller together.
import { putBlock } from './deflate-block';
import { logarithms, sumLanes } from './deflate-costs';
import { DISTANCES, INPUT_END, LITLENS, SEGMENT_SIZE, SEGMENTS, SEQUENCES, SEQUENCES_END } from './deflate-layout';

/** Cost of a block header for each symbol that occurs, in bits. */
const BITS_PER_SYMBOL: f32 = 4;
/** Constant cost of a block header, in bits. */
const BITS_PER_BLOCK: f32 = 60;

/** Frequencies of the block so far, and those including the next segment. */
const BLOCK: usize = memory.data(4 * (LITLENS + DISTANCES), 16);
const LARGER: usize = memory.data(4 * (LITLENS + DISTANCES), 16);
const FREQUENCIES_SIZE: usize = 4 * (LITLENS + DISTANCES);

/** Writes the segments before `segmentsEnd` as blocks, and returns whether they fit `limit` bytes of output. */
export function putSegments(segmentsEnd: usize, limit: u32): bool {
  let sequences = SEQUENCES;
  let start: u32 = 0;
  for (let segment = SEGMENTS; segment < segmentsEnd; ) {
    const last = gatherBlock(segment, segmentsEnd);
    const end = load<u32>(last, SEQUENCES_END);
    const inputEnd = load<u32>(last, INPUT_END);
    segment = last + SEGMENT_SIZE;
    if (!putBlock(BLOCK, sequences, end, start, inputEnd, segment == segmentsEnd, limit)) return false;
    sequences = end;
    start = inputEnd;
  }
  return true;
}

/**
 * Sums the frequencies of `first` and the following segments that are smaller with it in BLOCK, and returns the last.
 */
function gatherBlock(first: usize, segmentsEnd: usize): usize {
  memory.copy(BLOCK, first, FREQUENCIES_SIZE);
  let bits = estimateBits(BLOCK);
  let last = first;
  for (let next = first + SEGMENT_SIZE; next < segmentsEnd; next += SEGMENT_SIZE) {
    for (let offset: usize = 0; offset < FREQUENCIES_SIZE; offset += 16) {
      v128.store(LARGER + offset, i32x4.add(v128.load(BLOCK + offset), v128.load(next + offset)));
    }
    const largerBits = estimateBits(LARGER);
    if (largerBits > bits + estimateBits(next)) break;
    memory.copy(BLOCK, LARGER, FREQUENCIES_SIZE);
    bits = largerBits;
    last = next;
  }
  return last;
}

/** Estimates the bits of a block: the entropy of its symbols and its header. Extra bits are the same in any block. */
function estimateBits(frequencies: usize): f32 {
  const bits = estimateAlphabet(frequencies, LITLENS) + estimateAlphabet(frequencies + 4 * LITLENS, DISTANCES);
  return BITS_PER_BLOCK + bits;
}

function estimateAlphabet(frequencies: usize, count: u32): f32 {
  let logs: v128 = f32x4.splat(0);
  let totals: v128 = i32x4.splat(0);
  let unused: v128 = i32x4.splat(0);
  for (let place = frequencies; place < frequencies + (count << 2); place += 16) {
    const four = v128.load(place);
    totals = i32x4.add(totals, four);
    unused = i32x4.sub(unused, i32x4.eq(four, i32x4.splat(0)));
    const numbers = f32x4.convert_i32x4_s(four);
    logs = f32x4.add(logs, f32x4.mul(numbers, logarithms(f32x4.max(numbers, f32x4.splat(1)))));
  }
  const total = <f32>sumLanes(totals);
  if (total == 0) return 0;
  const log = f32x4.extract_lane(logarithms(f32x4.splat(total)), 0);
  const sum =
    f32x4.extract_lane(logs, 0) +
    f32x4.extract_lane(logs, 1) +
    f32x4.extract_lane(logs, 2) +
    f32x4.extract_lane(logs, 3);
  return total * log - sum + BITS_PER_SYMBOL * <f32>(<i32>count - sumLanes(unused));
}
