/** Lengths of codewords by symbol. */
export type Lengths = Readonly<Record<number, number>>;

/** A symbol to encode, or `[value, count]`: the bits of a number, the lowest first. */
type Item = number | readonly [value: number, count: number];

export interface DynamicBlock {
  readonly isFinal?: boolean;
  readonly litlen: Lengths;
  readonly distance?: Lengths;
  /** HLIT and HDIST + their minimum; by default as few as hold all lengths. */
  readonly litlenCount?: number;
  readonly distanceCount?: number;
  /** The code of the code lengths; by default 4 bits for each length of 0 to 15. */
  readonly precode?: Lengths;
  /** Replaces the code lengths: symbols of the precode, and the extra bits of repeats. */
  readonly codeLengths?: readonly Item[];
  /** Literals and lengths; each length is followed by its extra bits and a distance, `d(symbol)`, with its extra bits. */
  readonly symbols: readonly (Item | { readonly distance: number })[];
}

const PRECODE_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const FLAT_PRECODE: Lengths = Object.fromEntries(Array.from({ length: 16 }, (_, length) => [length, 4]));

const FIXED_LITLEN: Lengths = Object.fromEntries(
  Array.from({ length: 288 }, (_, symbol) => [symbol, symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8]),
);
const FIXED_DISTANCE: Lengths = Object.fromEntries(Array.from({ length: 32 }, (_, symbol) => [symbol, 5]));

/** A distance symbol among the symbols of a block. */
export function d(distance: number): { readonly distance: number } {
  return { distance };
}

/** Writes DEFLATE data bit by bit (RFC 1951 §3.1.1), whether it is valid or not. */
export class BitWriter {
  readonly #bits: number[] = [];

  /** The bits of a number, the lowest first. */
  bits(value: number, count: number): this {
    for (let bit = 0; bit < count; bit += 1) this.#bits.push((value >>> bit) & 1);
    return this;
  }

  /** Whole bytes, after zeros up to the next byte. */
  bytes(bytes: readonly number[]): this {
    while (this.#bits.length % 8 > 0) this.#bits.push(0);
    for (const byte of bytes) this.bits(byte, 8);
    return this;
  }

  stored(data: readonly number[], isFinal = true): this {
    const [low, high] = [data.length & 0xff, data.length >> 8];
    return this.bits(isFinal ? 1 : 0, 3).bytes([low, high, low ^ 0xff, high ^ 0xff, ...data]);
  }

  fixed(symbols: DynamicBlock['symbols'], isFinal = true): this {
    return this.bits(isFinal ? 3 : 2, 3).symbols(symbols, FIXED_LITLEN, FIXED_DISTANCE);
  }

  dynamic(block: DynamicBlock): this {
    const { isFinal = true, litlen, distance = {}, precode = FLAT_PRECODE } = block;
    const litlenCount = block.litlenCount ?? Math.max(257, ...Object.keys(litlen).map((symbol) => Number(symbol) + 1));
    const distanceCount =
      block.distanceCount ?? Math.max(1, ...Object.keys(distance).map((symbol) => Number(symbol) + 1));
    const lengths = [
      ...Array.from({ length: litlenCount }, (_, symbol) => litlen[symbol] ?? 0),
      ...Array.from({ length: distanceCount }, (_, symbol) => distance[symbol] ?? 0),
    ];
    this.bits(isFinal ? 5 : 4, 3);
    this.bits(litlenCount - 257, 5)
      .bits(distanceCount - 1, 5)
      .bits(15, 4);
    for (const symbol of PRECODE_ORDER) this.bits(precode[symbol] ?? 0, 3);
    return this.symbols(block.codeLengths ?? lengths, precode, {}).symbols(block.symbols, litlen, distance);
  }

  symbols(items: DynamicBlock['symbols'], litlen: Lengths, distance: Lengths): this {
    const litlenCode = canonicalCode(litlen);
    const distanceCode = canonicalCode(distance);
    for (const item of items) {
      if (typeof item === 'number') this.#codeword(litlenCode.get(item));
      else if ('distance' in item) this.#codeword(distanceCode.get(item.distance));
      else this.bits(item[0], item[1]);
    }
    return this;
  }

  #codeword(codeword: string | undefined): void {
    if (codeword === undefined) throw new RangeError('the symbol has no codeword');
    for (const bit of codeword) this.#bits.push(Number(bit));
  }

  toBytes(): Uint8Array {
    const bytes = new Uint8Array(Math.ceil(this.#bits.length / 8));
    for (const [index, bit] of this.#bits.entries())
      bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (bit << (index & 7));
    return bytes;
  }
}

/** The codewords (RFC 1951 §3.2.2) by symbol. */
function canonicalCode(lengths: Lengths): Map<number, string> {
  const sorted = Object.entries(lengths)
    .map(([symbol, length]) => ({ symbol: Number(symbol), length }))
    .filter(({ length }) => length > 0)
    .sort((a, b) => a.length - b.length || a.symbol - b.symbol);
  const code = new Map<number, string>();
  let [next, last] = [0, 0];
  for (const { symbol, length } of sorted) {
    next *= 2 ** (length - last);
    last = length;
    code.set(symbol, next.toString(2).padStart(length, '0').slice(-length));
    next += 1;
  }
  return code;
}
