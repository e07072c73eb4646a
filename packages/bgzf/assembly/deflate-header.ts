// The header of a dynamic DEFLATE block: its compressed code lengths (RFC 1951 §3.2.7).
import { putBits } from './deflate-bits';
import { makeCodes, makeLengths } from './deflate-huffman';
import { DISTANCES, END_OF_BLOCK, LITLENS } from './deflate-layout';

const PRECODES: u32 = 19;
const REPEAT_PREVIOUS: u32 = 16;
const REPEAT_ZERO: u32 = 17;
const REPEAT_ZERO_LONG: u32 = 18;

/** Code lengths (u8) of the block: literals and lengths, followed by distances. */
export const CODE_LENGTHS: usize = memory.data(LITLENS + DISTANCES, 16);
export const DISTANCE_LENGTHS: usize = CODE_LENGTHS + LITLENS;

/**
 * The lengths to send, without the gap, and the items they become (u16): repeat counts above the 5 bits of the symbol.
 */
const SENT_LENGTHS: usize = memory.data(LITLENS + DISTANCES, 16);
const ITEMS: usize = memory.data(2 * (LITLENS + DISTANCES), 16);
const PRECODE_FREQUENCIES: usize = memory.data(4 * PRECODES, 16);
const PRECODE_LENGTHS: usize = memory.data(32, 16);
const PRECODE_CODES: usize = memory.data(4 * PRECODES, 16);
/** The order in which the lengths of the precode are stored. */
const ORDER: usize = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);

let litlensSent: u32 = 0;
let distancesSent: u32 = 0;
let precodesSent: u32 = 0;
let itemsEnd: usize = ITEMS;

/** Plans the header for CODE_LENGTHS, and returns its size in bits without the 3 bits that begin every block. */
export function planHeader(): u32 {
  litlensSent = LITLENS - 2;
  while (litlensSent > END_OF_BLOCK + 1 && load<u8>(CODE_LENGTHS + litlensSent - 1) == 0) litlensSent -= 1;
  distancesSent = DISTANCES - 2;
  while (distancesSent > 1 && load<u8>(DISTANCE_LENGTHS + distancesSent - 1) == 0) distancesSent -= 1;
  memory.copy(SENT_LENGTHS, CODE_LENGTHS, litlensSent);
  memory.copy(SENT_LENGTHS + litlensSent, DISTANCE_LENGTHS, distancesSent);
  memory.fill(PRECODE_FREQUENCIES, 0, 4 * PRECODES);
  itemsEnd = ITEMS;
  listItems(litlensSent + distancesSent);
  makeLengths(PRECODE_FREQUENCIES, PRECODES, 7, PRECODE_LENGTHS);
  precodesSent = PRECODES;
  while (precodesSent > 4 && precodeLength(load<u8>(ORDER + precodesSent - 1)) == 0) precodesSent -= 1;
  let bits: u32 = 5 + 5 + 4 + 3 * precodesSent;
  for (let symbol: u32 = 0; symbol < PRECODES; symbol += 1) {
    bits += load<u32>(PRECODE_FREQUENCIES + (symbol << 2)) * (precodeLength(symbol) + repetitionBits(symbol));
  }
  return bits;
}

/** Writes the header that planHeader planned. */
export function putHeader(): void {
  putBits((litlensSent - 257) | ((distancesSent - 1) << 5) | ((precodesSent - 4) << 10), 14);
  for (let index: u32 = 0; index < precodesSent; index += 1) putBits(precodeLength(load<u8>(ORDER + index)), 3);
  makeCodes(PRECODE_LENGTHS, PRECODES, PRECODE_CODES);
  for (let item = ITEMS; item < itemsEnd; item += 2) {
    const symbol = <u32>load<u16>(item) & 31;
    const code = load<u32>(PRECODE_CODES + (symbol << 2));
    const length = code >> 24;
    putBits((code & 0xffff) | ((<u32>load<u16>(item) >> 5) << length), length + repetitionBits(symbol));
  }
}

/** Converts `count` lengths to items, preferring long repeats. */
function listItems(count: u32): void {
  for (let at: u32 = 0; at < count; ) {
    const length = <u32>load<u8>(SENT_LENGTHS + at);
    let end = at + 1;
    while (end < count && <u32>load<u8>(SENT_LENGTHS + end) == length) end += 1;
    if (length == 0) {
      for (; end - at >= 11; at += min(end - at, 138)) addItem(REPEAT_ZERO_LONG, min(end - at, 138) - 11);
      if (end - at >= 3) {
        addItem(REPEAT_ZERO, end - at - 3);
        at = end;
      }
    } else {
      addItem(length, 0);
      at += 1;
      for (; end - at >= 3; at += min(end - at, 6)) addItem(REPEAT_PREVIOUS, min(end - at, 6) - 3);
    }
    for (; at < end; at += 1) addItem(length, 0);
  }
}

function addItem(symbol: u32, repetitions: u32): void {
  store<u16>(itemsEnd, symbol | (repetitions << 5));
  itemsEnd += 2;
  const place = PRECODE_FREQUENCIES + (symbol << 2);
  store<u32>(place, load<u32>(place) + 1);
}

function precodeLength(symbol: u32): u32 {
  return load<u8>(PRECODE_LENGTHS + symbol);
}

/** Returns the number of extra bits of a precode symbol (RFC 1951 §3.2.7). */
function repetitionBits(symbol: u32): u32 {
  if (symbol == REPEAT_PREVIOUS) return 2;
  if (symbol == REPEAT_ZERO) return 3;
  return symbol == REPEAT_ZERO_LONG ? 7 : 0;
}
