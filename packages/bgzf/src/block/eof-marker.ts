import type { ByteSource, ReadOptions } from '@htskit/io';
import { BgzfError } from '../bgzf-error.js';

/** The empty block that ends a BGZF file (SAMv1 §4.1.2), 28 bytes. It must not be modified. */
export const EOF_MARKER: Uint8Array<ArrayBuffer> = Uint8Array.of(
  ...[0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 6, 0, 0x42, 0x43, 2, 0, 0x1b, 0],
  ...[3, 0, 0, 0, 0, 0, 0, 0, 0, 0],
);

/** Returns whether `bytes`, the end of a file, end with the EOF marker. A complete file may lack it. */
export function endsWithEofMarker(bytes: Uint8Array): boolean {
  const start = bytes.length - EOF_MARKER.length;
  return start >= 0 && EOF_MARKER.every((byte, index) => bytes[start + index] === byte);
}

/** Returns whether `block` equals the EOF marker. */
export function isEofMarker(block: Uint8Array): boolean {
  return block.length === EOF_MARKER.length && endsWithEofMarker(block);
}

/**
 * Returns whether a file of `size` bytes ends with the EOF marker. Reads its last 28 bytes.
 *
 * @example
 * const { size } = await source.stat();
 * if (!(await readEofMarker(source, size))) console.warn('the file may be truncated');
 */
export async function readEofMarker(
  source: Pick<ByteSource, 'read'>,
  size: number,
  options?: ReadOptions,
): Promise<boolean> {
  const range = { start: Math.max(0, size - EOF_MARKER.length), end: size };
  return isEofMarker(await source.read(range, options));
}

/** Returns the error for blocks that end at `offset` without the EOF marker. */
export function missingEofMarker(offset: number): BgzfError {
  const message =
    'the EOF marker is missing, so the file may be truncated; copy it again, or compress it again with bgzip';
  return new BgzfError('TRUNCATED', message, { offset });
}
