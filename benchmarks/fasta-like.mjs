import { createRandom } from './random.mjs';

export const LINE_BASES = 60;
/** Bytes of a line, with its line break. */
export const LINE_LENGTH = LINE_BASES + 1;

const [A, C, G, T, N] = Buffer.from('ACGTN');
const LOWER_CASE = 0x20;
const FAMILIES = 40;
/** Bases of the consensus of a repeat family, about the length of an Alu. */
const REPEAT_LENGTH = 320;

/**
 * Returns `length` bytes of sequence lines that compress like a soft-masked genome, about threefold: regions of
 * different GC content, interspersed and tandem repeats in lower case that make up half of it, and runs of N.
 */
export function makeFastaLike(length, seed = 1) {
  const random = createRandom(seed);
  const families = Array.from({ length: FAMILIES }, () =>
    Uint8Array.from({ length: REPEAT_LENGTH }, () => pickBase(random(), 128)),
  );
  const lines = new Uint8Array(length).fill(0x0a);
  const put = createLineWriter(lines);
  for (let isRoom = true; isRoom; ) {
    // GC content of 38 to 54 %, in 256ths.
    const gc = 97 + (random() % 41);
    for (let part = 0; part < 100 && isRoom; part += 1) isRoom = putPart(put, { random, families, gc });
  }
  return lines;
}

/** Returns the sequence of such lines: without line breaks, in upper case. */
export function spell(lines) {
  const sequence = new Uint8Array(lines.length - Math.floor(lines.length / LINE_LENGTH));
  let at = 0;
  for (const byte of lines) {
    if (byte === 0x0a) continue;
    sequence[at] = byte & ~LOWER_CASE;
    at += 1;
  }
  return sequence;
}

/** Returns a function that appends a base to the lines, and returns whether there is room for another one. */
function createLineWriter(lines) {
  let at = 0;
  let column = 0;
  return (base) => {
    if (at < lines.length) lines[at] = base;
    at += 1;
    column += 1;
    if (column === LINE_BASES) {
      column = 0;
      at += 1;
    }
    return at < lines.length;
  };
}

function putPart(put, { random, families, gc }) {
  const kind = random() % 1000;
  if (kind === 0) return putRun(put, 5_000 + (random() % 10_000), () => N);
  if (kind < 30) {
    const unit = Array.from({ length: 1 + (random() % 6) }, () => pickBase(random(), gc) | LOWER_CASE);
    return putRun(put, 20 + (random() % 60), (index) => unit[index % unit.length]);
  }
  if (kind < 530) {
    const family = families[random() % FAMILIES];
    const start = random() % (REPEAT_LENGTH / 2);
    // One base in eight has mutated since the copy was made.
    const pick = (index) => (random() >>> 29 === 0 ? pickBase(random(), gc) : family[start + index]) | LOWER_CASE;
    return putRun(put, REPEAT_LENGTH - start, pick);
  }
  return putRun(put, 50 + (random() % 500), () => pickBase(random(), gc));
}

function putRun(put, length, pick) {
  let isRoom = true;
  for (let index = 0; index < length && isRoom; index += 1) isRoom = put(pick(index));
  return isRoom;
}

/** Picks a base by the bits of `value`. It is G or C in `gc` of 256 cases. */
function pickBase(value, gc) {
  const isFirst = (value & 0x100) !== 0;
  if (value >>> 24 < gc) return isFirst ? G : C;
  return isFirst ? A : T;
}
