import { type VirtualOffset, virtualOffsetFromHalves } from '@htskit/bgzf';
import type { Chunk } from '../chunk.js';
import type { LowerBound } from './lower-bound.js';
import { pseudoBinStatistics, type ReferenceStatistics } from './pseudo-bin.js';
import { type BinList, chunksEnd, type ReferenceBins, readReferenceBins, visitBins } from './reference-bins.js';
import { type BinningFormat, CHUNK_WORDS, type ReferenceTable } from './reference-table.js';
import { regionChunks } from './region-chunks.js';
import { comparePairs, NOWHERE, wordAt } from './words.js';

/** A region of one reference, in bases, 0-based and half-open. */
export interface RegionQuery {
  /** Rank of the reference in the header of the file. */
  readonly referenceId: number;
  readonly start: number;
  readonly end: number;
}

/** An index of a coordinate-sorted BGZF file that bins records by where they lie (SAMv1 §5). */
export interface BinningIndex {
  /** How many references the index describes; a header may name more, which then have no records. */
  readonly referenceCount: number;
  /** How many records have no reference, if the index tells. */
  readonly noCoordinateCount: number | undefined;
  /**
   * The parts of the file that hold every record that overlaps the region, and others too: sorted, apart from each
   * other, none empty. A region that reaches beyond what the index can cover is clipped; an empty region and one of a
   * reference that the index does not describe have no chunks. Throws `IndexError` INVALID_DATA if the reference has a
   * bin twice or a chunk that ends before it starts.
   */
  chunks(query: RegionQuery): Chunk[];
  /** Counts the records of a reference, if the index tells. */
  referenceStatistics(referenceId: number): ReferenceStatistics | undefined;
  /** Where the last record that is placed on a reference ends; undefined if there is none. */
  lastMappedEnd(): VirtualOffset | undefined;
}

/** What the parser of a format contributes. */
export interface BinningIndexParts {
  readonly words: Uint32Array;
  readonly format: BinningFormat;
  readonly references: ReferenceTable;
  readonly lowerBound: LowerBound;
  readonly noCoordinateCount: number | undefined;
}

/** Answers queries from the words of an index as they are. A reference's bins are sorted when it is first queried. */
export class WordsBinningIndex implements BinningIndex {
  readonly #parts: BinningIndexParts;
  readonly #bins = new Map<number, ReferenceBins>();
  #lastMappedEndAt: number | undefined;

  constructor(parts: BinningIndexParts) {
    this.#parts = parts;
  }

  get referenceCount(): number {
    return this.#parts.references.count;
  }

  get noCoordinateCount(): number | undefined {
    return this.#parts.noCoordinateCount;
  }

  chunks({ referenceId, start, end }: RegionQuery): Chunk[] {
    const { words, format, lowerBound } = this.#parts;
    const baseStart = Math.max(start, 0);
    const baseEnd = Math.min(end, format.scheme.span);
    if (!this.#describes(referenceId) || !(baseStart < baseEnd)) return [];
    const bins = this.#referenceBins(referenceId);
    const lowerAt = lowerBound({ referenceId, bins, baseStart });
    return regionChunks({ words, levels: format.scheme.levels, bins, baseStart, baseEnd, lowerAt });
  }

  referenceStatistics(referenceId: number): ReferenceStatistics | undefined {
    const { words, references } = this.#parts;
    const at = this.#describes(referenceId) ? wordAt(references.pseudoBinsAt, referenceId) : NOWHERE;
    return at === NOWHERE ? undefined : pseudoBinStatistics(words, at);
  }

  lastMappedEnd(): VirtualOffset | undefined {
    this.#lastMappedEndAt ??= this.#findLastMappedEnd();
    const at = this.#lastMappedEndAt;
    const { words } = this.#parts;
    return at === NOWHERE ? undefined : virtualOffsetFromHalves(wordAt(words, at), wordAt(words, at + 1));
  }

  #describes(referenceId: number): boolean {
    return Number.isInteger(referenceId) && referenceId >= 0 && referenceId < this.referenceCount;
  }

  #referenceBins(referenceId: number): ReferenceBins {
    let bins = this.#bins.get(referenceId);
    if (bins === undefined) {
      bins = readReferenceBins(this.#binList(referenceId));
      this.#bins.set(referenceId, bins);
    }
    return bins;
  }

  #binList(referenceId: number): BinList {
    const { words, format, references } = this.#parts;
    return {
      words,
      format,
      binsAt: wordAt(references.binsAt, referenceId),
      binCount: wordAt(references.binCounts, referenceId),
    };
  }

  #findLastMappedEnd(): number {
    const { words } = this.#parts;
    let latestAt = NOWHERE;
    for (let referenceId = 0; referenceId < this.referenceCount; referenceId++) {
      visitBins(this.#binList(referenceId), (_, chunksAt) => {
        const end = chunksEnd(words, chunksAt);
        for (let at = chunksAt + 2; at < end; at += CHUNK_WORDS) {
          if (latestAt === NOWHERE || comparePairs(words, at, latestAt) > 0) latestAt = at;
        }
      });
    }
    return latestAt;
  }
}
