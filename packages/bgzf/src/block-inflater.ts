import { defaultEngine } from '#default-engine';
import { BgzfError } from './bgzf-error.js';
import { parseBlockFooter } from './block-footer.js';
import { FOOTER_LENGTH } from './block-header.js';
import type { CodecEngine, EngineOptions, RawInflater } from './codec-engine.js';
import { sliceBlock } from './slice-block.js';

/** Where a block lies, for errors. */
export interface BlockOptions {
  /** Bytes from the start of the file to the block. Default 0. */
  readonly coffset?: number | undefined;
}

/**
 * Inflates block after block into the same memory, which is what makes it fast: the bytes of each call are a view that
 * is valid until the next call. One inflater holds 256 KiB, so a program keeps a few, not one for each file.
 */
export class BlockInflater {
  readonly #engine: CodecEngine;
  readonly #inflater: RawInflater;

  constructor({ engine = defaultEngine() }: EngineOptions = {}) {
    this.#engine = engine;
    this.#inflater = engine.createInflater();
  }

  /**
   * The uncompressed data of the block at the start of `block`; bytes behind it are ignored. CRC32 and ISIZE are verified.
   * Throws TRUNCATED, INVALID_HEADER, INVALID_DATA, SIZE_MISMATCH, CRC_MISMATCH, or LIMIT_EXCEEDED if ISIZE is over 65536.
   */
  inflate(block: Uint8Array, { coffset = 0 }: BlockOptions = {}): Uint8Array {
    const { data, crc32, isize } = splitBlock(block, coffset);
    const { bytes, consumed } = this.#inflater.inflateRaw(data, { size: isize, coffset });
    if (consumed !== data.length) {
      const found = `${data.length - consumed} bytes`;
      throw new BgzfError('INVALID_DATA', `${found} lie between the DEFLATE data and the footer`, { offset: coffset });
    }
    if (bytes.length !== isize) throw tooShort(isize, bytes.length, coffset);
    const found = this.#engine.crc32(bytes);
    if (found !== crc32) {
      throw new BgzfError('CRC_MISMATCH', `expected CRC32 ${toHex(crc32)}, found ${toHex(found)}`, { offset: coffset });
    }
    return toPlainArray(bytes);
  }

  /**
   * The first `length` bytes of the uncompressed data, or all of it, without inflating the rest. Of a part CRC32 cannot
   * be verified; the whole is. Throws as `inflate`, and RangeError unless `length` is a whole number.
   */
  inflatePrefix(block: Uint8Array, { length, coffset = 0 }: BlockOptions & { readonly length: number }): Uint8Array {
    if (!Number.isSafeInteger(length) || length < 0) throw new RangeError(`a prefix of ${length} bytes`);
    const { data, isize } = splitBlock(block, coffset);
    if (length >= isize) return this.inflate(block, { coffset });
    const bytes = this.#inflater.inflatePrefix(data, { size: length, coffset });
    if (bytes.length < length) throw tooShort(isize, bytes.length, coffset);
    return toPlainArray(bytes);
  }
}

/** Not a Buffer, as engines of callers may give, whose `slice` is no copy. */
function toPlainArray(bytes: Uint8Array): Uint8Array {
  return bytes.constructor === Uint8Array ? bytes : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

interface BlockParts {
  /** DEFLATE data. */
  readonly data: Uint8Array;
  readonly crc32: number;
  readonly isize: number;
}

function splitBlock(bytes: Uint8Array, coffset: number): BlockParts {
  const { header, block } = sliceBlock(bytes, { at: 0, coffset });
  const { crc32, isize } = parseBlockFooter(block, header, coffset);
  return { data: block.subarray(header.dataStart, -FOOTER_LENGTH), crc32, isize };
}

function tooShort(isize: number, found: number, coffset: number): BgzfError {
  return new BgzfError('SIZE_MISMATCH', `expected ISIZE ${isize} bytes, found ${found}`, { offset: coffset });
}

function toHex(crc32: number): string {
  return crc32.toString(16).padStart(8, '0');
}
