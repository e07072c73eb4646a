import type { BorrowedBytes } from '@htskit/io';
import { defaultInflateEngine } from '#inflate-engine';
import { BgzfError } from '../bgzf-error.js';
import type { EngineOptions, InflateEngine, RawInflater } from '../engines/codec-engine.js';
import { FOOTER_LENGTH, parseBlockFooter, sliceBlock } from './block-layout.js';

/** The position of a block, for error messages. */
export interface BlockOptions {
  /** Bytes from the start of the file to the block. Default 0. */
  readonly coffset?: number;
}

/**
 * Inflates many blocks into the same memory, which each call overwrites. An inflater holds
 * 256 KiB, so a program keeps a few of them, not one for each file.
 */
export class BlockInflater {
  readonly #engine: InflateEngine;
  readonly #inflater: RawInflater;

  constructor({ engine = defaultInflateEngine() }: EngineOptions = {}) {
    this.#engine = engine;
    this.#inflater = engine.createInflater();
  }

  /**
   * Returns the uncompressed data of the block at the start of `block`, after verifying CRC32 and ISIZE. Bytes after
   * the block are ignored. Throws TRUNCATED, INVALID_HEADER, INVALID_DATA, SIZE_MISMATCH, CRC_MISMATCH, and
   * LIMIT_EXCEEDED if ISIZE is over 65536.
   */
  inflate(block: Uint8Array, { coffset = 0 }: BlockOptions = {}): BorrowedBytes {
    const { data, crc32, isize } = splitBlock(block, coffset);
    const { bytes, consumed } = this.#inflater.inflateRaw(data, { size: isize, coffset });
    if (consumed !== data.length) {
      const found = `${data.length - consumed} bytes`;
      throw new BgzfError('INVALID_DATA', `${found} lie between the DEFLATE data and the footer`, { offset: coffset });
    }
    if (bytes.length !== isize) throw tooShort(isize, bytes.length, coffset);
    const found = this.#engine.crc32(bytes);
    if (found !== crc32) {
      const message = `expected CRC32 ${formatCrc32(crc32)}, found ${formatCrc32(found)}`;
      throw new BgzfError('CRC_MISMATCH', message, { offset: coffset });
    }
    return toPlainArray(bytes);
  }

  /**
   * Returns the first `length` bytes of the uncompressed data, or all if there are fewer, without inflating the rest.
   * CRC32 is verified only if that is all of the data. Throws the same errors as `inflate`, and RangeError unless
   * `length` is a non-negative integer.
   */
  inflatePrefix(block: Uint8Array, { length, coffset = 0 }: BlockOptions & { readonly length: number }): BorrowedBytes {
    if (!Number.isSafeInteger(length) || length < 0) throw new RangeError(`invalid prefix length ${length}`);
    const { data, isize } = splitBlock(block, coffset);
    if (length >= isize) return this.inflate(block, { coffset });
    const bytes = this.#inflater.inflatePrefix(data, { size: length, coffset });
    if (bytes.length < length) throw tooShort(isize, bytes.length, coffset);
    return toPlainArray(bytes);
  }
}

/** Inflaters that are kept for reuse. The garbage collector takes any others. */
const MAX_IDLE_INFLATERS = 8;
const idleInflaters = new WeakMap<InflateEngine, BlockInflater[]>();

/** An inflater for one call or iteration. */
export interface PooledInflater {
  readonly inflater: BlockInflater;
  /** Returns the inflater to the pool. What it returned must no longer be used. */
  readonly release: () => void;
}

/** Takes an inflater of `engine` from a pool: creating one takes as long as inflating several blocks. */
export function acquireInflater(engine: InflateEngine = defaultInflateEngine()): PooledInflater {
  const idle = idleInflaters.get(engine) ?? [];
  idleInflaters.set(engine, idle);
  const inflater = idle.pop() ?? new BlockInflater({ engine });
  return {
    inflater,
    release: () => {
      if (idle.length < MAX_IDLE_INFLATERS) idle.push(inflater);
    },
  };
}

/** Runs a function with a pooled inflater. The result must not contain views that the inflater returned. */
export function withInflater<T>(engine: InflateEngine | undefined, run: (inflater: BlockInflater) => T): T {
  const { inflater, release } = acquireInflater(engine);
  try {
    return run(inflater);
  } finally {
    release();
  }
}

/** Unwraps a Buffer, which an engine may return and whose `slice` does not copy. */
function toPlainArray(bytes: Uint8Array): Uint8Array {
  return bytes.constructor === Uint8Array ? bytes : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

interface BlockParts {
  /** The DEFLATE data. */
  readonly data: Uint8Array;
  readonly crc32: number;
  readonly isize: number;
}

function splitBlock(bytes: Uint8Array, coffset: number): BlockParts {
  const { header, block } = sliceBlock(bytes, { offset: 0, coffset });
  const { crc32, isize } = parseBlockFooter(block, header, coffset);
  return { data: block.subarray(header.dataStart, -FOOTER_LENGTH), crc32, isize };
}

function tooShort(isize: number, found: number, coffset: number): BgzfError {
  return new BgzfError('SIZE_MISMATCH', `expected ISIZE ${isize} bytes, found ${found}`, { offset: coffset });
}

function formatCrc32(crc32: number): string {
  return crc32.toString(16).padStart(8, '0');
}
