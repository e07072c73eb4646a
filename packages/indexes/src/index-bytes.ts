import { BgzfError, gunzip } from '@htskit/bgzf';
import { IndexError } from './index-error.js';

export interface IndexBytesOptions {
  /** Refuse an index of more bytes, uncompressed. Default 1 GiB. */
  readonly maxBytes?: number | undefined;
}

/**
 * The uncompressed bytes of an index that may be compressed, by bgzip or gzip. Throws `IndexError` for what cannot be
 * decompressed, LIMIT_EXCEEDED for more than `maxBytes`.
 */
export function indexBytes(bytes: Uint8Array, options: IndexBytesOptions = {}): Uint8Array {
  if (!isGzip(bytes)) return bytes;
  try {
    return gunzip(bytes, options);
  } catch (cause) {
    if (!(cause instanceof BgzfError)) throw cause;
    const code = cause.code === 'TRUNCATED' || cause.code === 'LIMIT_EXCEEDED' ? cause.code : 'INVALID_DATA';
    throw new IndexError(code, 'the index cannot be decompressed', { offset: cause.offset, cause });
  }
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}
