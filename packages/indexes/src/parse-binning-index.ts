import { parseBai } from './bai.js';
import type { BinningIndex } from './binning/binning-index.js';
import { parseCsi } from './csi.js';
import { type IndexBytesOptions, indexBytes } from './index-bytes.js';
import { IndexError } from './index-error.js';
import { BAI_MAGIC, CSI_MAGIC, hasMagic, TBI_MAGIC } from './magic.js';
import { parseTbi } from './tbi.js';

const PARSERS = [
  [BAI_MAGIC, parseBai],
  [CSI_MAGIC, parseCsi],
  [TBI_MAGIC, parseTbi],
] as const;

/**
 * Opens a BAI, CSI or TBI index, whichever its first bytes say, compressed or not. Throws `IndexError` as the parser of
 * that format does, INVALID_MAGIC if it is none of them.
 */
export function parseBinningIndex(bytes: Uint8Array, options: IndexBytesOptions = {}): BinningIndex {
  const content = indexBytes(bytes, options);
  for (const [magic, parse] of PARSERS) {
    if (hasMagic(content, magic)) return parse(content, options);
  }
  throw new IndexError('INVALID_MAGIC', 'neither a BAI, a CSI nor a TBI index', { offset: 0 });
}
