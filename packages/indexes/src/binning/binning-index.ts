import { type VirtualOffset, virtualOffsetFromU64 } from '@htskit/bgzf';
import { type Chunk, type MergeOptions, mergeChunks } from '../chunk.js';
import type { LowerBound } from './lower-bound.js';
import { findOverlappingBins } from './overlapping-bins.js';
import { mayHaveUnmapped, pseudoBinStatistics, type ReferenceStatistics } from './pseudo-bin.js';
import { RecordStarts } from './record-starts.js';
import { type BinList, chunksEnd, listBins, ReferenceBins } from './reference-bins.js';
import { type BinningFormat, CHUNK_WORDS, type ReferenceTable } from './reference-table.js';
import { regionChunks } from './region-chunks.js';
import { regionInterior } from './region-interior.js';
import type { TabixHeader } from './tabix-header.js';
import { type IndexWords, isLess, NOWHERE, wordAt } from './words.js';

/** A region of one reference, in bases, 0-based and half-open. */
export interface RegionQuery {
  /** Rank of the reference in the header of the file, or in the names of the index where it has some. */
  readonly referenceId: number;
  readonly start: number;
  readonly end: number;
}

/** An index of a coordinate-sorted BGZF file that bins records by where they lie (SAMv1 §5, CSIv1, tabix). */
export interface BinningIndex {
  readonly format: 'BAI' | 'CSI' | 'TBI';
  /** The smallest bins have 2^`minShift` bases; `depth` levels above them, one bin spans 2^(`minShift` + 3 `depth`). */
  readonly minShift: number;
  readonly depth: number;
  /** How many references the index describes; a header may name more, which then have no records. */
  readonly referenceCount: number;
  /** How many records have no reference, if the index tells. */
  readonly unplacedCount: number | undefined;
  /** How a text file is read, and its references' names: in a TBI, and in the CSI of a text file. */
  readonly tabix: TabixHeader | undefined;
  /** The id of a reference by its name, where the index has names; undefined for another one. */
  referenceId(name: string): number | undefined;
  /** Bytes of memory that the index takes once all its references have been asked for, about. */
  readonly byteLength: number;
  /** Auxiliary data of a CSI, as it stands there; otherwise empty. */
  readonly auxiliaryData: Uint8Array;
  /**
   * The parts of the file that hold every record that overlaps one of the regions, and others too: sorted, apart from
   * each other, none empty. A region that reaches beyond what the index can cover is clipped; an empty region and one of
   * a reference that the index does not describe have no chunks. Throws `IndexError` INVALID_DATA if the reference has a
   * bin twice, a chunk that ends before it starts, or bins whose chunks cannot be those of a sorted file.
   */
  chunks(regions: RegionQuery | readonly RegionQuery[], options?: MergeOptions): Chunk[];
  /**
   * A part of the file in which every record starts within the region, as far as the index tells; of those that overlap
   * the region, others precede and follow it. Undefined if there is none. Throws as `chunks`.
   */
  interior(region: RegionQuery): Chunk | undefined;
  /**
   * Where to end a part of the file that begins at `start` and shall have at most `byteLength` compressed bytes: at the last
   * place for that at which a record begins, as far as the index tells, or else at the first one behind `start`; undefined if
   * there is none.
   */
  splitAt(start: VirtualOffset, byteLength: number): VirtualOffset | undefined;
  /** Counts the records of a reference, if the index tells. */
  referenceStatistics(referenceId: number): ReferenceStatistics | undefined;
  /** Where the last record that is placed on a reference ends; undefined if there is none. */
  lastPlacedEnd(): VirtualOffset | undefined;
}

/** A chunk takes four words; where it starts, another two once a part has been split. */
const WITH_RECORD_STARTS = 1.5;
/** Bytes of what is kept of a reference: five words in the table, and the objects around its sorted bins. */
const REFERENCE_BYTES = 220;
/** Bytes of what is kept of a bin: three words among the sorted bins. */
const BIN_BYTES = 12;

/** What the parser of a format contributes. */
export interface BinningIndexParts {
  readonly data: IndexWords;
  readonly format: BinningFormat;
  readonly references: ReferenceTable;
  readonly lowerBound: LowerBound;
  readonly unplacedCount: number | undefined;
  readonly tabix?: TabixHeader | undefined;
  readonly auxiliaryData?: Uint8Array;
}

/** Answers queries from the words of an index as they are. A reference's bins are sorted when it is first queried. */
export class WordsBinningIndex implements BinningIndex {
  readonly #parts: BinningIndexParts;
  readonly #bins = new Map<number, ReferenceBins>();
  #lastMappedEndAt: number | undefined;
  #referenceIds: ReadonlyMap<string, number> | undefined;
  #recordStarts: RecordStarts | undefined;

  constructor(parts: BinningIndexParts) {
    this.#parts = parts;
  }

  get format(): BinningIndex['format'] {
    return this.#parts.format.name;
  }

  get minShift(): number {
    return this.#parts.format.scheme.minShift;
  }

  get depth(): number {
    return this.#parts.format.scheme.levels.length - 1;
  }

  get referenceCount(): number {
    return this.#parts.references.count;
  }

  get unplacedCount(): number | undefined {
    return this.#parts.unplacedCount;
  }

