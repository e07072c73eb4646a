import { BlockDeflater, type DeflateStreamOptions } from './block-deflater.js';

/** Bytes that are deflated before others get their turn: some ten milliseconds. */
const STEP_BYTES = 2 ** 20;

/**
 * The data of `chunks` as BGZF: blocks of 65280 bytes of it, whatever the chunks, and the EOF marker. The same data, level
 * and engine always give the same bytes. Throws RangeError for a level that is none.
 */
export async function* deflateStream(
  chunks: AsyncIterable<Uint8Array>,
  options: DeflateStreamOptions = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const deflater = new BlockDeflater(options);
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += STEP_BYTES) {
      const blocks = deflater.push(chunk.subarray(at, at + STEP_BYTES));
      if (blocks.length > 0) yield blocks;
    }
  }
  const end = deflater.finish();
  if (end.length > 0) yield end;
}
