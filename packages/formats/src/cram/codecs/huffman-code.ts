import type { BitReader, ByteCursor } from '../byte-cursor.js';

/** The maximum number of bits of a codeword. */
const MAX_LENGTH = 31;

/** The symbols of a canonical Huffman code and the lengths of their codewords. */
export interface HuffmanParameters {
  readonly symbols: readonly number[];
  /** The bits of the codeword of each symbol. */
  readonly lengths: readonly number[];
  /** The cursor whose offset errors report. */
  readonly cursor: ByteCursor;
}

/** A canonical Huffman code (CRAM 3.1 §13.3): codewords ascend by length, then by symbol. */
export class HuffmanCode {
  /** Sorted by their codewords. */
  readonly #symbols: readonly number[];
  /** For each length: its first codeword, the number of its codewords, and the index in `symbols` of the first. */
  readonly #firstCodes: number[] = [];
  readonly #counts: readonly number[];
  readonly #firstIndexes: number[] = [];
  readonly #maxLength: number;

  /** Throws `FormatError` `INVALID_DATA` for lengths that do not form a code. */
  constructor({ symbols, lengths, cursor }: HuffmanParameters) {
    const coded = symbols.map((symbol, at) => ({ symbol, length: lengths[at] ?? 0 }));
    const isConstant = coded.length === 1 && coded[0]?.length === 0;
    if (lengths.length !== symbols.length || !(isConstant || coded.every(({ length }) => length >= 1))) {
      throw cursor.invalid('lengths of a Huffman code do not match its symbols');
    }
    this.#maxLength = coded.reduce((longest, { length }) => Math.max(longest, length), 0);
    if (this.#maxLength > MAX_LENGTH) throw cursor.invalid(`codeword has more than ${MAX_LENGTH} bits`);
    const counts = new Array<number>(this.#maxLength + 1).fill(0);
    for (const { length } of coded) counts[length] = (counts[length] ?? 0) + 1;
    this.#counts = counts;
    this.#symbols = coded.sort((a, b) => a.length - b.length || a.symbol - b.symbol).map(({ symbol }) => symbol);
    let code = 0;
    let index = 0;
    for (const [length, count] of counts.entries()) {
      if (code + count > 2 ** length) throw cursor.invalid('Huffman code has too many codewords of one length');
      this.#firstCodes[length] = code;
      this.#firstIndexes[length] = index;
      code = (code + count) * 2;
      index += count;
    }
  }

  /** The symbol of a code of one symbol, which takes no bits; undefined for other codes. */
  get constant(): number | undefined {
    return this.#maxLength === 0 ? this.#symbols[0] : undefined;
  }

  /** Decodes a symbol. Throws `FormatError` `TRUNCATED`, and `INVALID_DATA` for bits that are not a codeword. */
  decode(reader: BitReader): number {
    let code = 0;
    for (let length = 0; length <= this.#maxLength; length++) {
      const index = code - (this.#firstCodes[length] ?? 0);
      if (index < (this.#counts[length] ?? 0)) {
        return this.#symbols[(this.#firstIndexes[length] ?? 0) + index] ?? 0;
      }
      if (length < this.#maxLength) code = code * 2 + reader.readBit();
    }
    throw reader.cursor.invalid('bits do not match a codeword');
  }
}
