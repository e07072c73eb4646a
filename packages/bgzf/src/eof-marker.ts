import type { BgzfSource, SourceOptions } from './bgzf-source.js';

/** The empty block that ends a BGZF file (SAMv1 §4.1.2), 28 bytes. Not to be written to. */
export const EOF_MARKER: Uint8Array<ArrayBuffer> = Uint8Array.of(
  ...[0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 6, 0, 0x42, 0x43, 2, 0, 0x1b, 0],
  ...[3, 0, 0, 0, 0, 0, 0, 0, 0, 0],
);

/** Whether `bytes`, the end of a file, end with the EOF marker. A file may lack it and still be whole. */
export function endsWithEofMarker(bytes: Uint8Array): boolean {
  const start = bytes.length - EOF_MARKER.length;
  return start >= 0 && EOF_MARKER.every((byte, index) => bytes[start + index] === byte);
}

/** Whether `block` is the EOF marker, byte by byte. */
export function isEofMarker(block: Uint8Array): boolean {
  return block.length === EOF_MARKER.length && endsWithEofMarker(block);
}

/** Whether a file of `size` bytes ends with the EOF marker, with one read of 28 bytes. */
export async function readEofMarker(source: BgzfSource, size: number, options?: SourceOptions): Promise<boolean> {
  const range = { start: Math.max(0, size - EOF_MARKER.length), end: size };
  return isEofMarker(await source.read(range, options));
}
