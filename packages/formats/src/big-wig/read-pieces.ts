import type { ByteRange, ByteSource } from '@htskit/io';
import { invalidData } from '../format-error.js';

/** Bytes between two pieces that are read with them: fewer than a further read is worth. */
const MAX_GAP_BYTES = 2 ** 14;
/** Bytes that are read at once, unless one piece is longer. */
const MAX_READ_BYTES = 2 ** 20;
/** Reads in progress, which matter for files elsewhere. */
const CONCURRENT_READS = 16;

/** A piece of a file. */
interface Piece extends ByteRange {
  readonly bytes: Uint8Array;
}

/** Reads pieces of a file in their order, clipped at its end. Those that are close together are read at once. */
export async function* readPieces(
  source: ByteSource,
  pieces: readonly ByteRange[],
  version: string | undefined,
): AsyncGenerator<Piece, void> {
  const reads = joinPieces(pieces);
  for (let first = 0; first < reads.length; first += CONCURRENT_READS) {
    const batch = reads.slice(first, first + CONCURRENT_READS);
    const results = await Promise.all(
      batch.map(async (read) => ({ ...read, bytes: await source.read(read, { version }) })),
    );
    for (const { bytes, start: readStart, pieces: parts } of results) {
      for (const { start, end } of parts) {
        yield { bytes: bytes.subarray(start - readStart, end - readStart), start, end };
      }
    }
  }
}

interface JoinedRead extends ByteRange {
  readonly pieces: readonly ByteRange[];
}

function joinPieces(pieces: readonly ByteRange[]): JoinedRead[] {
  const reads: (ByteRange & { end: number; readonly pieces: ByteRange[] })[] = [];
  for (const piece of pieces) {
    const last = reads.at(-1);
    const isNear =
      last !== undefined &&
      piece.start >= last.start &&
      piece.start - last.end <= MAX_GAP_BYTES &&
      piece.end - last.start <= MAX_READ_BYTES;
    if (isNear) {
      last.end = Math.max(last.end, piece.end);
      last.pieces.push(piece);
    } else reads.push({ ...piece, pieces: [piece] });
  }
  return reads;
}

/** Returns a view of bytes. */
export function toView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Reads an unsigned integer of 64 bits. Throws `FormatError` INVALID_DATA for one that is not safe. */
export function readOffset(view: DataView, at: number): number {
  const value = view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
  if (!Number.isSafeInteger(value)) throw invalidData('an offset of a bigWig file is larger than any file', at);
  return value;
}
