// The symbols of a block (RFC 1951 §3.2.3): literals, and matches of earlier output.
import { OUTPUT } from './areas';
import { DISTANCE_BITS, DISTANCE_TABLE, LITLEN_BITS, LITLEN_TABLE } from './codes';
import { EXCEPTIONAL, SUBTABLE } from './huffman-table';
import { copyMatch } from './match';
import { CORRUPT, FULL, OK } from './status';
import { Stream } from './stream';

const LITLEN_MASK: i32 = (1 << LITLEN_BITS) - 1;
const DISTANCE_MASK: i32 = (1 << DISTANCE_BITS) - 1;

/** The entry of the codeword that `bits` begin with. Sign-extended: negative if it is of a literal. */
@inline
function litlenEntry(bits: i64): i64 {
  return load<i32>((<usize>bits & LITLEN_MASK) << 2, LITLEN_TABLE);
}

@inline
function distanceEntry(bits: i64): i64 {
  return load<i32>((<usize>bits & DISTANCE_MASK) << 2, DISTANCE_TABLE);
}

/** The entry in a subtable, once the bits that led to it are used. */
@inline
function subtableEntry(table: usize, entry: i64, bits: i64): i64 {
  const index = <i32>(entry >>> 16) & 0x7fff;
  return load<i32>(table + ((index + (<i32>bits & ((1 << (<i32>(entry >>> 8) & 63)) - 1))) << 2));
}

/** The length or distance of an entry: its base, and the extra bits that follow the codeword in `bits`. */
@inline
function withExtraBits(entry: i64, bits: i64): i32 {
  return <i32>(entry >>> 16) + <i32>((bits & ~(-1 << entry)) >>> (entry >>> 8));
}

/**
 * Decodes symbols up to the end of the block: OK, CORRUPT, or FULL. One function, longer than others, since it is nearly
 * all of the time, and keeps its state in locals.
 */
export function inflateHuffmanBlock(): i32 {
  let bits = Stream.bits;
  let bitCount = Stream.bitCount;
  let next = Stream.next;
  let out = Stream.out;
  const limit = Stream.limit;
  const inputEnd = Stream.inputEnd;
  // While 8 bytes are left, all bits of a filled buffer are bits of the data.
  const fastEnd = inputEnd - 8;
  let status = OK;
  let isDone = false;
  let entry: i64 = 0;
  let saved: i64 = 0;

  if (next <= fastEnd && out < limit) {
    bits |= load<i64>(next) << bitCount;
    next += <usize>((63 - bitCount) >> 3) & 7;
    bitCount |= 56;
    entry = litlenEntry(bits);
    while (next <= fastEnd && out < limit) {
      // 56 bits or more are there: three literals of the main table take 33.
      saved = bits;
      bits >>>= entry;
      bitCount -= entry;
      if (entry < 0) {
        store<u8>(out, <u8>(entry >> 16));
        out += 1;
        entry = litlenEntry(bits);
        saved = bits;
        bits >>>= entry;
        bitCount -= entry;
        if (entry < 0) {
          store<u8>(out, <u8>(entry >> 16));
          out += 1;
          entry = litlenEntry(bits);
          saved = bits;
          bits >>>= entry;
          bitCount -= entry;
          if (entry < 0) {
            store<u8>(out, <u8>(entry >> 16));
            out += 1;
            entry = litlenEntry(bits);
            bits |= load<i64>(next) << bitCount;
            next += <usize>((63 - bitCount) >> 3) & 7;
            bitCount |= 56;
            continue;
          }
        }
      }
      if (entry & EXCEPTIONAL) {
        if (entry & SUBTABLE) {
          entry = subtableEntry(LITLEN_TABLE, entry, bits);
          saved = bits;
          bits >>>= entry;
          bitCount -= entry;
          if (entry < 0) {
            store<u8>(out, <u8>(entry >> 16));
            out += 1;
            entry = litlenEntry(bits);
            bits |= load<i64>(next) << bitCount;
            next += <usize>((63 - bitCount) >> 3) & 7;
            bitCount |= 56;
            continue;
          }
        }
        if (entry & EXCEPTIONAL) {
          status = entry >>> 16 ? CORRUPT : OK;
          isDone = true;
          break;
        }
      }
      const length = withExtraBits(entry, saved);
      // Two literals and a length take 42 bits at most, so that a distance of 28 may need more.
      entry = distanceEntry(bits);
      bits |= load<i64>(next) << bitCount;
      next += <usize>((63 - bitCount) >> 3) & 7;
      bitCount |= 56;
      if (entry & EXCEPTIONAL) {
        if (!(entry & SUBTABLE)) {
          status = CORRUPT;
          isDone = true;
          break;
        }
        bits >>>= entry;
        bitCount -= entry;
        entry = subtableEntry(DISTANCE_TABLE, entry, bits);
        if (entry & EXCEPTIONAL) {
          status = CORRUPT;
          isDone = true;
          break;
        }
      }
      saved = bits;
      bits >>>= entry;
      bitCount -= entry;
      const distance = withExtraBits(entry, saved);
      if (<usize>distance > out - OUTPUT) {
        status = CORRUPT;
        isDone = true;
        break;
      }
      // The next entry is loaded before the copy, whose stores it would wait for.
      entry = litlenEntry(bits);
      bits |= load<i64>(next) << bitCount;
      next += <usize>((63 - bitCount) >> 3) & 7;
      bitCount |= 56;
      copyMatch(out, distance, length);
      out += length;
    }
    bitCount &= 63;
  }
  // Near the end of the data: a symbol at a time, and none of it counts before its bits were found to be there.
  while (!isDone && out < limit) {
    bits |= load<i64>(next) << bitCount;
    next += <usize>((63 - bitCount) >> 3);
    bitCount |= 56;
    entry = litlenEntry(bits);
    if (entry & SUBTABLE) {
      bits >>>= entry;
      bitCount -= entry & 63;
      entry = subtableEntry(LITLEN_TABLE, entry, bits);
    }
    const length = withExtraBits(entry, bits);
    bits >>>= entry;
    bitCount -= entry & 63;
    isDone = true;
    if ((<i64>next - <i64>inputEnd) << 3 > bitCount) {
      status = CORRUPT;
    } else if (entry < 0) {
      store<u8>(out, <u8>(entry >> 16));
      out += 1;
      isDone = false;
    } else if (entry & EXCEPTIONAL) {
      status = entry >>> 16 ? CORRUPT : OK;
    } else {
      entry = distanceEntry(bits);
      if (entry & SUBTABLE) {
        bits >>>= entry;
        bitCount -= entry & 63;
        entry = subtableEntry(DISTANCE_TABLE, entry, bits);
      }
      const distance = withExtraBits(entry, bits);
      bits >>>= entry;
      bitCount -= entry & 63;
      if (
        (entry & EXCEPTIONAL) != 0 ||
        (<i64>next - <i64>inputEnd) << 3 > bitCount ||
        <usize>distance > out - OUTPUT
      ) {
        status = CORRUPT;
      } else {
        copyMatch(out, distance, length);
        out += length;
        isDone = false;
      }
    }
  }
  Stream.bits = bits;
  Stream.bitCount = bitCount;
  Stream.next = next;
  Stream.out = out;
  return out >= limit ? FULL : status;
}
