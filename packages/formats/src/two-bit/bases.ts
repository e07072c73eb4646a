import type { BaseInterval } from '../base-intervals.js';
import type { TwoBitRecord } from './record.js';

const [N, BASES_PER_BYTE] = [0x4e, 4];

/** The four bases of each byte as one number of the machine's byte order: one look-up and one store for four bases. */
const QUADS = createQuads();

function createQuads(): Uint32Array {
  const letters = new Uint8Array(256 * BASES_PER_BYTE);
  // T is 0, C 1, A 2, G 3; the first base stands in the highest bits.
  const codes = new TextEncoder().encode('TCAG');
  for (let at = 0; at < letters.length; at++) {
    const shift = 6 - 2 * (at % BASES_PER_BYTE);
    letters[at] = codes[(Math.floor(at / BASES_PER_BYTE) >> shift) & 3] ?? 0;
  }
  return new Uint32Array(letters.buffer);
}

/** The bytes of the file, `[start, end)`, that hold some bases of a sequence. */
export function twoBitByteRange({ packedOffset }: TwoBitRecord, { start, end }: BaseInterval): BaseInterval {
  const byteEnd = start === end ? Math.floor(start / BASES_PER_BYTE) : Math.ceil(end / BASES_PER_BYTE);
  return { start: packedOffset + Math.floor(start / BASES_PER_BYTE), end: packedOffset + byteEnd };
}

/**
 * Bases `[start, end)` of a sequence as upper-case ASCII letters, from the bytes of `twoBitByteRange`. Throws RangeError
 * unless `packed` is as many bytes as that.
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

/** The first run that ends behind a base. */
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
