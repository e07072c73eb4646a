// Decodes the symbols of a block (RFC 1951 §3.2.3): literals, and matches of earlier output.
import { OUTPUT } from './areas';
import {
  DISTANCE_TABLE,
  distanceEntry,
  distanceOf,
  EXCEPTIONAL,
  LITERAL,
  LITLEN_TABLE,
  LOW_BITS,
  lengthOf,
  litlenEntry,
  SUBTABLE,
  subtableEntry,
} from './huffman-entry';
import { bitsAt, CORRUPT, FULL, NEAR_END, OK, Stream } from './stream';

/** For each distance below 16: the indexes of the 16 bytes that repeat its bytes. */
const PATTERNS: usize = memory.data(16 * 16, 16);
/** For each distance below 16: its largest multiple up to 16. */
const STEPS: usize = memory.data(16, 16);

/** Writes the patterns. Runs once. */
export function prepareMatches(): void {
  for (let distance: usize = 1; distance < 16; distance += 1) {
    const pattern = PATTERNS + (distance << 4);
    for (let index: usize = 0; index < 16; index += 1) store<u8>(pattern + index, <u8>(index % distance));
    store<u8>(STEPS + distance, <u8>(16 - (16 % distance)));
  }
}

/**
 * Repeats `length` bytes (3 to 258) from `distance` (1 to 32768) bytes before `out`, and may write 31 more bytes. Most
 * matches are at most 32 bytes long, so 32 bytes are copied without a check.
 */
// @inline
export function copyMatch(out: usize, distance: i32, length: i32): void {
  const end = out + length;
  let to = out;
  let from = out - distance;
  if (distance >= 16) {
    v128.store(to, v128.load(from));
    v128.store(to, v128.load(from, 16), 16);
    if (length <= 32) return;
    to += 32;
    from += 32;
    do {
      v128.store(to, v128.load(from));
      from += 16;
      to += 16;
    } while (to < end);
    return;
  }
  const bytes = i8x16.swizzle(v128.load(from), v128.load(distance << 4, PATTERNS));
  const step = <usize>load<u8>(distance, STEPS);
  do {
    v128.store(to, bytes);
    to += step;
  } while (to < end);
}

/** Decodes symbols up to the end of the block. Returns OK, CORRUPT or FULL. */
export function inflateHuffmanBlock(): i32 {
  let status = inflateFast();
  while (status == NEAR_END && Stream.out < Stream.limit) status = inflateSymbol();
  // Checked before CORRUPT: data beyond the limit was not requested, or is already too much.
  return Stream.out >= Stream.limit ? FULL : status;
}

/**
 * Decodes symbols while all bits that it uses are bits of the data. Returns OK, CORRUPT or NEAR_END, which also means
 * that the limit was reached or exceeded.
 *
 * The function is long because it takes nearly all of the time and its state must stay in locals. The lowest `bitCount`
 * bits of `bits`, which include the LOW_BITS, are of bytes before `next`. Bits above them are of bytes from `next` on,
 * which are read again. Only the lowest six bits of `bitCount` count, so that whole entries can be subtracted from it.
 */
