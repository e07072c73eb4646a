import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';

/** A CSI or TBI index as it is stored: compressed as BGZF. */
export function compressIndex(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const blocks = deflateBlocks(bytes);
  const file = new Uint8Array(blocks.length + EOF_MARKER.length);
  file.set(blocks);
  file.set(EOF_MARKER, blocks.length);
  return file;
}
