import type { VirtualOffset } from '@htskit/bgzf';
import { virtualOffsetFromU64 } from '@htskit/bgzf/internal';
import { finishSteps, type Steps } from '@htskit/io/internal';
import { bytesBetween } from './bin-bytes.js';
import { regionChunks } from './chunk-runs.js';
import type { LowerBound } from './lower-bound.js';
import { RecordStarts } from './record-starts.js';
import { ReferenceBins, type StoredBins, visitChunks } from './reference-bins.js';
import {
  type BinningFormat,
  mayHaveUnmapped,
  pseudoBinStatistics,
  type ReferenceStatistics,
  type ReferenceTable,
} from './reference-table.js';
import { type BinnedRegion, type Chunk, type MergeOptions, mergeChunks, regionInterior } from './region-chunks.js';
import type { ParsedTabixHeader, TabixHeader } from './tabix-header.js';
import { type IndexWords, isLess, NOWHERE, wordAt } from './words.js';

/** A region of one reference in 0-based, half-open coordinates. */
export interface RegionQuery {
  /** Index of the reference in the header of the file, or in the names of the index if it has names. */
  readonly referenceId: number;
  readonly start: number;
  readonly end: number;
}

/**
 * An index of a coordinate-sorted BGZF file that bins records by position: BAI, CSI or TBI (SAMv1 §5, CSIv1, tabix).
 */
export interface BinningIndex {
  readonly format: 'BAI' | 'CSI' | 'TBI';
  /** The smallest bins span 2^`minShift` bases. The single bin `depth` levels above spans 2^(`minShift` + 3 `depth`). */
  readonly minShift: number;
  readonly depth: number;
  /** Number of references in the index. The header may name more, which have no records. */
  readonly referenceCount: number;
  /** Number of records without a reference (n_no_coor), or undefined if the index does not store it. */
  readonly unplacedCount: number | undefined;
  /** The columns of a text file and the names of its references, if this is the TBI or CSI of a text file. */
  readonly tabix: TabixHeader | undefined;
  /** Returns the id of a reference, or undefined if the index has no such name. */
  referenceId(name: string): number | undefined;
  /** Approximate memory in bytes once all references have been queried. */
  readonly byteLength: number;
  /** The auxiliary data of a CSI. Empty for other formats. */
  readonly auxiliaryData: Uint8Array;
  /**
   * Returns the chunks that contain every record overlapping one of the regions, among other records. The chunks are sorted,
   * disjoint and not empty. A region is clipped to the bases that the index covers. An empty region and one of a reference
   * that is not in the index have no chunks. Throws `IndexError` INVALID_DATA if the reference has a duplicate bin, a chunk
   * that ends before it starts, or bins whose chunks contradict a sorted file.
   */
  chunks(regions: RegionQuery | readonly RegionQuery[], options?: MergeOptions): Chunk[];
  /**
   * Returns a chunk in which every record starts within the region, or undefined if the index does not identify one. Further
   * records that overlap the region precede and follow it. Throws the errors of `chunks`.
   */
  interior(region: RegionQuery): Chunk | undefined;
  /**
   * Returns the end of a part of the file that begins at `start` and has at most `byteLength` compressed bytes: the last
   * record start known to the index that is not after that limit. If there is none after `start`, the part is longer and ends
   * at the next known record start. Undefined if none follows.
   */
  splitAt(start: VirtualOffset, byteLength: number): VirtualOffset | undefined;
  /** Returns the numbers of records placed on a reference, or undefined if the index does not store them. */
  referenceStatistics(referenceId: number): ReferenceStatistics | undefined;
  /** Returns the end of the last record that is placed on a reference, or undefined if there is none. */
  lastPlacedEnd(): VirtualOffset | undefined;
  /**
   * Returns about how many bytes of the compressed file the records of a reference take between consecutive edges, which ascend: one
   * number less than edges. The first and the last edge may be infinite.
   */
  bytesBetween(referenceId: number, edges: Float64Array): Float64Array;
}

/** A chunk takes four words, and after a call of `splitAt` another two for its start. */
const WITH_RECORD_STARTS = 1.5;
/** Bytes per reference: five words in the table. */
const REFERENCE_BYTES = 20;
/** Bytes per reference that has bins, as measured: the objects that hold its bins. */
const REFERENCE_BINS_BYTES = 550;
/** Bytes per bin: at most two words, which are two slots, or a slot and its ordinal. */
const BIN_BYTES = 8;

/** The parts of an index that a format's parser reads. */
export interface BinningIndexParts {
  readonly data: IndexWords;
  readonly format: BinningFormat;
  readonly references: ReferenceTable;
  readonly lowerBound: LowerBound;
  readonly unplacedCount: number | undefined;
  readonly tabix?: ParsedTabixHeader;
  readonly auxiliaryData?: Uint8Array;
}

