import { BgzfError, gunzip } from '@htskit/bgzf';
import { FormatError } from '../../format-error.js';
import { ByteCursor } from '../byte-cursor.js';
import type { BlockMemory } from '../container/block-memory.js';
import { decodeArithmetic } from './arithmetic.js';
import { decodeBzip2 } from './bzip2.js';
import { entropyEngine } from './engines/choose-engine.js';
import type { EntropyEngine } from './engines/entropy-engine.js';
import { decodeFqzcomp } from './fqzcomp.js';
import { decodeNames } from './name-tokeniser.js';
import { decodeRans4x8 } from './rans-4x8.js';
import { decodeRansNx16 } from './rans-nx16.js';
import { decodeXz } from './xz.js';

/** How the data of a block is compressed. */
export interface Compression {
  /** The number of the compression method (CRAM 3.1 §8). */
  readonly method: number;
  /** Bytes from the start of the file to the data, for the offsets of errors. */
  readonly offset: number;
  /** The uncompressed bytes that the block declares. */
  readonly size: number;
  /** Memory that the data may be in. Default: new memory. */
  readonly memory?: BlockMemory | undefined;
}

/**
 * Decompresses the data of a block, to at most `size` bytes. Throws `FormatError` `INVALID_DATA` or `TRUNCATED` if it is
 * corrupt, `UNSUPPORTED` for another method.
 */
export function decompress(
  data: Uint8Array,
  { method, offset, size, memory }: Compression,
  engine: EntropyEngine = entropyEngine,
): Uint8Array {
  const cursor = new ByteCursor(data, offset);
  switch (method) {
    case 0:
      return data;
    case 1:
      return decodeGzip(data, { offset, size });
    case 2:
      return decodeBzip2(cursor, size);
    case 3:
      return decodeXz(cursor, size);
    case 4:
      return decodeRans4x8(cursor, { size, engine, output: memory?.take(size) });
    case 5:
      return decodeRansNx16(cursor, { size, engine, output: memory?.take(size) });
    case 6:
      return decodeArithmetic(cursor, size, engine);
    case 7:
      return decodeFqzcomp(cursor, size, engine);
    case 8:
      return decodeNames(cursor, size, engine);
    default:
      throw new FormatError('UNSUPPORTED', `CRAM compression method ${method} is not supported`, { offset });
  }
}

function decodeGzip(data: Uint8Array, { offset, size }: Omit<Compression, 'method'>): Uint8Array {
  try {
    return gunzip(data, { maxBytes: size });
  } catch (cause) {
    if (!(cause instanceof BgzfError)) throw cause;
    const message = 'gzip data is corrupt, incomplete, or longer than the block declares';
    throw new FormatError('INVALID_DATA', message, { offset: offset + cause.offset, cause });
  }
}
