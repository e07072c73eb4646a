// The names of the name tokeniser (CRAM codecs §5). JavaScript decompresses the streams of tokens. It also decodes damaged names, to
// report what is wrong with them.
import { allocate } from './memory';

/** The types of tokens. */
const TYPE: usize = 0;
const STRING: i32 = 1;
const CHAR: i32 = 2;
const DIGITS0: i32 = 3;
const DIGITS0_LENGTH: i32 = 4;
const DUPLICATE: i32 = 5;
const DIFFERENCE: i32 = 6;
const DIGITS: i32 = 7;
const DELTA: i32 = 8;
const DELTA0: i32 = 9;
const MATCH: i32 = 10;
const NOTHING: i32 = 11;
const END: i32 = 12;

/** A stream is the address of its next byte and that after its last one. A position has a stream for each of 16 types. */
const STREAM_BITS: usize = 3;
const POSITION_BYTES: usize = 16 << STREAM_BITS;

/** A token is its number, the address of its text, and the length of that above the four bits of its type. */
const TOKEN_BYTES: usize = 12;
const TYPE_BITS: u32 = 4;

/** A name is the address of its text and that after it, and those of its tokens. */
const NAME_BYTES: usize = 16;

/** The powers of 10: the numbers below the one at an index have at most as many digits. */
const MAX_DIGITS: u32 = 10;
const POWERS: usize = memory.data<u64>([
  1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000,
]);

/** Bytes after the output that are overwritten: texts are copied 16 bytes at a time. */
export const WRITE_AHEAD: i32 = 16;

let streams: usize = 0;
let streamsEnd: usize = 0;
let output: usize = 0;
let outputEnd: usize = 0;
/** The address of the next token. */
let tokens: usize = 0;

/** Decodes names to `size` bytes at `target`. Returns false if they are damaged. There are at most `tokenCount` tokens. */
export function decodeNames(
  table: usize,
  positionCount: usize,
  tokenCount: usize,
  nameCount: u32,
  target: usize,
  size: usize,
): bool {
  streams = table;
  streamsEnd = table + positionCount * POSITION_BYTES;
  output = target;
  outputEnd = target + size;
  const names = allocate(nameCount * NAME_BYTES);
  tokens = allocate(tokenCount * TOKEN_BYTES);
  for (let index: u32 = 0; index < nameCount; index++) if (!decodeName(names, index)) return false;
  return output == outputEnd;
}

function decodeName(names: usize, index: u32): bool {
  const type = readByte(TYPE);
  if (type != DUPLICATE && type != DIFFERENCE) return false;
  const distance = readUint32(streamOf(0, type));
  if (distance < 0 || distance > <i64>index || (type == DUPLICATE && distance == 0)) return false;
  const name = names + <usize>index * NAME_BYTES;
  const previous = name - <usize>distance * NAME_BYTES;
  store<u32>(name, output);
  if (type == DUPLICATE) {
    const start = load<u32>(previous);
    store<u64>(name, load<u64>(previous, 8), 8);
    if (!addCopy(start, load<u32>(previous, 4) - start)) return false;
  } else {
    store<u32>(name, tokens, 8);
    const first = load<u32>(previous, 8);
    if (!decodeTokens(first, previous == name ? first : load<u32>(previous, 12))) return false;
    store<u32>(name, tokens, 12);
  }
  store<u32>(name, output, 4);
  const end = extend(1);
  if (end == 0) return false;
  store<u8>(end, 0);
  return true;
}

/** Decodes the tokens of a name. Each may refer to the one at the same position of the previous name, [earlier, earlierEnd). */
function decodeTokens(earlier: usize, earlierEnd: usize): bool {
  for (let place = POSITION_BYTES; streams + place < streamsEnd; place += POSITION_BYTES) {
    const type = readByte(place);
    if (type == END) return true;
    if (!decodeToken(type, place, earlier < earlierEnd ? earlier : 0)) return false;
    earlier += TOKEN_BYTES;
  }
  return false;
}

/** Decodes a token of the position whose streams are at `place`. `earlier` is a token that it may refer to, or 0. */
// @inline
function decodeToken(type: i32, place: usize, earlier: usize): bool {
  switch (type) {
    case MATCH:
      return earlier != 0 && addMatch(earlier);
    case CHAR: {
      const char = readByte(streamOf(place, CHAR));
      const at = char < 0 ? 0 : addToken(CHAR, 0, 1);
      if (at == 0) return false;
      store<u8>(at, <u8>char);
      return true;
    }
    case STRING:
      return addString(streamOf(place, STRING));
    case DIGITS: {
      const value = readUint32(streamOf(place, DIGITS));
      return value >= 0 && addNumber(DIGITS, value, digitCount(value));
    }
    case DIGITS0: {
      const length = readByte(streamOf(place, DIGITS0_LENGTH));
      const value = readUint32(streamOf(place, DIGITS0));
      return length >= 0 && value >= 0 && addNumber(DIGITS0, value, length);
    }
    case DELTA: {
      const value = readSum(earlier, DIGITS, streamOf(place, DELTA));
      return value >= 0 && addNumber(DIGITS, value, digitCount(value));
    }
    case DELTA0: {
      const value = readSum(earlier, DIGITS0, streamOf(place, DELTA0));
      return value >= 0 && addNumber(DIGITS0, value, load<u32>(earlier, 8) >>> TYPE_BITS);
    }
    case NOTHING:
      return addToken(NOTHING, 0, 0) != 0;
    default:
      return false;
  }
}