/** Queries the words of an index in place. The bins of a reference are put in order when it is first queried. */
export class WordsBinningIndex implements BinningIndex {
  readonly #parts: BinningIndexParts;
  readonly #bins = new Map<number, ReferenceBins>();
  #summary: ChunkSummary | undefined;

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
    return this.#parts.tabix?.header;
  }

  get auxiliaryData(): Uint8Array {
    return this.#parts.auxiliaryData ?? new Uint8Array(0);
  }

  referenceId(name: string): number | undefined {
    return this.#parts.tabix?.referenceIds.get(name);
  }

  get byteLength(): number {
    const { data, references } = this.#parts;
    const { count, binCounts } = references;
    let binBytes = 0;
    for (let id = 0; id < count; id++) {
      const binCount = wordAt(binCounts, id);
      if (binCount > 0) binBytes += REFERENCE_BINS_BYTES + BIN_BYTES * binCount;
    }
    const nameBytes = this.#parts.tabix?.referenceIds.byteLength ?? 0;
    return data.words.byteLength * WITH_RECORD_STARTS + REFERENCE_BYTES * count + binBytes + nameBytes;
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

  interior(query: RegionQuery): Chunk | undefined {
    const region = this.#binnedRegion(query);
    return region === undefined ? undefined : regionInterior(region);
  }

  splitAt(start: VirtualOffset, byteLength: number): VirtualOffset | undefined {
    return this.#chunkSummary().recordStarts.splitAt(start, byteLength);
  }

  referenceStatistics(referenceId: number): ReferenceStatistics | undefined {
    const { data, references } = this.#parts;
    const at = this.#hasReference(referenceId) ? wordAt(references.pseudoBinsAt, referenceId) : NOWHERE;
    return at === NOWHERE ? undefined : pseudoBinStatistics(data, at);
  }

  lastPlacedEnd(): VirtualOffset | undefined {
    const at = this.#chunkSummary().lastEndAt;
    return at === NOWHERE ? undefined : this.#offsetAt(at);
  }

  bytesBetween(referenceId: number, edges: Float64Array): Float64Array {
    if (!this.#hasReference(referenceId)) return new Float64Array(edges.length - 1);
    return bytesBetween(this.#storedBins(referenceId), edges);
  }

  #offsetAt(at: number): VirtualOffset {
    const { words } = this.#parts.data;
    return virtualOffsetFromU64(wordAt(words, at), wordAt(words, at + 1));
  }

  #regionChunks(query: RegionQuery): Chunk[] {
    const region = this.#binnedRegion(query);
    if (region === undefined) return [];
    const { lowerBound, references, tabix } = this.#parts;
    const { referenceId } = query;
    const { words, bins, baseStart } = region;
    const lowerAt = lowerBound(words, {
      bins,
      baseStart,
      windowsAt: wordAt(references.windowsAt, referenceId),
      windowCount: wordAt(references.windowCounts, referenceId),
      // Text files contain no unmapped records.
      mayHaveUnmapped: tabix === undefined && mayHaveUnmapped(words, wordAt(references.pseudoBinsAt, referenceId)),
    });
    return regionChunks(region, lowerAt);
  }

  /** Clips a region to the scheme. Undefined if it is empty or its reference is not in the index. */
  #binnedRegion({ referenceId, start, end }: RegionQuery): BinnedRegion | undefined {
    const { data, format } = this.#parts;
    const { levels, span } = format.scheme;
    const baseStart = Math.max(start, 0);
    const baseEnd = Math.min(end, span);
    if (!this.#hasReference(referenceId) || !(baseStart < baseEnd)) return undefined;
    const bins = this.#referenceBins(referenceId);
    return { words: data.words, levels, bins, baseStart, baseEnd };
  }

  #hasReference(referenceId: number): boolean {
    return Number.isInteger(referenceId) && referenceId >= 0 && referenceId < this.referenceCount;
  }

  #referenceBins(referenceId: number): ReferenceBins {
    let bins = this.#bins.get(referenceId);
    if (bins === undefined) {
      bins = new ReferenceBins(this.#storedBins(referenceId));
      this.#bins.set(referenceId, bins);
    }
    return bins;
  }

  #storedBins(referenceId: number): StoredBins {
    const { data, format, references } = this.#parts;
    return {
      data,
      format,
      binsAt: wordAt(references.binsAt, referenceId),
      binCount: wordAt(references.binCounts, referenceId),
    };
  }

  #chunkSummary(): ChunkSummary {
    return this.#summary ?? finishSteps(this.prepare());
  }

  /** Finds what `splitAt` and `lastPlacedEnd` need, which otherwise the first call of one of them does. */
  *prepare(): Steps<ChunkSummary> {
    const { data, references } = this.#parts;
    const { words } = data;
    const recordStarts = new RecordStarts(words);
    let lastEndAt = NOWHERE;
    const visit = (chunkAt: number): void => {
      recordStarts.add(chunkAt);
      if (lastEndAt === NOWHERE || isLess(words, lastEndAt, chunkAt + 2)) lastEndAt = chunkAt + 2;
    };
    for (let referenceId = 0; referenceId < this.referenceCount; referenceId++) {
      // Assemblies have a million references, most of them without records.
      if (wordAt(references.binCounts, referenceId) === 0) continue;
      yield* visitChunks(this.#storedBins(referenceId), visit);
    }
    recordStarts.finish();
    this.#summary = { recordStarts, lastEndAt };
    return this.#summary;
  }
}

/** Facts about the chunks of all references. */
interface ChunkSummary {
  readonly recordStarts: RecordStarts;
  /** The position of the greatest end of a chunk, or NOWHERE. */
  readonly lastEndAt: number;
}

function isRegion(regions: RegionQuery | readonly RegionQuery[]): regions is RegionQuery {
  return !Array.isArray(regions);
}
