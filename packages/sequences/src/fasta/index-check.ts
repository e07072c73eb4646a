import type { GziIndex } from '@htskit/bgzf';
import type { FaiRecord } from '@htskit/indexes';
import { SequenceSourceError } from '../sequence-source-error.js';

/**
 * Throws INDEX_MISMATCH unless the records that a `.fai` lists are those that the FASTA has. Sequences without bases may
 * be left out, as samtools does.
 */
export function checkFai(listed: readonly FaiRecord[], found: readonly FaiRecord[]): void {
  const names = new Set(listed.map(({ name }) => name));
  const expected = found.filter(({ length, name }) => length > 0 || names.has(name));
  const index = expected.findIndex((record, i) => !isSamePlace(listed[i], record));
  const differing = index === -1 && listed.length > expected.length ? expected.length : index;
  if (differing === -1) return;
  throw new SequenceSourceError('INDEX_MISMATCH', `record ${differing + 1} of the .fai is not that of the FASTA`, {
    offset: expected[differing]?.offset ?? 0,
  });
}

/** How a single line ends, and how long lines would be that a sequence does not have, is written differently by tools. */
function isSamePlace(listed: FaiRecord | undefined, found: FaiRecord): boolean {
  if (listed?.name !== found.name || listed.length !== found.length) return false;
  if (found.length === 0) return true;
  if (listed.offset !== found.offset) return false;
  const isOneLine = found.length <= found.lineBases && found.length <= listed.lineBases;
  return isOneLine || (listed.lineBases === found.lineBases && listed.lineBytes === found.lineBytes);
}

/** Throws INDEX_MISMATCH unless the blocks that a `.gzi` lists are those of the file. Blocks without data do not count. */
export function checkGzi(listed: GziIndex, found: GziIndex, uncompressedLength: number): void {
  const blocks = blocksWithData(listed, uncompressedLength);
  const index = found.coffsets.findIndex(
    (coffset, i) => blocks[i]?.coffset !== coffset || blocks[i]?.uncompressedOffset !== found.uncompressedOffsets[i],
  );
  const differing = index === -1 && blocks.length > found.coffsets.length ? found.coffsets.length : index;
  if (differing === -1) return;
  throw new SequenceSourceError('INDEX_MISMATCH', `block ${differing + 1} of the .gzi is not that of the FASTA`, {
    offset: found.coffsets[differing] ?? 0,
  });
}

interface IndexedBlock {
  readonly coffset: number;
  readonly uncompressedOffset: number;
}

function blocksWithData({ coffsets, uncompressedOffsets }: GziIndex, uncompressedLength: number): IndexedBlock[] {
  const blocks = Array.from(coffsets, (coffset, i) => ({
    coffset,
    uncompressedOffset: uncompressedOffsets[i] ?? 0,
    end: uncompressedOffsets[i + 1] ?? uncompressedLength,
  }));
  // The block at 0 is not listed by bgzip, but may be by others.
  return blocks.filter(({ coffset, uncompressedOffset, end }) => coffset > 0 && uncompressedOffset !== end);
}