function inflateFast(): i32 {
  const fastEnd = <usize>(Stream.end >> 3) - 8;
  const limit = Stream.limit;
  const start = Stream.position - LOW_BITS;
  let bits = bitsAt(start);
  let bitCount: i64 = 56 - (start & 7);
  let next = <usize>(start >> 3) + 7;
  let out = Stream.out;
  let status = NEAR_END;
  if (next > fastEnd) return NEAR_END;
  // The next entry is looked up before the buffer is filled and before a match is copied, so that it never waits for
  // either.
  let entry = litlenEntry(bits);
  bits |= bytesFrom(next, bitCount);
  next += byteCount(bitCount);
  bitCount |= 56;
  while (next <= fastEnd) {
    if (out >= limit) break;
    // At least 54 bits of the input: three entries of literals take 30 bits, two and a length take 40.
    if (entry & LITERAL) {
      out = writeLiterals(out, entry);
      bits >>>= entry;
      bitCount -= entry;
      entry = litlenEntry(bits);
      if (entry & LITERAL) {
        out = writeLiterals(out, entry);
        bits >>>= entry;
        bitCount -= entry;
        entry = litlenEntry(bits);
        if (entry & LITERAL) {
          out = writeLiterals(out, entry);
          bits >>>= entry;
          bitCount -= entry;
          entry = litlenEntry(bits);
          bits |= bytesFrom(next, bitCount);
          next += byteCount(bitCount);
          bitCount |= 56;
          continue;
        }
      }
    }
    if (entry & EXCEPTIONAL) {
      if (entry & SUBTABLE) {
        bits >>>= entry;
        bitCount -= entry;
        entry = subtableEntry(LITLEN_TABLE, entry, bits);
        if (entry & LITERAL) {
          out = writeLiterals(out, entry);
          bits >>>= entry;
          bitCount -= entry;
          entry = litlenEntry(bits);
          bits |= bytesFrom(next, bitCount);
          next += byteCount(bitCount);
          bitCount |= 56;
          continue;
        }
      }
      if (entry & EXCEPTIONAL) {
        bitCount -= entry;
        status = entry >>> 16 ? CORRUPT : OK;
        break;
      }
    }
    const length = lengthOf(entry, bits);
    bits >>>= entry;
    bitCount -= entry;
    entry = distanceEntry(bits);
    // A distance takes at most 28 bits, and leaves enough for the next entry.
    bits |= bytesFrom(next, bitCount);
    next += byteCount(bitCount);
    bitCount |= 56;
    if (entry & EXCEPTIONAL) {
      if (entry & SUBTABLE) {
        bits >>>= entry;
        bitCount -= entry;
        entry = subtableEntry(DISTANCE_TABLE, entry, bits);
      }
      if (entry & EXCEPTIONAL) {
        status = CORRUPT;
        break;
      }
    }
    const distance = distanceOf(entry, bits);
    if (<usize>distance > out - OUTPUT) {
      status = CORRUPT;
      break;
    }
    bits >>>= entry;
    bitCount -= entry;
    entry = litlenEntry(bits);
    bits |= bytesFrom(next, bitCount);
    next += byteCount(bitCount);
    bitCount |= 56;
    copyMatch(out, distance, length);
    out += length;
  }
  Stream.position = ((<i32>next) << 3) - (<i32>bitCount & 63) + LOW_BITS;
  Stream.out = out;
  return status;
}

// @inline
function bytesFrom(next: usize, bitCount: i64): i64 {
  return load<i64>(next) << bitCount;
}

/** Returns how many bytes fill the buffer to at least 56 bits. */
// @inline
function byteCount(bitCount: i64): usize {
  return <usize>((63 - bitCount) >> 3) & 7;
}

/** Writes the one or two literals of an entry, and returns the address of the next byte. */
// @inline
function writeLiterals(out: usize, entry: i64): usize {
  store<u16>(out, <u16>(entry >> 16));
  return out + 1 + (<usize>(entry >> 14) & 1);
}

/**
 * Decodes one literal or match near the end of the data, after checking that its bits are part of the data. Returns
 * NEAR_END, OK at the end of the block, or CORRUPT.
 */
function inflateSymbol(): i32 {
  let bits = bitsAt(Stream.position - LOW_BITS);
  let entry = litlenEntry(bits);
  if (entry & SUBTABLE) {
    bits >>>= entry;
    use(entry);
    entry = subtableEntry(LITLEN_TABLE, entry, bits);
  }
  if (entry & LITERAL) {
    use(entry >>> 8); // of two literals, the first
    if (Stream.position > Stream.end) return CORRUPT;
    store<u8>(Stream.out, <u8>(entry >>> 16));
    Stream.out += 1;
    return NEAR_END;
  }
  use(entry);
  if (entry & EXCEPTIONAL) return entry >>> 16 || Stream.position > Stream.end ? CORRUPT : OK;
  return inflateMatch(lengthOf(entry, bits));
}

function inflateMatch(length: i32): i32 {
  let bits = bitsAt(Stream.position - LOW_BITS);
  let entry = distanceEntry(bits);
  if (entry & SUBTABLE) {
    bits >>>= entry;
    use(entry);
    entry = subtableEntry(DISTANCE_TABLE, entry, bits);
  }
  use(entry);
  const distance = distanceOf(entry, bits);
  if (entry & EXCEPTIONAL || Stream.position > Stream.end || <usize>distance > Stream.out - OUTPUT) return CORRUPT;
  copyMatch(Stream.out, distance, length);
  Stream.out += length;
  return NEAR_END;
}

// @inline
function use(count: i64): void {
  Stream.position += <i32>count & 63;
}
