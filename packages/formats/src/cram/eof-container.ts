import type { CramVersion } from './file-definition.js';

/** Container header, then a block with a compression header of three empty maps (CRAM 2.1 §9). */
const EOF_CONTAINER_2_1 = Uint8Array.of(
  ...[0x0b, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f, 0xe0, 0x45, 0x4f, 0x46, 0, 0, 0, 0, 1, 0],
  ...[0, 1, 0, 6, 6, 1, 0, 1, 0, 1, 0],
);

/** The same with a CRC32 behind the header and behind the block (CRAM 3.1 §9). */
const EOF_CONTAINER_3 = Uint8Array.of(
  ...[0x0f, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f, 0xe0, 0x45, 0x4f, 0x46, 0, 0, 0, 0, 1, 0, 0x05, 0xbd, 0xd9, 0x4f],
  ...[0, 1, 0, 6, 6, 1, 0, 1, 0, 1, 0, 0xee, 0x63, 0x01, 0x4b],
);

/** A copy of the container that marks the end of a file of this version; CRAM 2.0 has none, which gives no bytes. */
export function cramEofContainer({ major, minor }: CramVersion): Uint8Array<ArrayBuffer> {
  if (major >= 3) return EOF_CONTAINER_3.slice();
  return minor >= 1 ? EOF_CONTAINER_2_1.slice() : new Uint8Array(0);
}
