import { BgzfError, gunzip } from '@htskit/bgzf';
import type { ByteSource } from '@htskit/io';
import type { MemoryAccount } from '@htskit/io/internal';
import { IndexError } from './index-error.js';

/** Options of the index parsers. */
export interface ParseIndexOptions {
  /** Limit of the uncompressed size in bytes. Default 256 MiB; of CRAI 64 MiB. */
  readonly maxBytes?: number;
  /** Counts the memory of a compressed index while it is decompressed. Default: it is not counted. */
  readonly memory?: MemoryAccount;
}

/** Options of `readIndex`. */
export interface ReadIndexOptions {
  readonly signal?: AbortSignal;
  /** Limit of the stored size and of the uncompressed size in bytes. Default 256 MiB. */
  readonly maxBytes?: number;
}

/** Ten times the size of the largest known indexes, which are of plants with long chromosomes. */
const DEFAULT_MAX_BYTES = 2 ** 28;

/**
 * Reads a whole index and parses it. Throws the errors of `parse` and of the source, and `IndexError` LIMIT_EXCEEDED, before
 * anything is read, if the index is longer than `maxBytes`.
 *
 * @example
 * const index = await readIndex(source, parseBai);
 */
export async function readIndex<Index>(
  source: Pick<ByteSource, 'stat' | 'read'>,
  parse: (bytes: Uint8Array, options: { readonly maxBytes: number }) => Index,
  { maxBytes = DEFAULT_MAX_BYTES, signal }: ReadIndexOptions = {},
): Promise<Index> {
  const { size, version } = await source.stat({ signal });
  if (size > maxBytes) {
    throw new IndexError('LIMIT_EXCEEDED', `an index of ${size} bytes exceeds the limit of ${maxBytes}`, { offset: 0 });
  }
  return parse(await source.read({ start: 0, end: size }, { signal, version }), { maxBytes });
}

/**
 * Returns the uncompressed bytes of an index that may be compressed by bgzip or gzip. Throws `IndexError` if it cannot be
 * decompressed, with the code LIMIT_EXCEEDED if it is longer than `maxBytes`.
 */
export function decompressIndex(
  bytes: Uint8Array,
  { maxBytes = DEFAULT_MAX_BYTES, memory }: ParseIndexOptions = {},
): Uint8Array {
  if (!isGzip(bytes)) {
    if (bytes.length <= maxBytes) return bytes;
    throw new IndexError('LIMIT_EXCEEDED', `the index is longer than ${maxBytes} bytes`, { offset: 0 });
  }
  try {
    return gunzip(bytes, { maxBytes, memory });
  } catch (cause) {
    if (!(cause instanceof BgzfError)) throw cause;
    const code = cause.code === 'TRUNCATED' || cause.code === 'LIMIT_EXCEEDED' ? cause.code : 'INVALID_DATA';
    throw new IndexError(code, 'cannot decompress the index', { offset: cause.offset, cause });
  }
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}
