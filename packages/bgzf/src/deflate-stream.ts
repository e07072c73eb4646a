import { BlockDeflater, type DeflateStreamOptions } from './block-deflater.js';

/**
 * The data of `chunks` as BGZF: blocks of 65280 bytes of it, whatever the chunks, and the EOF marker. The same data, level
 * and engine always give the same bytes. Throws RangeError for a level that is none.
 */
export async function* deflateStream(
  chunks: AsyncIterable<Uint8Array>,
  options: DeflateStreamOptions = {},
): AsyncGenerator<Uint8Array, void> {
  const deflater = new BlockDeflater(options);
  for await (const chunk of chunks) {
    const blocks = deflater.push(chunk);
    if (blocks.length > 0) yield blocks;
  }
  const end = deflater.finish();
  if (end.length > 0) yield end;
}
