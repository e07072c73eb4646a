import type { NormalizeOptions } from './normalize-into.js';
import { normalizePiece, PIECE_LENGTH } from './normalize-piece.js';

/** Copies `bytes` without every byte that is not an ASCII letter, in upper case (refget 2.0.0, "Checksum algorithm" 1). */
export function normalizeSequence(bytes: Uint8Array, options: NormalizeOptions = {}): Uint8Array {
  const keepAsterisk = options.keepAsterisk ?? false;
  const target = new Uint8Array(bytes.length);
  let written = 0;
  for (let at = 0; at < bytes.length; at += PIECE_LENGTH) {
    const bases = normalizePiece(bytes.subarray(at, at + PIECE_LENGTH), keepAsterisk);
    target.set(bases, written);
    written += bases.length;
  }
  return target.subarray(0, written);
}
