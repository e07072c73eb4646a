// CRC32 (RFC 1952 §8), 16 bytes a step: slicing-by-16.
const TABLES: usize = memory.data(16 * 1024, 16);

/** Writes the tables: the k-th advances a byte over k further zero bytes; done once. */
export function prepareCrc32(): void {
  for (let byte: u32 = 0; byte < 256; byte += 1) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    store<u32>(TABLES + (byte << 2), crc);
  }
  for (let at: usize = TABLES + 1024; at < TABLES + 16 * 1024; at += 4) {
    const previous = load<u32>(at - 1024);
    store<u32>(at, entry(0, previous) ^ (previous >> 8));
  }
}

/** Continues the CRC32 `crc`, 0 at the start, over `length` bytes from `start`. */
export function crc32(start: usize, length: i32, crc: u32): u32 {
  let state = ~crc;
  let at = start;
  const end = start + length;
  for (; at + 16 <= end; at += 16) {
    const low = load<u64>(at) ^ <u64>state;
    const high = load<u64>(at, 8);
    state = 0;
    for (let k = 0; k < 8; k += 1) {
      state ^= entry(15 - k, <u32>(low >> (k << 3))) ^ entry(7 - k, <u32>(high >> (k << 3)));
    }
  }
  for (; at < end; at += 1) state = entry(0, state ^ load<u8>(at)) ^ (state >> 8);
  return ~state;
}

@inline
function entry(table: i32, byte: u32): u32 {
  return load<u32>(((byte & 0xff) << 2) + (table << 10), TABLES);
}
