import { createRandom } from './random.mjs';

const READ_LENGTH = 150;
const encoder = new TextEncoder();

/**
 * Returns `length` bytes that compress like the records of a sorted BAM file, about fourfold: 150-base reads at 30-fold
 * coverage with names, 4-bit bases of a reference with some errors, four quality levels that come in runs, and tags
 * (SAMv1 §4.2).
 */
export function makeBamLike(length, seed = 1) {
  const random = createRandom(seed);
  const bytes = new Uint8Array(length + 1000);
  const view = new DataView(bytes.buffer);
  const reference = Uint8Array.from({ length: Math.ceil(length / 40) + 1000 }, () => [1, 2, 4, 8][random() >>> 30]);
  let at = 0;
  let position = 0;
  while (at < length) {
    position += random() % 11 === 0 ? 1 + (random() % 100) : 0;
    at = writeRecord({ bytes, view, random, reference }, at, position % (reference.length - READ_LENGTH));
  }
  return bytes.subarray(0, length);
}

function writeRecord({ bytes, view, random, reference }, start, position) {
  const lane = 1101 + (random() % 1500);
  const name = encoder.encode(
    `A00123:45:HXXXXDSXX:${1 + (random() >>> 30)}:${lane}:${random() % 32000}:${random() % 37000}\0`,
  );
  const fields = [
    0,
    position,
    name.length | (60 << 8) | (4681 << 16),
    1 | ((random() & 1 ? 99 : 147) << 16),
    READ_LENGTH,
  ];
  fields.push(0, position + (random() % 400), (random() % 400) - 200);
  for (const [index, field] of fields.entries()) view.setInt32(start + 4 + index * 4, field, true);
  let at = start + 36;
  bytes.set(name, at);
  at += name.length;
  view.setUint32(at, READ_LENGTH << 4, true);
  at += 4;
  for (let base = 0; base < READ_LENGTH; base += 2) {
    const error = random() % 300 === 0 ? 15 : 0;
    bytes[at] = (reference[position + base] << 4) | reference[position + base + 1] | error;
    at += 1;
  }
  let quality = 37;
  for (let base = 0; base < READ_LENGTH; base += 1) {
    if (random() % 2 === 0) quality = [37, 37, 37, 36, 32, 25, 11, 2][random() >>> 29];
    bytes[at] = quality;
    at += 1;
  }
  const tags = encoder.encode(`NMC\0MDZ${READ_LENGTH}\0ASC\x78XSC\x13RGZsample1.${1 + (random() >>> 30)}\0`);
  bytes.set(tags, at);
  at += tags.length;
  view.setUint32(start, at - start - 4, true);
  return at;
}
