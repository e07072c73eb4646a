import { type IndexBytesOptions, indexBytes } from '../index-bytes.js';
import { CraiIndex } from './crai-index.js';
import { scanCraiRows } from './crai-rows.js';

/**
 * Reads a CRAI index (CRAM 3.1 §12), gzipped or as plain text: lines of six numbers separated by tabs. Throws
 * `IndexError` INVALID_DATA for text of another form, at its byte in the uncompressed text; INVALID_DATA, TRUNCATED or
 * LIMIT_EXCEEDED for gzip that is corrupt or longer than `maxBytes`.
 */
export function parseCrai(bytes: Uint8Array, options: IndexBytesOptions = {}): CraiIndex {
  return new CraiIndex(scanCraiRows(indexBytes(bytes, options)));
}
