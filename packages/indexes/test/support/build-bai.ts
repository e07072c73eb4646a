import type { Chunk } from '../../src/index.js';

/** Encodes little-endian 32-bit numbers. */
export function u32(...values: readonly number[]): Uint8Array {
  return wordBytes(values);
}

export function wordBytes(words: readonly number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(words).buffer);
}

/** Returns the two halves of a virtual offset as an index stores them. */
export function halves(coffset: number, uoffset: number): [low: number, high: number] {
  return [(coffset % 2 ** 16) * 2 ** 16 + uoffset, Math.floor(coffset / 2 ** 16)];
}

export function chunkOf(start: readonly [number, number], end: readonly [number, number]): Chunk {
  return { start: { coffset: start[0], uoffset: start[1] }, end: { coffset: end[0], uoffset: end[1] } };
}

/** The parts of a reference: its bins, its pseudo-bin if it has one, and the offsets of its windows. */
export interface ReferenceParts {
  readonly bins?: readonly (readonly [number: number, chunks: readonly Chunk[]])[];
  readonly pseudoBin?: { readonly mapped: number; readonly unmapped: number };
  readonly windows?: readonly Chunk['start'][];
}

/** Writes a BAI index of these parts in their order. */
export function buildBai(references: readonly ReferenceParts[], unplacedCount?: number): Uint8Array {
  const words = [0x01494142, references.length];
  for (const { bins = [], pseudoBin, windows = [] } of references) {
    words.push(bins.length + (pseudoBin === undefined ? 0 : 1));
    for (const [number, chunks] of bins) {
      words.push(number, chunks.length);
      for (const chunk of chunks) words.push(...chunkWords(chunk));
    }
    if (pseudoBin !== undefined) words.push(37450, 2, 0, 0, 0, 0, pseudoBin.mapped, 0, pseudoBin.unmapped, 0);
    words.push(windows.length);
    for (const { coffset, uoffset } of windows) words.push(...halves(coffset, uoffset));
  }
  if (unplacedCount !== undefined) words.push(unplacedCount, 0);
  return wordBytes(words);
}

export function chunkWords({ start, end }: Chunk): number[] {
  return [...halves(start.coffset, start.uoffset), ...halves(end.coffset, end.uoffset)];
}
