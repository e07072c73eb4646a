import type { GziIndex } from '@htskit/bgzf';
import type { FaiRecord } from '@htskit/indexes';
import { SequenceSourceError } from '../sequence-source-error.js';

/**
 * Throws INDEX_MISMATCH unless the records that a `.fai` lists are those of the FASTA. A `.fai` may omit sequences without
 * bases, as those of samtools do.
 */
export function checkFai(listed: readonly FaiRecord[], found: readonly FaiRecord[]): void {
  const names = new Set(listed.map(({ name }) => name));
  const expected = found.filter(({ length, name }) => length > 0 || names.has(name));
  const index = expected.findIndex((record, i) => !isSamePlace(listed[i], record));
  const differing = index === -1 && listed.length > expected.length ? expected.length : index;
  if (differing === -1) return;
  throw new SequenceSourceError('INDEX_MISMATCH', `record ${differing + 1} of the .fai does not match the FASTA`, {
    offset: expected[differing]?.offset ?? 0,
  });
}

/** Ignores the columns that tools write differently: the line end of a single line, and the line length of an empty record. */
function isSamePlace(listed: FaiRecord | undefined, found: FaiRecord): boolean {
  if (listed?.name !== found.name || listed.length !== found.length) return false;
  if (found.length === 0) return true;
  if (listed.offset !== found.offset) return false;
  const isOneLine = found.length <= found.lineBases && found.length <= listed.lineBases;
  return isOneLine || (listed.lineBases === found.lineBases && listed.lineBytes === found.lineBytes);
}

/** Throws INDEX_MISMATCH unless the blocks that a `.gzi` lists are those of the file. Blocks without data are ignored. */
export function checkGzi(listed: GziIndex, found: GziIndex, uncompressedLength: number): void {
  const blocks = blocksWithData(listed, uncompressedLength);
  const index = found.coffsets.findIndex(
    (coffset, i) => blocks[i]?.coffset !== coffset || blocks[i]?.uncompressedOffset !== found.uncompressedOffsets[i],
  );
  const differing = index === -1 && blocks.length > found.coffsets.length ? found.coffsets.length : index;
  if (differing === -1) return;
  throw new SequenceSourceError('INDEX_MISMATCH', `block ${differing + 1} of the .gzi does not match the FASTA`, {
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
  // bgzip does not list the block at offset 0, but other tools may.
  return blocks.filter(({ coffset, uncompressedOffset, end }) => coffset > 0 && uncompressedOffset !== end);
}
