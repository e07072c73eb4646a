import type { ByteRange } from '@htskit/io';
import type { BaseInterval } from '../base-intervals.js';
import type { TwoBitRecord } from './record.js';

const [N, BASES_PER_BYTE] = [0x4e, 4];

/** The four bases of each byte as one number in the machine's byte order: one look-up and one store for four bases. */
const QUADS = createQuads();

function createQuads(): Uint32Array {
  const letters = new Uint8Array(256 * BASES_PER_BYTE);
  // T is 0, C 1, A 2, G 3; the first base is in the highest bits.
  const codes = new TextEncoder().encode('TCAG');
  for (let at = 0; at < letters.length; at++) {
    const shift = 6 - 2 * (at % BASES_PER_BYTE);
    letters[at] = codes[(Math.floor(at / BASES_PER_BYTE) >> shift) & 3] ?? 0;
  }
  return new Uint32Array(letters.buffer);
}

/** Returns the bytes of the file that hold the packed bases of an interval. */
export function twoBitByteRange({ packedOffset }: TwoBitRecord, { start, end }: BaseInterval): ByteRange {
  const byteEnd = start === end ? Math.floor(start / BASES_PER_BYTE) : Math.ceil(end / BASES_PER_BYTE);
  return { start: packedOffset + Math.floor(start / BASES_PER_BYTE), end: packedOffset + byteEnd };
}

/**
 * Returns the bases of an interval as upper-case ASCII letters. `packed` are the bytes of `twoBitByteRange`. Throws RangeError
 * if `packed` has another length.
 *
 * @example
 * ```ts
 * import { type TwoBitRecord, twoBitByteRange, unpackTwoBit } from '@htskit/formats';
 *
 * export function readBases(file: Uint8Array, record: TwoBitRecord, start: number, end: number): string {
 *   const bytes = twoBitByteRange(record, { start, end });
 *   return new TextDecoder().decode(unpackTwoBit(file.subarray(bytes.start, bytes.end), record, { start, end }));
 * }
 * ```
 */
export function unpackTwoBit(packed: Uint8Array, record: TwoBitRecord, { start, end }: BaseInterval): Uint8Array {
  const range = twoBitByteRange(record, { start, end });
  if (packed.length !== range.end - range.start) {
    throw new RangeError(`expected ${range.end - range.start} packed bytes, found ${packed.length}`);
  }
  const quads = new Uint32Array(packed.length);
  for (let at = 0; at < packed.length; at++) quads[at] = QUADS[packed[at] ?? 0] ?? 0;
  const bases = new Uint8Array(quads.buffer, packed.length === 0 ? 0 : start % BASES_PER_BYTE, end - start);
  const { unknownStarts, unknownEnds } = record;
  for (let block = firstEndingAfter(unknownEnds, start); (unknownStarts[block] ?? end) < end; block++) {
    bases.fill(N, Math.max((unknownStarts[block] ?? end) - start, 0), (unknownEnds[block] ?? end) - start);
  }
  return bases;
}

/** Returns the index of the first run that ends after `base`. */
function firstEndingAfter(ends: Uint32Array, base: number): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ends[middle] ?? 0) <= base) low = middle + 1;
    else high = middle;
  }
  return low;
}
