// One DEFLATE block (RFC 1951 §3.2.3): stored, with the fixed codes or with its own, whichever is smallest.
import { alignOutput, outputLength, putBits, putInput, setOutput, waitingBits, waitingCount } from './deflate-bits';
import { CODE_LENGTHS, DISTANCE_LENGTHS, planHeader, putHeader } from './deflate-header';
import { makeCodes, makeLengths } from './deflate-huffman';
import {
  DISTANCE_FREQUENCIES,
  DISTANCES,
  distanceExtraBits,
  END_OF_BLOCK,
  FIRST_LENGTH,
  INPUT,
  LENGTH_SYMBOLS,
  LITLENS,
  lengthExtraBits,
  MAX_MATCH,
  MIN_MATCH,
  OUTPUT,
} from './deflate-layout';
import { matchDistance } from './deflate-matches';
import { DISTANCE_SYMBOL_SHIFT } from './deflate-sequences';

const STORED: u32 = 0;
const FIXED: u32 = 1;
const DYNAMIC: u32 = 2;
const MAX_STORED: u32 = 65535;
/** Less than the 15 bits that DEFLATE allows, so that four literals and 7 pending bits fit 64 bits. */
const MAX_LITLEN_BITS: u32 = 14;
const MAX_DISTANCE_BITS: u32 = 15;

/** The codes in the format of makeCodes. */
const LITLEN_CODES: usize = memory.data(4 * LITLENS, 16);
const DISTANCE_CODES: usize = memory.data(4 * DISTANCES, 16);
/** For each match length: its code with its extra bits in place (u32), and the number of all bits in the highest 8. */
const LENGTH_CODES: usize = memory.data(4 * (MAX_MATCH + 1), 16);

/**
 * Writes the sequences from `first` to `end`, which represent the input from `start` to `inputEnd`, as a block.
 * `frequencies` are those of their symbols. Returns false without writing anything if the output would exceed `limit`
 * bytes.
 */
export function putBlock(
  frequencies: usize,
  first: usize,
  end: usize,
  start: u32,
  inputEnd: u32,
  isFinal: bool,
  limit: u32,
): bool {
  store<u32>(frequencies + 4 * END_OF_BLOCK, 1);
  const extraBits = countExtraBits(frequencies);
  const fixedBits = setFixedLengths(frequencies) + extraBits;
  makeLengths(frequencies, LITLENS, MAX_LITLEN_BITS, CODE_LENGTHS);
  makeLengths(frequencies + DISTANCE_FREQUENCIES, DISTANCES, MAX_DISTANCE_BITS, DISTANCE_LENGTHS);
  const dynamicBits = planHeader() + countCodeBits(frequencies) + extraBits;
  const inputLength = inputEnd - start;
  const storedBits: u32 = inputLength > MAX_STORED ? u32.MAX_VALUE : 32 + 8 * inputLength + ((5 - waitingCount) & 7);
  const bits = min(min(fixedBits, dynamicBits), storedBits);
  if (outputLength + ((waitingCount + 3 + bits + 7) >> 3) > limit) return false;
  const type = bits == storedBits ? STORED : bits == fixedBits ? FIXED : DYNAMIC;
  putBits((isFinal ? 1 : 0) | (type << 1), 3);
  if (type == STORED) {
    alignOutput();
    putBits(inputLength | ((inputLength ^ 0xffff) << 16), 32);
    putInput(start, inputEnd);
    return true;
  }
  if (type == FIXED) setFixedLengths(frequencies);
  else putHeader();
  makeCodes(CODE_LENGTHS, LITLENS, LITLEN_CODES);
  makeCodes(DISTANCE_LENGTHS, DISTANCES, DISTANCE_CODES);
  makeLengthCodes();
  putSequences(first, end, start);
  return true;
}

/** Sets the code lengths of RFC 1951 §3.2.6, and returns the number of bits of all symbols with them. */
function setFixedLengths(frequencies: usize): u32 {
  memory.fill(CODE_LENGTHS, 8, LITLENS);
  memory.fill(CODE_LENGTHS + 144, 9, 112);
  memory.fill(CODE_LENGTHS + 256, 7, 24);
  memory.fill(DISTANCE_LENGTHS, 5, DISTANCES);
  return countCodeBits(frequencies);
}

