import { BgzfError, gunzip } from '@htskit/bgzf';
import { IndexError } from '../index-error.js';
import { CraiIndex } from './crai-index.js';
import { scanCraiRows } from './crai-rows.js';

export interface CraiOptions {
  /** Bytes that the uncompressed text may have. Default 1 GiB. */
  readonly maxBytes?: number | undefined;
}

const DEFAULT_MAX_BYTES = 2 ** 30;

/**
 * Reads a CRAI index (CRAM 3.1 §12), gzipped or as plain text: lines of six numbers separated by tabs. Throws
 * `IndexError` INVALID_DATA for text of another form, at its byte in the uncompressed text, and for corrupt gzip, at its
 * byte in the file; LIMIT_EXCEEDED for a text longer than `maxBytes`.
 */
export function parseCrai(bytes: Uint8Array, { maxBytes = DEFAULT_MAX_BYTES }: CraiOptions = {}): CraiIndex {
  const text = isGzip(bytes) ? decompress(bytes, maxBytes) : bytes;
  if (text.length > maxBytes) throw tooLong(maxBytes);
  return new CraiIndex(scanCraiRows(text));
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function decompress(bytes: Uint8Array, maxBytes: number): Uint8Array {
  try {
    return gunzip(bytes, { maxBytes });
  } catch (cause) {
    if (!(cause instanceof BgzfError)) throw cause;
    if (cause.code === 'LIMIT_EXCEEDED') throw tooLong(maxBytes, cause);
    throw new IndexError('INVALID_DATA', 'the gzip data is corrupt or incomplete', { offset: cause.offset, cause });
  }
}

function tooLong(maxBytes: number, cause?: unknown): IndexError {
  return new IndexError('LIMIT_EXCEEDED', `the text is longer than ${maxBytes} bytes`, { offset: 0, cause });
}
