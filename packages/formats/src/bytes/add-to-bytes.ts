const FOURFOLD = 0x01010101;
const LOW_BITS = 0x7f7f7f7f;

/** Writes `count` bytes that start at `at`, each plus `addend`, which is below 128, four at a time. A sum wraps at 256. */
export function addToBytes(
  view: DataView,
  { at, count, addend }: { readonly at: number; readonly count: number; readonly addend: number },
  target: DataView,
  to: number,
): void {
  const addends = FOURFOLD * addend;
  const fourfold = count - (count % 4);
  for (let i = 0; i < fourfold; i += 4) {
    const bytes = view.getInt32(at + i, true);
    // No sum of the low seven bits carries into the next byte. The highest bit is added without its carry.
    target.setInt32(to + i, (((bytes & LOW_BITS) + addends) | 0) ^ (bytes & ~LOW_BITS), true);
  }
  for (let i = fourfold; i < count; i++) target.setUint8(to + i, view.getUint8(at + i) + addend);
}
