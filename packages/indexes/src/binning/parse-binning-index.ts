import { IndexError } from '../index-error.js';
import { decompressIndex, type ParseIndexOptions } from '../read-index.js';
import { parseBai } from './bai.js';
import type { BinningIndex } from './binning-index.js';
import { parseCsi } from './csi.js';
import { parseTbi } from './tbi.js';
import { BAI_MAGIC, CSI_MAGIC, hasMagic, TBI_MAGIC } from './words.js';

const PARSERS = [
  [BAI_MAGIC, parseBai],
  [CSI_MAGIC, parseCsi],
  [TBI_MAGIC, parseTbi],
] as const;

/**
 * Parses a BAI, CSI or TBI index, compressed or not, according to its magic. Throws the `IndexError` of the format's parser,
 * or INVALID_MAGIC for any other format.
 *
 * @example
 * const index = parseBinningIndex(readFileSync('reads.bam.bai'));
 * const chunks = index.chunks({ referenceId: 0, start: 10_000, end: 20_000 });
 */
export function parseBinningIndex(bytes: Uint8Array, options: ParseIndexOptions = {}): BinningIndex {
  const content = decompressIndex(bytes, options);
  for (const [magic, parse] of PARSERS) {
    if (hasMagic(content, magic)) return parse(content, options);
  }
  throw new IndexError('INVALID_MAGIC', 'not a BAI, CSI or TBI index', { offset: 0 });
}
