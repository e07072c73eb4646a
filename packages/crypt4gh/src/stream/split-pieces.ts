import { concatBytes } from '@htskit/io';

/** Joins and divides chunks to pieces of `pieceBytes`. The last one may be shorter, but is not empty. */
export async function* splitPieces(
  chunks: AsyncIterable<Uint8Array>,
  pieceBytes: number,
): AsyncGenerator<Uint8Array, void> {
  let parts: Uint8Array[] = [];
  let missing = pieceBytes;
  for await (const chunk of chunks) {
    let rest = chunk;
    while (rest.length >= missing) {
      parts.push(rest.subarray(0, missing));
      rest = rest.subarray(missing);
      yield concatBytes(parts);
      parts = [];
      missing = pieceBytes;
    }
    if (rest.length > 0) parts.push(rest);
    missing -= rest.length;
  }
  if (parts.length > 0) yield concatBytes(parts);
}
