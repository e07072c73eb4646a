import { defaultDeflateEngine } from '#deflate-engine';
import { defaultInflateEngine } from '#inflate-engine';
import { BgzfError } from './bgzf-error.js';
import {
  checkLevel,
  DEFAULT_LEVEL,
  type DeflateOptions,
  deflateData,
  STORED_OVERHEAD,
} from './block/deflate-blocks.js';
import type { RawInflateOptions, RawInflater } from './engines/codec-engine.js';

/** CMF and FLG (RFC 1950 §2.2): DEFLATE with a window of 32 KiB, the default level, no dictionary. */
const HEADER = Uint8Array.of(0x78, 0x9c);
const CHECKSUM_LENGTH = 4;
const MODULUS = 65521;
/** Bytes that can be summed before a sum of Adler-32 exceeds 31 bits: beyond, engines compute with doubles, at half the speed. */
const SUMMED_BYTES = 3800;

/**
 * Compresses at most 65535 bytes to the zlib format (RFC 1950). The same data, level and engine always result in the same bytes.
 * Throws RangeError for an invalid level.
 */
export function deflateZlib(
  data: Uint8Array,
  { level = DEFAULT_LEVEL, engine = defaultDeflateEngine() }: DeflateOptions = {},
): Uint8Array<ArrayBuffer> {
  checkLevel(level);
  const bytes = new Uint8Array(HEADER.length + data.length + STORED_OVERHEAD + CHECKSUM_LENGTH);
  bytes.set(HEADER);
  const checksumStart = HEADER.length + deflateData(bytes.subarray(HEADER.length), data, { level, engine });
  new DataView(bytes.buffer).setUint32(checksumStart, adler32(data));
  return bytes.subarray(0, checksumStart + CHECKSUM_LENGTH);
}

/** Creates a function that inflates data of the zlib format, as `ZlibInflater` describes. */
export function createZlibInflater(): ZlibInflater {
  const inflater: RawInflater = defaultInflateEngine().createInflater();
  return (data, options) => {
    const { bytes, consumed } = inflater.inflateRaw(data.subarray(HEADER.length), options);
    const checksumStart = HEADER.length + consumed;
    const view = new DataView(data.buffer, data.byteOffset, data.length);
    if (checksumStart + CHECKSUM_LENGTH > data.length || view.getUint32(checksumStart) !== adler32(bytes)) {
      throw new BgzfError('INVALID_DATA', 'the checksum of the zlib data is wrong', { offset: options.coffset });
    }
    return bytes;
  };
}

/**
 * Inflates data that has at most 65536 bytes, compressed and uncompressed. Returns the data, which is valid until the next call, and has at most `size` bytes. Throws `BgzfError` at `coffset`: INVALID_DATA if
 * the data is corrupt or incomplete, SIZE_MISMATCH if it is longer.
 */
export type ZlibInflater = (data: Uint8Array, options: RawInflateOptions) => Uint8Array;

/** Returns the Adler-32 checksum (RFC 1950 §8.2) as an unsigned number. */
function adler32(data: Uint8Array): number {
  let [low, high] = [1, 0];
  for (let start = 0; start < data.length; start += SUMMED_BYTES) {
    const end = Math.min(data.length, start + SUMMED_BYTES);
    for (let i = start; i < end; i++) {
      low = (low + (data[i] ?? 0)) | 0;
      high = (high + low) | 0;
    }
    low %= MODULUS;
    high %= MODULUS;
  }
  return high * 0x10000 + low;
}
