import { ascii, joinBytes } from '../../build-block.js';
import { letters, noise } from '../../noise.js';

const BLOCK = 65280;

/** Blocks of data that exercise different parts of a compressor. */
export const blocks: Readonly<Record<string, Uint8Array>> = {
  'no bytes': new Uint8Array(0),
  'one byte': Uint8Array.of(7),
  'one byte value': new Uint8Array(65536).fill(65),
  'two byte values': noise(BLOCK).map((byte) => byte & 1),
  'four letters': noise(BLOCK).map((byte) => 65 + (byte & 3)),
  'twenty letters': letters(BLOCK),
  'every byte value in turn': Uint8Array.from({ length: BLOCK }, (_, index) => index),
  'byte values of Fibonacci frequencies': fibonacciData(),
  'byte values each half as frequent as the one before': noise(BLOCK).map((byte, index) =>
    Math.clz32((byte << 24) | ((index * 40503) & 0xffffff)),
  ),
  'matches of 258 bytes': repeated(noise(1500).subarray(0, 258), 200),
  'matches of 259 bytes': repeated(noise(259), 200),
  'matches of 3 bytes': Uint8Array.from(noise(BLOCK), (byte, index) => (index % 4 === 3 ? byte : index % 4)),
  'a match at distance 32768': joinBytes([noise(32768), noise(32768)]),
  'text of numbered lines': ascii(
    Array.from({ length: 1700 }, (_, line) => `chr1\t${line * 977}\t.\tA\tC\t${line % 60}\tPASS\n`).join(''),
  ),
  'noise, then text': joinBytes([noise(30000), ascii('the quick brown fox jumps over the lazy dog. '.repeat(700))]),
  'text, then noise, then text': joinBytes([new Uint8Array(9000).fill(9), noise(40000), new Uint8Array(9000).fill(9)]),
};

/** Repeats the bytes `count` times, each followed by a different byte. */
function repeated(bytes: Uint8Array, count: number): Uint8Array {
  return joinBytes(Array.from({ length: count }, (_, index) => joinBytes([bytes, Uint8Array.of(index)])));
}

/** Returns 22 byte values in noisy order, whose optimal Huffman code would be longer than DEFLATE allows. */
function fibonacciData(): Uint8Array {
  const values: number[] = [];
  for (
    let [frequency, next, value] = [1, 1, 0];
    value < 22;
    [frequency, next, value] = [next, frequency + next, value + 1]
  ) {
    for (let left = frequency; left > 0; left -= 1) values.push(value);
  }
  const order = noise(values.length * 2);
  const keyed = values.map((value, index) => ({
    value,
    key: (order[2 * index] ?? 0) * 256 + (order[2 * index + 1] ?? 0),
  }));
  return Uint8Array.from(
    keyed.sort((one, other) => one.key - other.key),
    ({ value }) => value,
  );
}
