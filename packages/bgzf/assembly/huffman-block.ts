// The symbols of a block (RFC 1951 §3.2.3): literals, and matches of earlier output.
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
import { copyMatch } from './match';
import { CORRUPT, FULL, NEAR_END, OK } from './status';
import { bitsAt, Stream } from './stream';

/** Decodes symbols up to the end of the block: OK, CORRUPT, or FULL. */
export function inflateHuffmanBlock(): i32 {
  let status = inflateFast();
  while (status == NEAR_END && Stream.out < Stream.limit) status = inflateSymbol();
  // Before what came after: it was not asked for, or it is too much already.
  return Stream.out >= Stream.limit ? FULL : status;
}

/**
 * Decodes symbols as long as all bits that it uses are bits of the data: OK, CORRUPT, or NEAR_END; that also where the
 * limit is reached or passed.
 *
 * Long, since this is nearly all of the time, and its state has to stay in locals. `bitCount` bits of `bits`, with the
 * LOW_BITS, are of bytes before `next`; above them there are bits from `next` on, which are read again. Only the lowest
 * six bits of `bitCount` count, so that whole entries are subtracted from it.
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
  // The next entry is looked up before the buffer is filled, and before a match is copied: neither keeps it waiting.
  let entry = litlenEntry(bits);
  bits |= bytesFrom(next, bitCount);
  next += byteCount(bitCount);
  bitCount |= 56;
  while (next <= fastEnd) {
    if (out >= limit) break;
    // 54 bits of the input or more: three entries of literals take 30, two and a length 40.
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
    // A distance takes 28 bits at most, and leaves those of the next entry.
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

/** How many bytes fill the buffer to 56 bits or more. */
// @inline
function byteCount(bitCount: i64): usize {
  return <usize>((63 - bitCount) >> 3) & 7;
}

/** Writes the one or two literals of an entry; where the next byte goes. */
// @inline
function writeLiterals(out: usize, entry: i64): usize {
  store<u16>(out, <u16>(entry >> 16));
  return out + 1 + (<usize>(entry >> 14) & 1);
}

/**
 * Decodes one literal or match near the end of the data, of which nothing counts before its bits are found to be there:
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
