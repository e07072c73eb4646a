import type { BitReader } from '../bit-reader.js';
import { HuffmanCode } from '../huffman-code.js';

/** Bits that a codeword may have. */
const MAX_CODE_LENGTH = 20;

/** Which table codes each group of symbols: ranks in a list whose used tables move to the front. */
export function readSelectors(reader: BitReader, tableCount: number): Uint8Array {
  const selectors = new Uint8Array(reader.readBits(15));
  const front = Array.from({ length: tableCount }, (_, table) => table);
  for (let group = 0; group < selectors.length; group++) {
    const rank = reader.readUnary(1, tableCount - 1);
    const table = front[rank] ?? 0;
    front.copyWithin(1, 0, rank);
    front[0] = table;
    selectors[group] = table;
  }
  return selectors;
}

/** The code of each table: the lengths of its symbols are told as steps up and down from one to the next. */
export function readCodeTables(reader: BitReader, tableCount: number, symbolCount: number): HuffmanCode[] {
  return Array.from({ length: tableCount }, () => {
    const lengths: number[] = [];
    let length = reader.readBits(5);
    while (lengths.length < symbolCount) {
      while (reader.readBit() === 1) {
        length += reader.readBit() === 0 ? 1 : -1;
        if (length < 1 || length > MAX_CODE_LENGTH) throw reader.cursor.invalid('a code of bzip2 has 1 to 20 bits');
      }
      lengths.push(length);
    }
    const symbols = lengths.map((_, symbol) => symbol);
    return new HuffmanCode({ symbols, lengths, cursor: reader.cursor });
  });
}
