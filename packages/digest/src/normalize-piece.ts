import { normalizeInto } from './normalize-into.js';
import { type DigestInstance, digestInstance } from './wasm/digest-instance.js';

/** The most bytes that are normalised at once. */
export const PIECE_LENGTH = 65536;

/** Normalises at most PIECE_LENGTH bytes. Gives a view that is overwritten by the next call. */
export type NormalizePiece = (bytes: Uint8Array, keepAsterisk: boolean) => Uint8Array;

/** In WebAssembly where that works, in JavaScript elsewhere. */
export const normalizePiece: NormalizePiece =
  digestInstance === undefined ? createPieceNormalizer() : createWasmPieceNormalizer(digestInstance);

/** In JavaScript. */
export function createPieceNormalizer(): NormalizePiece {
  const target = new Uint8Array(PIECE_LENGTH);
  return (bytes, keepAsterisk) => target.subarray(0, normalizeInto(bytes, target, { keepAsterisk }));
}

/** In WebAssembly with SIMD, four times as fast: 4400 MB/s. The views are of the memory of `instance`. */
export function createWasmPieceNormalizer({ raw, bases, normalize }: DigestInstance): NormalizePiece {
  return (bytes, keepAsterisk) => {
    raw.set(bytes);
    return bases.subarray(0, normalize(bytes.length, Number(keepAsterisk)));
  };
}