// @inline
function streamOf(place: usize, type: i32): usize {
  return place + ((<usize>type) << STREAM_BITS);
}

/** Adds a token that is equal to an earlier one, with the same text. */
// @inline
function addMatch(earlier: usize): bool {
  const lengthAndType = load<u32>(earlier, 8);
  const type = lengthAndType & ((1 << TYPE_BITS) - 1);
  if (type == NOTHING) return false;
  const from: usize = load<u32>(earlier, 4);
  const length = lengthAndType >>> TYPE_BITS;
  const to = addToken(type, load<u32>(earlier), length);
  if (to == 0) return false;
  copyText(to, from, length);
  return true;
}

/** Adds the text of the stream at `place` up to its NUL. */
function addString(place: usize): bool {
  const stream = streams + place;
  const start: usize = load<u32>(stream);
  const end: usize = load<u32>(stream, 4);
  let at = start;
  while (at < end && load<u8>(at) != 0) at++;
  if (at == end) return false;
  const length = at - start;
  const to = addToken(STRING, 0, length);
  if (to == 0) return false;
  memory.copy(to, start, length);
  store<u32>(stream, at + 1);
  return true;
}

/** Adds a number with exactly `length` digits. */
function addNumber(type: u32, value: u64, length: u32): bool {
  if (value >= 1 << 32 || length > MAX_DIGITS || value >= load<u64>(POWERS + ((<usize>length) << 3))) return false;
  const start = addToken(type, <u32>value, length);
  if (start == 0) return false;
  let rest = <u32>value;
  for (let at = start + length; at > start; ) {
    // rest / 10, as compilers divide by a constant.
    const tens = <u32>((<u64>rest * 0xcccccccd) >> 35);
    at -= 1;
    store<u8>(at, <u8>(48 + rest - 10 * tens));
    rest = tens;
  }
  return true;
}

function digitCount(value: u64): u32 {
  let count: u32 = 1;
  while (count < MAX_DIGITS && value >= load<u64>(POWERS + ((<usize>count) << 3))) count += 1;
  return count;
}

/** Adds a token with a text of `length` bytes. Returns where the caller writes it, or 0 if the output is full. */
// @inline
function addToken(type: u32, value: u32, length: u32): usize {
  const at = extend(length);
  if (at == 0) return 0;
  store<u32>(tokens, value);
  store<u32>(tokens, at, 4);
  store<u32>(tokens, (length << TYPE_BITS) | type, 8);
  tokens += TOKEN_BYTES;
  return at;
}

/** Appends a text that is in the output. */
function addCopy(from: usize, length: u32): bool {
  const to = extend(length);
  if (to == 0) return false;
  copyText(to, from, length);
  return true;
}

/** Copies a text that ends before `to`. */
// @inline
function copyText(to: usize, from: usize, length: u32): void {
  for (let at: usize = 0; at < length; at += 16) v128.store(to + at, v128.load(from + at));
}

/** Makes room for bytes of the output. Returns where they are, or 0 if it is full. */
// @inline
function extend(length: u32): usize {
  const at = output;
  if (length > <u32>(outputEnd - at)) return 0;
  output = at + length;
  return at;
}

/** Returns the next byte of the stream at `place`, or −1 at its end. */
// @inline
function readByte(place: usize): i32 {
  const stream = streams + place;
  const at: usize = load<u32>(stream);
  if (at >= <usize>load<u32>(stream, 4)) return -1;
  store<u32>(stream, at + 1);
  return load<u8>(at);
}

/** Returns the next number of 32 bits of the stream at `place`, or −1 at its end. */
// @inline
function readUint32(place: usize): i64 {
  const stream = streams + place;
  const at: usize = load<u32>(stream);
  if (at + 4 > <usize>load<u32>(stream, 4)) return -1;
  store<u32>(stream, at + 4);
  return <i64>load<u32>(at);
}

/** Returns the number of an earlier token, which must be of a type, plus the next byte of a stream; −1 if either is missing. */
// @inline
function readSum(earlier: usize, type: u32, place: usize): i64 {
  if (earlier == 0 || (load<u32>(earlier, 8) & ((1 << TYPE_BITS) - 1)) != type) return -1;
  const byte = readByte(place);
  return byte < 0 ? -1 : <i64>load<u32>(earlier) + byte;
}
