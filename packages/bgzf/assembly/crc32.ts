// CRC32 (RFC 1952 §8) without carry-less multiplication, which WebAssembly lacks: long data is folded to its last bytes (as in
// Chorba, Russell 2024), whose CRC32 is looked up in tables, eight bytes a step (slicing). 11 GB/s; the tables alone reach
// 1.1 GB/s, and node:zlib 4 GB/s.
//
// The polynomial of CRC32 divides x^300 + x^155 + x^117 + x^89 + 1, and so, since squaring is linear over GF(2), the same
// polynomial in x^16. Adding a multiple of it does not change the remainder: each 16 bits are added to those that follow 145,
// 183, 211 and 300 units of 16 bits later, and removed. Units of 8 bits wait for stores, larger ones leave more to the tables.
import { FOLDED_BYTES, INPUT } from './areas';

/** The state after each value of a byte, followed by as many zeros as the number of the table. */
const TABLES: usize = memory.data(8 * 1024, 16);
/** What is left after the fold: its window and up to 63 further bytes. */
const REST: usize = memory.data(FOLDED_BYTES + 64, 16);

/** Writes the tables. Runs once. */
export function prepareCrc32(): void {
  for (let byte: u32 = 0; byte < 256; byte += 1) {
    let state = byte;
    for (let bit = 0; bit < 8; bit += 1) state = (state >> 1) ^ (state & 1 ? 0xedb88320 : 0);
    store<u32>(TABLES + (byte << 2), state);
  }
  for (let entry: usize = 1024; entry < 8 * 1024; entry += 4) {
    store<u32>(TABLES + entry, overByte(load<u32>(TABLES + entry - 1024)));
  }
}

/** Continues the CRC32 `crc`, which is 0 initially, over `length` bytes from `start`. Overwrites the input area. */
export function crc32(start: usize, length: i32, crc: u32): u32 {
  if (length < 2 * FOLDED_BYTES) return ~overBytes(start, start + length, ~crc);
  const first = load<u32>(start);
  store<u32>(start, first ^ ~crc);
  const end = fold(start, length);
  // For data that is not in the input area.
  store<u32>(start, first);
  return ~overBytes(REST, end, 0);
}

/** Writes the bytes at REST that have the same remainder, and returns their end. */
function fold(start: usize, length: i32): usize {
  const removed = <usize>(length - FOLDED_BYTES) & ~63;
  let from = start;
  let window = INPUT - FOLDED_BYTES;
  for (const end = window + removed; window < end; window += 64) {
    v128.store(window, v128.xor(v128.load(from), added(window)), FOLDED_BYTES);
    v128.store(window, v128.xor(v128.load(from, 16), added(window + 16)), FOLDED_BYTES + 16);
    v128.store(window, v128.xor(v128.load(from, 32), added(window + 32)), FOLDED_BYTES + 32);
    v128.store(window, v128.xor(v128.load(from, 48), added(window + 48)), FOLDED_BYTES + 48);
    from += 64;
  }
  const left = <usize>length - removed;
  memory.copy(REST, from, left);
  // Nothing is removed from here on.
  memory.fill(window + FOLDED_BYTES, 0, FOLDED_BYTES);
  for (let to = REST; to < REST + FOLDED_BYTES; to += 8) {
    store<u64>(to, load<u64>(to) ^ v128.extract_lane<u64>(added(window), 0));
    window += 8;
  }
  return REST + left;
}

/** Returns what the removed bytes of a window add to the 16 bytes after it. */
// @inline
function added(window: usize): v128 {
  return v128.xor(
    v128.xor(v128.load(window), v128.load(window, 89 * 2)),
    v128.xor(v128.load(window, 117 * 2), v128.load(window, 155 * 2)),
  );
}

function overBytes(start: usize, end: usize, state: u32): u32 {
  let at = start;
  let next = state;
  for (; at + 8 <= end; at += 8) next = overWord(load<u64>(at) ^ next);
  for (; at < end; at += 1) next = overByte(next ^ load<u8>(at));
  return next;
}

// @inline
function overByte(state: u32): u32 {
  return load<u32>((state & 0xff) << 2, TABLES) ^ (state >> 8);
}

/** Shifts each byte to the offset of a table entry of 4 bytes. */
// @inline
function overWord(word: u64): u32 {
  return (
    load<u32>(((<u32>word) << 2) & 0x3fc, TABLES + 7168) ^
    load<u32>((<u32>word >> 6) & 0x3fc, TABLES + 6144) ^
    load<u32>((<u32>word >> 14) & 0x3fc, TABLES + 5120) ^
    load<u32>((<u32>word >> 22) & 0x3fc, TABLES + 4096) ^
    load<u32>(<u32>(word >> 30) & 0x3fc, TABLES + 3072) ^
    load<u32>(<u32>(word >> 38) & 0x3fc, TABLES + 2048) ^
    load<u32>(<u32>(word >> 46) & 0x3fc, TABLES + 1024) ^
    load<u32>(<u32>(word >> 54) & 0x3fc, TABLES)
  );
}
