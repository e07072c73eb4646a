import type { ByteRange } from '@htskit/io';
import type { BaseRange } from '../sequence.js';

/** How the letters of a sequence are packed: each takes so many bits, the first ones in the highest bits of a byte. */
export interface Alphabet {
  readonly bits: number;
  /** The letter of each code. */
  readonly letters: Uint8Array;
}

/** The codes that RefgetStores are written with, by the name of their alphabet. Others are text (gtars-refget). */
const CODES: Readonly<Record<string, readonly [bits: number, letters: string]>> = {
  dna2bit: [2, 'TCAG'],
  dna3bit: [3, 'ACGTNRYX'],
  dnaio: [4, 'NACMGRSKTWYUBDHV'],
  protein: [5, 'ACDEFGHIKLMNPQRSTVWY*X-.UBZOJ'],
};

const TEXT: Alphabet = { bits: 8, letters: Uint8Array.from({ length: 256 }, (_, code) => code) };

const ALPHABETS = new Map(
  Object.entries(CODES).map(([name, [bits, letters]]) => [name, { bits, letters: new TextEncoder().encode(letters) }]),
);

/** The alphabet of that name, in lower case; that of text where it has no other. */
export function alphabetOf(name: string): Alphabet {
  return ALPHABETS.get(name) ?? TEXT;
}

/** The bytes that hold some letters. */
export function packedRange({ bits }: Alphabet, { start, end }: BaseRange): ByteRange {
  return { start: Math.floor((start * bits) / 8), end: Math.ceil((end * bits) / 8) };
}

/** Letters from the bytes of `packedRange`, whose first one may begin with other letters. Codes without a letter give 0. */
export function unpackLetters(packed: Uint8Array, { bits, letters }: Alphabet, { start, end }: BaseRange): Uint8Array {
  const unpacked = new Uint8Array(end - start);
  const mask = 2 ** bits - 1;
  const skipped = (start * bits) % 8;
  let at = 0;
  let buffer = 0;
  // Bits of the buffer that are still to be unpacked; those in front of the first letter are no part of it.
  let count = -skipped;
  for (let index = 0; index < unpacked.length; index++) {
    while (count < bits) {
      buffer = ((buffer << 8) | (packed[at++] ?? 0)) & 0xffff;
      count += 8;
    }
    count -= bits;
    unpacked[index] = letters[(buffer >>> count) & mask] ?? 0;
  }
  return unpacked;
}
