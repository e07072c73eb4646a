import { type IndexBytesOptions, indexBytes } from '../index-bytes.js';
import { scanCraiColumns } from './crai-columns.js';
import { CraiIndex } from './crai-index.js';

/** Default of `maxBytes`: that of a human genome has 5 MB, and the memory that an index takes is several times its text. */
const DEFAULT_MAX_BYTES = 2 ** 26;

/**
 * Reads a CRAI index (CRAM 3.1 §12), gzipped or as plain text: lines of six numbers separated by tabs. Throws
 * `IndexError` INVALID_DATA for text of another form, at its byte in the uncompressed text; INVALID_DATA or TRUNCATED for
 * gzip that is corrupt, LIMIT_EXCEEDED for a text longer than `maxBytes`, by default 64 MiB. The index takes five times
 * the memory of its text at most.
 */
export function parseCrai(bytes: Uint8Array, { maxBytes = DEFAULT_MAX_BYTES }: IndexBytesOptions = {}): CraiIndex {
  return new CraiIndex(scanCraiColumns(indexBytes(bytes, { maxBytes })));
}
