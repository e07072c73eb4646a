import { ByteWriter } from '../bytes/byte-writer.js';

/** The base of each 4-bit code (SAMv1 §4.2.3). */
const BASES = '=ACMGRSVTWYHKDBN';

/** The ASCII letter of each 4-bit code. */
const LETTERS = Uint8Array.from(BASES, (base) => base.charCodeAt(0));

/** The two bases of each byte: the first in the low half. */
const PAIRS = Uint16Array.from(
  { length: 256 },
  (_, byte) => BASES.charCodeAt(byte >>> 4) | (BASES.charCodeAt(byte & 0xf) << 8),
);

/** Further characters that htslib reads as bases: U, and the digits of colour space. */
const SYNONYMS: Readonly<Record<string, string>> = { U: 'T', 0: 'A', 1: 'C', 2: 'G', 3: 'T' };

/** The 4-bit code of each character, in any letter case; that of N for characters that are not bases. */
export const BASE_CODES: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte).toUpperCase();
  const code = BASES.indexOf(SYNONYMS[character] ?? character);
  return code === -1 ? BASES.indexOf('N') : code;
});

/** The letter of each character as BAM holds it. */
export const BASE_LETTERS: Uint8Array = BASE_CODES.map((code) => BASES.charCodeAt(code));

const writer = new ByteWriter();

/** Returns the ASCII letter of base `index` of those whose 4-bit codes start at `at`. */
export function baseLetterAt(view: DataView, at: number, index: number): number {
  const pair = view.getUint8(at + (index >>> 1));
  return LETTERS[index % 2 === 0 ? pair >>> 4 : pair & 0xf] ?? 0;
}

/** Returns `count` bases whose 4-bit codes start at `at`. */
export function decodeBases(view: DataView, range: { readonly at: number; readonly count: number }): string {
  writer.shrinkTo(0);
  writer.reserve(range.count);
  unpackBases(view, range, writer.view, 0);
  return writer.takeAscii();
}

/** Writes `count` bases whose 4-bit codes start at `at`, four at a time. `target` must have room for them from `to` on. */
export function unpackBases(
  view: DataView,
  { at, count }: { readonly at: number; readonly count: number },
  target: DataView,
  to: number,
): void {
  const fourfold = count - (count % 4);
  for (let i = 0; i < fourfold; i += 4) {
    const codes = view.getUint16(at + i / 2, true);
    target.setInt32(to + i, (PAIRS[codes & 0xff] ?? 0) | ((PAIRS[codes >>> 8] ?? 0) << 16), true);
  }
  for (let i = fourfold; i < count; i++) {
    const pair = PAIRS[view.getUint8(at + (i >>> 1))] ?? 0;
    target.setUint8(to + i, i % 2 === 0 ? pair & 0xff : pair >>> 8);
  }
}