function countCodeBits(frequencies: usize): u32 {
  let bits: u32 = 0;
  for (let symbol: u32 = 0; symbol < LITLENS + DISTANCES; symbol += 1) {
    bits += load<u32>(frequencies + (symbol << 2)) * <u32>load<u8>(CODE_LENGTHS + symbol);
  }
  return bits;
}

function countExtraBits(frequencies: usize): u32 {
  let bits: u32 = 0;
  for (let symbol: u32 = 0; symbol < LITLENS - FIRST_LENGTH; symbol += 1) {
    bits += load<u32>(frequencies + ((FIRST_LENGTH + symbol) << 2)) * lengthExtraBits(symbol);
  }
  for (let symbol: u32 = 0; symbol < DISTANCES; symbol += 1) {
    bits += load<u32>(frequencies + DISTANCE_FREQUENCIES + (symbol << 2)) * distanceExtraBits(symbol);
  }
  return bits;
}

/** Appends its extra bits to the code of each length: the distance from the first length of its symbol. */
function makeLengthCodes(): void {
  for (let length = MIN_MATCH; length <= MAX_MATCH; length += 1) {
    const symbol = <u32>load<u8>(LENGTH_SYMBOLS + length);
    const code = load<u32>(LITLEN_CODES + ((FIRST_LENGTH + symbol) << 2));
    const extraBits = lengthExtraBits(symbol);
    const extra = (length - MIN_MATCH) & ((1 << extraBits) - 1);
    const bits = code >> 24;
    const codeAndExtra = (code & 0xffff) | (extra << bits);
    store<u32>(LENGTH_CODES + (length << 2), codeAndExtra | ((bits + extraBits) << 24));
  }
}

/**
 * Writes sequences whose literals begin at `at` of the input, and the end of the block. A measured hot loop: the state
 * is in locals, and bits are stored once for four literals and once for a match (at most 14 + 5 + 15 + 13 bits).
 */
function putSequences(first: usize, end: usize, at: u32): void {
  let bits = waitingBits;
  let count = <u64>waitingCount;
  let out = outputLength;
  for (let sequence = first; sequence < end; sequence += 8) {
    let left = load<u32>(sequence);
    for (; left >= 4; left -= 4) {
      let code = literalCode(at);
      bits |= (<u64>(code & 0xffff)) << count;
      count += code >> 24;
      code = literalCode(at + 1);
      bits |= (<u64>(code & 0xffff)) << count;
      count += code >> 24;
      code = literalCode(at + 2);
      bits |= (<u64>(code & 0xffff)) << count;
      count += code >> 24;
      code = literalCode(at + 3);
      bits |= (<u64>(code & 0xffff)) << count;
      count += code >> 24;
      at += 4;
      store<u64>(out, bits, OUTPUT);
      out += <u32>count >> 3;
      bits >>= count & 56;
      count &= 7;
    }
    for (; left > 0; left -= 1) {
      const code = literalCode(at);
      bits |= (<u64>(code & 0xffff)) << count;
      count += code >> 24;
      at += 1;
    }
    store<u64>(out, bits, OUTPUT);
    out += <u32>count >> 3;
    bits >>= count & 56;
    count &= 7;
    const match = load<u32>(sequence, 4);
    if (match == 0) continue;
    const length = (match >> 16) & 0x1ff;
    const lengthCode = load<u32>(length << 2, LENGTH_CODES);
    bits |= (<u64>(lengthCode & 0xffffff)) << count;
    count += lengthCode >> 24;
    const symbol = match >> DISTANCE_SYMBOL_SHIFT;
    const distanceCode = load<u32>(symbol << 2, DISTANCE_CODES);
    bits |= (<u64>(distanceCode & 0xffff)) << count;
    count += distanceCode >> 24;
    const extraBits = distanceExtraBits(symbol);
    bits |= (<u64>((matchDistance(match) - 1) & ((1 << extraBits) - 1))) << count;
    count += extraBits;
    at += length;
    store<u64>(out, bits, OUTPUT);
    out += <u32>count >> 3;
    bits >>= count & 56;
    count &= 7;
  }
  setOutput(bits, <u32>count, out);
  const code = load<u32>(LITLEN_CODES + 4 * END_OF_BLOCK);
  putBits(code & 0xffff, code >> 24);
}

// @inline
function literalCode(at: u32): u64 {
  return load<u32>((<u32>load<u8>(at, INPUT)) << 2, LITLEN_CODES);
}
