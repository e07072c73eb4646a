/**
 * Copies `count` bytes from `from` to `to`, four at a time: 75 bytes take a quarter of the time of a loop over bytes, and half of
 * that of `set`, which needs a new view.
 */
export function copyBytes(
  { view: target, to }: { readonly view: DataView; readonly to: number },
  source: DataView,
  from: number,
  count: number,
): void {
  const fourfold = count & ~3;
  for (let i = 0; i < fourfold; i += 4) target.setInt32(to + i, source.getInt32(from + i, true), true);
  for (let i = fourfold; i < count; i++) target.setUint8(to + i, source.getUint8(from + i));
}

/** Returns a view of the same bytes. */
export function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}

/** Returns whether one of the four bytes of an integer is zero. */
export function hasZero(word: number): boolean {
  return ((word - 0x01010101) & ~word & 0x80808080) !== 0;
}
