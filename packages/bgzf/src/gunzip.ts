import type { MemoryAccount } from '@htskit/io/internal';
import { inflateGzip } from '#inflate-gzip';
import { BgzfError } from './bgzf-error.js';
import { describeNoGzip } from './block/block-layout.js';

/** Default limit of the data: 1 GiB. */
const DEFAULT_MAX_BYTES = 2 ** 30;

/** How many times as long as its stored bytes data is assumed to be at first. */
const FIRST_EXPANSION = 4;

/** Options of `gunzip`. */
export interface GunzipOptions {
  /** Default 1 GiB. */
  readonly maxBytes?: number;
  /** Counts the memory of the data, which stays reserved. Default: it is not counted. */
  readonly memory?: MemoryAccount;
}

interface CountedOptions {
  readonly maxBytes: number;
  readonly memory: MemoryAccount;
}

/**
 * Returns the uncompressed data of a whole gzip file: BGZF, or any other gzip (RFC 1952) of one or several members.
 * Zero bytes after the last member are padding. Throws INVALID_DATA for bytes that are not gzip, and for gzip that is
 * corrupt, incomplete or followed by other bytes; LIMIT_EXCEEDED if the data is longer than `maxBytes`; `MemoryError`.
 * Damaged BGZF may have the codes of `inflateBlocks` instead. Node uses node:zlib and WebAssembly; other runtimes plain
 * JavaScript, which is small: `inflateBlocks` is faster there for BGZF.
 *
 * @example
 * const text = new TextDecoder().decode(gunzip(readFileSync('regions.bed.gz')));
 */
export function gunzip(
  bytes: Uint8Array,
  { maxBytes = DEFAULT_MAX_BYTES, memory }: GunzipOptions = {},
): Uint8Array<ArrayBuffer> {
  if (bytes.length > 0 && !(bytes[0] === 0x1f && bytes[1] === 0x8b)) {
    throw new BgzfError('INVALID_DATA', describeNoGzip(bytes, 0), { offset: 0 });
  }
  return memory === undefined ? inflateGzip(bytes, maxBytes) : inflateCounted(bytes, { maxBytes, memory });
}

/** Reserves memory for data whose length is not known: for twice as much if it was too little, so that the work at most doubles. */
function inflateCounted(bytes: Uint8Array, { maxBytes, memory }: CountedOptions): Uint8Array<ArrayBuffer> {
  for (let limit = Math.min(maxBytes, FIRST_EXPANSION * bytes.length); ; limit = Math.min(maxBytes, 2 * limit)) {
    memory.reserve(limit);
    let data: Uint8Array<ArrayBuffer>;
    try {
      data = inflateGzip(bytes, limit);
    } catch (error) {
      const isTooShort = error instanceof BgzfError && error.code === 'LIMIT_EXCEEDED' && limit < maxBytes;
      if (!isTooShort) throw error;
      continue;
    } finally {
      memory.release(limit);
    }
    memory.reserve(data.length);
    return data;
  }
}
