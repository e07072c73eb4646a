import type { BitReader } from './bit-reader.js';
import type { ByteCursor } from './byte-cursor.js';

/** Bits that a codeword may have. */
const MAX_LENGTH = 31;

export interface HuffmanParameters {
  readonly symbols: readonly number[];
  /** Bits of the codeword of each symbol. */
  readonly lengths: readonly number[];
  /** For errors. */
  readonly cursor: ByteCursor;
}

/** A canonical Huffman code (CRAM 3.1 §13.3): codewords ascend by length, and then by symbol. */
export class HuffmanCode {
  /** By codeword. */
  readonly #symbols: readonly number[];
  /** By length: the first codeword, how many there are, and the rank of the first. */
  readonly #firstCodes: number[] = [];
  readonly #counts: readonly number[];
  readonly #firstRanks: number[] = [];
  readonly #maxLength: number;

  /** Throws `FormatError` INVALID_DATA for lengths that no code can have. */
  constructor({ symbols, lengths, cursor }: HuffmanParameters) {
    const coded = symbols.map((symbol, at) => ({ symbol, length: lengths[at] ?? 0 }));
    const isConstant = coded.length === 1 && coded[0]?.length === 0;
    if (lengths.length !== symbols.length || !(isConstant || coded.every(({ length }) => length >= 1))) {
      throw cursor.invalid('the lengths of a Huffman code do not fit its symbols');
    }
    this.#maxLength = coded.reduce((longest, { length }) => Math.max(longest, length), 0);
    if (this.#maxLength > MAX_LENGTH) throw cursor.invalid('a codeword has more than 31 bits');
    const counts = new Array<number>(this.#maxLength + 1).fill(0);
    for (const { length } of coded) counts[length] = (counts[length] ?? 0) + 1;
    this.#counts = counts;
    this.#symbols = coded.sort((a, b) => a.length - b.length || a.symbol - b.symbol).map(({ symbol }) => symbol);
    let code = 0;
    let rank = 0;
    for (const [length, count] of counts.entries()) {
      if (code + count > 2 ** length) throw cursor.invalid('a Huffman code has too many codewords');
      this.#firstCodes[length] = code;
      this.#firstRanks[length] = rank;
      code = (code + count) * 2;
      rank += count;
    }
  }

  /** The only symbol of a code that takes no bits. */
  get constant(): number | undefined {
    return this.#maxLength === 0 ? this.#symbols[0] : undefined;
  }

  decode(reader: BitReader): number {
    let code = 0;
    for (let length = 0; length <= this.#maxLength; length++) {
      const rank = code - (this.#firstCodes[length] ?? 0);
      if (rank < (this.#counts[length] ?? 0)) {
        return this.#symbols[(this.#firstRanks[length] ?? 0) + rank] ?? 0;
      }
      if (length < this.#maxLength) code = code * 2 + reader.readBit();
    }
    throw reader.cursor.invalid('bits that are no codeword');
  }
}
