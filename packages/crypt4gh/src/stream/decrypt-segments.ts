import { type ByteRange, concatBytes } from '@htskit/io';
import { SEGMENT_BYTES, type SegmentDecryptor, STORED_SEGMENT_BYTES } from '../segments/segment.js';
import { splitPieces } from './split-pieces.js';

/** A part of a file that begins with a segment. */
export interface SegmentsInput {
  /** The bytes of the segments, in any chunks. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** The index of the first segment. */
  readonly firstSegment: number;
  /** Bytes of the header, for the offsets of errors. */
  readonly headerBytes: number;
  /** Ranges of the decrypted data of all segments of the file, in order and not empty. The last end may be infinite. */
  readonly ranges: readonly ByteRange[];
  readonly decryptor: SegmentDecryptor;
}

/**
 * Yields the given ranges of the decrypted data, one piece for each segment that has bytes of them, and returns the offset at which
 * the decrypted data ends or the iteration has stopped. Other segments are not decrypted. It stops after the last range. Throws
 * `Crypt4ghError` TRUNCATED and AUTHENTICATION_FAILED.
 */
export async function* decryptSegments(input: SegmentsInput): AsyncGenerator<Uint8Array, number> {
  const { ranges, headerBytes, decryptor } = input;
  let segment = input.firstSegment;
  let at = segment * SEGMENT_BYTES;
  let next = 0;
  for await (const bytes of splitPieces(input.chunks, STORED_SEGMENT_BYTES)) {
    const offset = headerBytes + segment * STORED_SEGMENT_BYTES;
    const limit = at + SEGMENT_BYTES;
    const isWanted = (ranges[next]?.start ?? limit) < limit;
    // The size of a segment that is skipped follows from its length. Without decryption, it is not known to be authentic.
    const plaintext = isWanted || bytes.length < STORED_SEGMENT_BYTES ? decryptor.decrypt(bytes, offset) : undefined;
    const end = at + (plaintext?.length ?? SEGMENT_BYTES);
    const parts: Uint8Array[] = [];
    for (let range = ranges[next]; plaintext !== undefined && range !== undefined && range.start < end; ) {
      parts.push(plaintext.subarray(Math.max(0, range.start - at), range.end - at));
      if (range.end > end) break;
      next += 1;
      range = ranges[next];
    }
    if (parts.length > 0) yield concatBytes(parts);
    at = end;
    segment += 1;
    if (next === ranges.length) break;
  }
  return at;
}
