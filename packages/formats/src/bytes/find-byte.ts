/** Returns the offset of the next byte of this value, or -1. */
export function findByte(bytes: Uint8Array, value: number, from: number): number {
  return bytes.indexOf(value, from);
}
