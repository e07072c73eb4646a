// Writes UCSC 2bit as faToTwoBit does, for sequences that are too long for a string.
import { LINE_BASES, LINE_LENGTH } from '../fasta-like.mjs';

const SIGNATURE = 0x1a412743;
const HEADER_BYTES = 16;
/** T is 0, C 1, A 2, G 3; any other letter is 0. */
const CODES = new Uint8Array(256);
for (const [code, letters] of ['Tt', 'Cc', 'Aa', 'Gg'].entries()) {
  for (const letter of Buffer.from(letters)) CODES[letter] = code;
}
const isUnknown = (letter) => letter === 0x4e || letter === 0x6e;
const isLowerCase = (letter) => letter >= 0x61;

/** Returns the file of one sequence, given its lines. */
export function encodeTwoBit(name, lines) {
  const bases = joinLines(lines);
  const index = [Buffer.from([name.length]), Buffer.from(name), toNumbers([HEADER_BYTES + 1 + name.length + 4])];
  const runs = [isUnknown, isLowerCase].map((test) => toRuns(bases, test));
  return Buffer.concat([
    toNumbers([SIGNATURE, 0, 1, 0]),
    ...index,
    toNumbers([bases.length]),
    ...runs.map(({ starts, lengths }) => toNumbers([starts.length, ...starts, ...lengths])),
    toNumbers([0]),
    pack(bases),
  ]);
}

function joinLines(lines) {
  const bases = new Uint8Array((lines.length / LINE_LENGTH) * LINE_BASES);
  for (let at = 0, written = 0; at < lines.length; at += LINE_LENGTH, written += LINE_BASES)
    bases.set(lines.subarray(at, at + LINE_BASES), written);
  return bases;
}

function toRuns(bases, test) {
  const [starts, lengths] = [[], []];
  for (let at = 0, start = -1; at <= bases.length; at += 1) {
    const isIn = at < bases.length && test(bases[at]);
    if (isIn && start < 0) start = at;
    if (isIn || start < 0) continue;
    starts.push(start);
    lengths.push(at - start);
    start = -1;
  }
  return { starts, lengths };
}

function toNumbers(values) {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, 4 * index);
  return bytes;
}

function pack(bases) {
  const packed = new Uint8Array(Math.ceil(bases.length / 4));
  for (let at = 0; at < bases.length; at += 1) packed[at >> 2] |= CODES[bases[at]] << (6 - 2 * (at % 4));
  return packed;
}
