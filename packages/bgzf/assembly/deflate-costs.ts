// About what symbols will cost, by those of the segment before, so that matches are taken only where they save bits.
import {
  DISTANCE_FREQUENCIES,
  DISTANCES,
  distanceExtraBits,
  FIRST_LENGTH,
  INPUT,
  LENGTH_SYMBOLS,
  LITERALS,
  LITLENS,
  lengthExtraBits,
  MAX_MATCH,
  MIN_MATCH,
  toDistanceSymbol,
} from './deflate-layout';
import { logarithms, sumLanes } from './deflate-logarithms';
import { matchDistance, matchLength } from './deflate-matches';

/** Costs are in sixteenths of a bit. */
const COST_SHIFT: u32 = 4;
/**
 * A match must save so much, for literals everywhere become cheaper if these are literals too; measured: 1 to 2 bits.
 */
const MARGIN: i32 = 24;

/** What the codes of matches take before any were counted, without their extra bits. */
const FIRST_LENGTH_BITS: u32 = 5;
const FIRST_DISTANCE_BITS: u32 = 4;

/** A match this long is taken without a look at costs. */
const SURELY_LONG: u32 = 8;
/** Costs (u32 each): as frequencies are laid out in a segment. */
const COSTS: usize = memory.data(4 * (LITLENS + DISTANCES), 16);
const DISTANCE_COSTS: usize = COSTS + 4 * LITLENS;
/** Costs of match lengths (u32 each). */
const LENGTH_COSTS: usize = memory.data(4 * (MAX_MATCH + 1), 16);

/** Bytes at the start of the input by value (u32 each). */
const BYTE_FREQUENCIES: usize = memory.data(4 * LITERALS, 16);

/** Sets the costs from the bytes between `at` and `end`, before anything is known of matches. */
export function setFirstCosts(at: u32, end: u32): void {
  memory.fill(BYTE_FREQUENCIES, 0, 4 * LITERALS);
  for (; at < end; at += 1) {
    const place = BYTE_FREQUENCIES + ((<u32>load<u8>(INPUT + at)) << 2);
    store<u32>(place, load<u32>(place) + 1);
  }
  setCosts(BYTE_FREQUENCIES, LITERALS, COSTS);
  for (let symbol: u32 = 0; symbol < LITLENS - FIRST_LENGTH; symbol += 1) {
    store<u32>(COSTS + ((FIRST_LENGTH + symbol) << 2), (FIRST_LENGTH_BITS + lengthExtraBits(symbol)) << COST_SHIFT);
  }
  for (let symbol: u32 = 0; symbol < DISTANCES; symbol += 1) {
    store<u32>(DISTANCE_COSTS + (symbol << 2), (FIRST_DISTANCE_BITS + distanceExtraBits(symbol)) << COST_SHIFT);
  }
}

/** Sets the costs from the frequencies in a segment. */
export function setNextCosts(segment: usize): void {
  setCosts(segment, LITLENS, COSTS);
  setCosts(segment + DISTANCE_FREQUENCIES, DISTANCES, DISTANCE_COSTS);
  for (let symbol: u32 = 0; symbol < LITLENS - FIRST_LENGTH; symbol += 1) {
    addCost(COSTS + ((FIRST_LENGTH + symbol) << 2), lengthExtraBits(symbol));
  }
  for (let symbol: u32 = 0; symbol < DISTANCES; symbol += 1) {
    addCost(DISTANCE_COSTS + (symbol << 2), distanceExtraBits(symbol));
  }
}

/** Whether a match at `at` (0 for none) takes enough bits less than its bytes as literals. */
// @inline
export function isWorthwhile(at: u32, match: u32): bool {
  const length = matchLength(match);
  return length >= SURELY_LONG || (length > 0 && saves(at, match));
}

function saves(at: u32, match: u32): bool {
  const length = matchLength(match);
  const lengthSymbol = <u32>load<u8>(LENGTH_SYMBOLS + length);
  let left: i32 = load<u32>((FIRST_LENGTH + lengthSymbol) << 2, COSTS);
  left += load<u32>(toDistanceSymbol(matchDistance(match)) << 2, DISTANCE_COSTS);
  // Without branches, which would not be predictable.
  left -= literalCost(at) + literalCost(at + 1) + literalCost(at + 2);
  left -= select(literalCost(at + 3), 0, length > 3);
  left -= select(literalCost(at + 4), 0, length > 4);
  left -= select(literalCost(at + 5), 0, length > 5);
  left -= select(literalCost(at + 6), 0, length > 6);
  return left < -MARGIN;
}

/** Sets what lengthCost gives, from the costs of the symbols. */
export function setLengthCosts(): void {
  for (let length = MIN_MATCH; length <= MAX_MATCH; length += 1) {
    const symbol = <u32>load<u8>(length, LENGTH_SYMBOLS);
    store<u32>(length << 2, load<u32>((FIRST_LENGTH + symbol) << 2, COSTS), LENGTH_COSTS);
  }
}

// @inline
export function lengthCost(length: u32): u32 {
  return load<u32>(length << 2, LENGTH_COSTS);
}

// @inline
export function distanceCost(symbol: u32): u32 {
  return load<u32>(symbol << 2, DISTANCE_COSTS);
}

// @inline
export function literalCost(at: u32): i32 {
  return load<u32>((<u32>load<u8>(at, INPUT)) << 2, COSTS);
}

function addCost(place: usize, bits: u32): void {
  store<u32>(place, load<u32>(place) + (bits << COST_SHIFT));
}

/** The cost of each symbol of an alphabet: the logarithm of how rare it is; one that does not occur counts as once. */
function setCosts(frequencies: usize, count: u32, costs: usize): void {
  let totals: v128 = i32x4.splat(0);
  for (let offset: u32 = 0; offset < count << 2; offset += 16) {
    totals = i32x4.add(totals, v128.load(frequencies + offset));
  }
  const total = logarithms(f32x4.convert_i32x4_s(i32x4.splat(max(1, sumLanes(totals)))));
  for (let offset: u32 = 0; offset < count << 2; offset += 16) {
    const numbers = f32x4.max(f32x4.convert_i32x4_s(v128.load(frequencies + offset)), f32x4.splat(1));
    const bits = f32x4.max(f32x4.sub(total, logarithms(numbers)), f32x4.splat(1));
    v128.store(costs + offset, i32x4.trunc_sat_f32x4_s(f32x4.mul(bits, f32x4.splat(<f32>(1 << COST_SHIFT)))));
  }
}
