// The qualities of a record that fqzcomp compressed (CRAM codecs §6).
import { decodeSymbol } from './range-coder';

/** The places of the tables of a parameter set: parts of 256, 1,024 and 256 values of 32 bits, and 256 qualities. */
const POSITION_PARTS: usize = 256 * 4;
const DELTA_PARTS: usize = POSITION_PARTS + 1024 * 4;
const QUALITIES: usize = DELTA_PARTS + 256 * 4;

/** Decodes the qualities of a record. Returns 0, or an error of the range decoder. */
export function decodeQualities(
  models: usize,
  tables: usize,
  output: usize,
  length: i32,
  context: u32,
  selectorPart: u32,
  mask: u32,
  shift: i32,
  place: i32,
): i32 {
  let history: u32 = 0;
  let changes = 0;
  let previous = 0;
  for (let left = length; left > 0; left -= 1) {
    const symbol = decodeSymbol(models, context);
    if (symbol < 0) return symbol;
    store<u8>(output, load<u8>(tables + QUALITIES + symbol));
    output += 1;
    history = ((history << shift) + load<u32>(tables + (symbol << 2))) & mask;
    const positionPart = load<u32>(tables + POSITION_PARTS + (min(left, 1023) << 2));
    const deltaPart = load<u32>(tables + DELTA_PARTS + (min(changes, 255) << 2));
    context = ((history << place) + positionPart + deltaPart + selectorPart) & 0xffff;
    if (symbol != previous) changes += 1;
    previous = symbol;
  }
  return 0;
}
