import { deflateBlocks, EOF_MARKER, gunzip } from '@htskit/bgzf';

/** Splits bytes into chunks of a size. */
export async function* chunked(bytes: Uint8Array, size = 65_536): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Returns the uncompressed bytes of an index that may be compressed. */
export function uncompressed(index: Uint8Array): Uint8Array {
  return index[0] === 0x1f ? gunzip(index) : index;
}

/** Compresses text to BGZF, with one block per piece. */
export function bgzipped(...pieces: readonly (string | Uint8Array)[]): Uint8Array {
  const encoder = new TextEncoder();
  const blocks = pieces.map((piece) => deflateBlocks(typeof piece === 'string' ? encoder.encode(piece) : piece));
  return new Uint8Array(Buffer.concat([...blocks, EOF_MARKER]));
}
