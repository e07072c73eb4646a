// Estimated costs of symbols, from the symbols of the previous segment, so that matches are taken only if they save
// bits.
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
import { matchDistance, matchLength } from './deflate-matches';

/** Costs are in sixteenths of a bit. */
const COST_SHIFT: u32 = 4;
/** Minimum saving of a match: literals become cheaper everywhere if these are literals too. Measured: 1 to 2 bits. */
const MARGIN: i32 = 24;

/** Cost of the codes of a match, without extra bits, before any match was counted. */
const FIRST_LENGTH_BITS: u32 = 5;
const FIRST_DISTANCE_BITS: u32 = 4;

/** A match of this length is taken regardless of costs. */
const SURELY_LONG: u32 = 8;
/** Costs (u32 each) in the layout of the frequencies of a segment. */
const COSTS: usize = memory.data(4 * (LITLENS + DISTANCES), 16);
const DISTANCE_COSTS: usize = COSTS + 4 * LITLENS;
/** Costs of match lengths (u32 each). */
const LENGTH_COSTS: usize = memory.data(4 * (MAX_MATCH + 1), 16);

/** Histogram of the bytes at the start of the input (u32 each). */
const BYTE_FREQUENCIES: usize = memory.data(4 * LITERALS, 16);

/** Sets the costs from the bytes between `at` and `end`, before matches are known. */
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

/** Returns whether the match at `at` (0 for none) takes enough bits less than its bytes as literals. */
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
  // Without branches, which would be unpredictable.
  left -= literalCost(at) + literalCost(at + 1) + literalCost(at + 2);
  left -= select(literalCost(at + 3), 0, length > 3);
  left -= select(literalCost(at + 4), 0, length > 4);
  left -= select(literalCost(at + 5), 0, length > 5);
  left -= select(literalCost(at + 6), 0, length > 6);
  return left < -MARGIN;
}

/** Sets the results of lengthCost from the costs of the symbols. */
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

/** Returns the cost of a symbol: the logarithm of its rarity. A symbol that does not occur counts as occurring once. */
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

/** Binary logarithms of numbers of at least 1, within 0.01: the exponent plus a parabola through the fraction. */
// @inline
export function logarithms(numbers: v128): v128 {
  const exponents = f32x4.convert_i32x4_s(i32x4.sub(i32x4.shr_u(numbers, 23), i32x4.splat(127)));
  const fractions = v128.or(v128.and(numbers, i32x4.splat(0x7fffff)), i32x4.splat(0x3f800000));
  const slope = f32x4.sub(f32x4.splat(2), f32x4.mul(fractions, f32x4.splat(1 / 3)));
  return f32x4.add(exponents, f32x4.sub(f32x4.mul(fractions, slope), f32x4.splat(5 / 3)));
}

// @inline
export function sumLanes(lanes: v128): i32 {
  return (
    i32x4.extract_lane(lanes, 0) +
    i32x4.extract_lane(lanes, 1) +
    i32x4.extract_lane(lanes, 2) +
    i32x4.extract_lane(lanes, 3)
  );
}
