import { BgzfError, gunzip } from '@htskit/bgzf';
import { IndexError } from './index-error.js';

export interface IndexBytesOptions {
  /** Refuse an index of more bytes, uncompressed. */
  readonly maxBytes?: number | undefined;
}

/** Default of `maxBytes`: ten times the largest that are known, of plants with long chromosomes. */
const DEFAULT_MAX_BYTES = 2 ** 28;

/**
 * The uncompressed bytes of an index that may be compressed, by bgzip or gzip. Throws `IndexError` for what cannot be
 * decompressed, LIMIT_EXCEEDED for more than `maxBytes`, by default 256 MiB.
 */
export function indexBytes(bytes: Uint8Array, { maxBytes = DEFAULT_MAX_BYTES }: IndexBytesOptions = {}): Uint8Array {
  if (!isGzip(bytes)) {
    if (bytes.length <= maxBytes) return bytes;
    throw new IndexError('LIMIT_EXCEEDED', `the index is longer than ${maxBytes} bytes`, { offset: 0 });
  }
  try {
    return gunzip(bytes, { maxBytes });
  } catch (cause) {
    if (!(cause instanceof BgzfError)) throw cause;
    const code = cause.code === 'TRUNCATED' || cause.code === 'LIMIT_EXCEEDED' ? cause.code : 'INVALID_DATA';
    throw new IndexError(code, 'the index cannot be decompressed', { offset: cause.offset, cause });
  }
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}