  get tabix(): TabixHeader | undefined {
    return this.#parts.tabix;
  }

  get auxiliaryData(): Uint8Array {
    return this.#parts.auxiliaryData ?? new Uint8Array(0);
  }

  referenceId(name: string): number | undefined {
    this.#referenceIds ??= new Map(this.tabix?.names.map((reference, id) => [reference, id]));
    return this.#referenceIds.get(name);
  }

  get byteLength(): number {
    const { data, references } = this.#parts;
    const binCount = references.binCounts.reduce((sum, count) => sum + count, 0);
    return data.words.byteLength * WITH_RECORD_STARTS + REFERENCE_BYTES * references.count + BIN_BYTES * binCount;
  }

  chunks(regions: RegionQuery | readonly RegionQuery[], options: MergeOptions = {}): Chunk[] {
    if (isRegion(regions)) {
      const chunks = this.#regionChunks(regions);
      return options.maxGap === undefined ? chunks : mergeChunks(chunks, options);
    }
    return mergeChunks(
      regions.flatMap((region) => this.#regionChunks(region)),
      options,
    );
  }

  interior({ referenceId, start, end }: RegionQuery): Chunk | undefined {
    const { data, format } = this.#parts;
    const { levels, span } = format.scheme;
    const baseStart = Math.max(start, 0);
    const baseEnd = Math.min(end, span);
    if (!this.#describes(referenceId) || !(baseStart < baseEnd)) return undefined;
    return regionInterior({ words: data.words, levels, bins: this.#referenceBins(referenceId), baseStart, baseEnd });
  }

  splitAt(start: VirtualOffset, byteLength: number): VirtualOffset | undefined {
    this.#recordStarts ??= new RecordStarts(this.#parts.data.words, this.#chunkPositions());
    return this.#recordStarts.splitAt(start, byteLength);
  }

  referenceStatistics(referenceId: number): ReferenceStatistics | undefined {
    const { data, references } = this.#parts;
    const at = this.#describes(referenceId) ? wordAt(references.pseudoBinsAt, referenceId) : NOWHERE;
    return at === NOWHERE ? undefined : pseudoBinStatistics(data, at);
  }

  lastPlacedEnd(): VirtualOffset | undefined {
    this.#lastMappedEndAt ??= this.#findLastMappedEnd();
    const at = this.#lastMappedEndAt;
    return at === NOWHERE ? undefined : this.#offsetAt(at);
  }

  #offsetAt(at: number): VirtualOffset {
    const { words } = this.#parts.data;
    return virtualOffsetFromU64(wordAt(words, at), wordAt(words, at + 1));
  }

  #regionChunks({ referenceId, start, end }: RegionQuery): Chunk[] {
    const { data, format, lowerBound, references, tabix } = this.#parts;
    const baseStart = Math.max(start, 0);
    const baseEnd = Math.min(end, format.scheme.span);
    if (!this.#describes(referenceId) || !(baseStart < baseEnd)) return [];
    const bins = this.#referenceBins(referenceId);
    const overlapping = findOverlappingBins(bins, format.scheme.levels, baseStart, baseEnd);
    const lowerAt = lowerBound(data.words, {
      bins,
      fromRanks: overlapping.fromRanks,
      baseStart,
      windowsAt: wordAt(references.windowsAt, referenceId),
      windowCount: wordAt(references.windowCounts, referenceId),
      // Nothing in a text file is unmapped.
      mayHaveUnmapped: tabix === undefined && mayHaveUnmapped(data.words, wordAt(references.pseudoBinsAt, referenceId)),
    });
    return regionChunks({ words: data.words, bins, overlapping, lowerAt });
  }

  #describes(referenceId: number): boolean {
    return Number.isInteger(referenceId) && referenceId >= 0 && referenceId < this.referenceCount;
  }

  #referenceBins(referenceId: number): ReferenceBins {
    let bins = this.#bins.get(referenceId);
    if (bins === undefined) {
      bins = new ReferenceBins(this.#binList(referenceId));
      this.#bins.set(referenceId, bins);
    }
    return bins;
  }

  #binList(referenceId: number): BinList {
    const { data, format, references } = this.#parts;
    return {
      data,
      format,
      binsAt: wordAt(references.binsAt, referenceId),
      binCount: wordAt(references.binCounts, referenceId),
    };
  }

  #findLastMappedEnd(): number {
    const { words } = this.#parts.data;
    let latestAt = NOWHERE;
    for (const at of this.#chunkPositions()) {
      if (latestAt === NOWHERE || isLess(words, latestAt, at + 2)) latestAt = at + 2;
    }
    return latestAt;
  }

  /** Where the chunks of all references stand. */
  *#chunkPositions(): Generator<number, void> {
    for (let referenceId = 0; referenceId < this.referenceCount; referenceId++) {
      for (const chunksAt of listBins(this.#binList(referenceId)).bins.values) {
        const end = chunksEnd(this.#parts.data.words, chunksAt);
        for (let at = chunksAt; at < end; at += CHUNK_WORDS) yield at;
      }
    }
  }
}

function isRegion(regions: RegionQuery | readonly RegionQuery[]): regions is RegionQuery {
  return !Array.isArray(regions);
}
