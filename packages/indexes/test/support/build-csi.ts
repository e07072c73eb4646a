import type { VirtualOffset } from '@htskit/bgzf';
import type { Chunk } from '../../src/index.js';
import { chunkWords, halves, wordBytes } from './build-bai.js';

/** The parts of a reference: its bins, and its pseudo-bin if it has one. */
export interface CsiReferenceParts {
  readonly bins?: readonly {
    readonly number: number;
    readonly loffset: VirtualOffset;
    readonly chunks: readonly Chunk[];
  }[];
  readonly pseudoBin?: { readonly mapped: number; readonly unmapped: number };
}

/** Writes an uncompressed CSI index of these parts in their order. */
export function buildCsi(
  references: readonly CsiReferenceParts[],
  {
    minShift = 14,
    depth = 5,
    auxiliaryData = new Uint8Array(0),
    unplacedCount,
  }: {
    readonly minShift?: number;
    readonly depth?: number;
    readonly auxiliaryData?: Uint8Array;
    readonly unplacedCount?: number;
  } = {},
): Uint8Array {
  const words = [references.length];
  for (const { bins = [], pseudoBin } of references) {
    words.push(bins.length + (pseudoBin === undefined ? 0 : 1));
    for (const { number, loffset, chunks } of bins) {
      words.push(number, ...halves(loffset.coffset, loffset.uoffset), chunks.length, ...chunks.flatMap(chunkWords));
    }
    if (pseudoBin !== undefined) {
      const number = (8 ** (depth + 1) - 1) / 7 + 1;
      words.push(number, 0, 0, 2, 0, 0, 0, 0, pseudoBin.mapped, 0, pseudoBin.unmapped, 0);
    }
  }
  if (unplacedCount !== undefined) words.push(unplacedCount, 0);
  const header = wordBytes([0x01495343, minShift, depth, auxiliaryData.length]);
  return new Uint8Array(Buffer.concat([header, auxiliaryData, wordBytes(words)]));
}
