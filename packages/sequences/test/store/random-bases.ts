import { createRandom } from '@htskit/testing';

/** Returns `length` upper-case letters drawn from `alphabet`, the same for the same seed. */
export function randomBases(length: number, { seed, alphabet }: { seed: number; alphabet: string }): string {
  const random = createRandom(seed);
  const draw = (): string => alphabet[Math.floor(random() * alphabet.length)] ?? '';
  return Array.from({ length }, draw).join('');
}

/** Returns mostly A, C, G and T, with runs of N and single other letters between them. */
export function randomGenome(length: number, seed: number): string {
  const random = createRandom(seed);
  let bases = '';
  while (bases.length < length) {
    const letter = String.fromCharCode(0x41 + Math.floor(random() * 26));
    bases += randomBases(Math.floor(random() * 60), { seed: Math.floor(random() * 2 ** 31), alphabet: 'ACGT' });
    bases += random() < 0.5 ? 'N'.repeat(Math.floor(random() * 20)) : letter;
  }
  return bases.slice(0, length);
}

export function toBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function toText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
