import type { CramReferenceSource } from '@htskit/formats';
import type { BinningIndex, CraiIndex } from '@htskit/indexes';
import type { IndexStreamOptions } from '@htskit/indexes/internal';
import type { ByteSource, ReadOptions, Weighted } from '@htskit/io';
import type { MemoryAccount } from '@htskit/io/internal';
import type { HtsgetFormat } from '@htskit/protocol';
import type { BgzfFile, ReadHeaderOptions } from '../file/bgzf-file.js';
import type { CramFile } from '../file/cram-file.js';
import type { FileCheck, FileCheckOptions } from '../file/file-check.js';
import type { ConvertingProgram } from '../file/program-lines.js';
import type { Conversion, Plan } from '../plan/plan.js';
import type { PlanInput, PlanQuery } from '../plan/plan-input.js';
import type { SelectedSamples } from '../samples/packed-samples.js';
import type { TransformWorkers } from '../transform/transform.js';

/** A stored file whose header was read. */
export type OpenFile = BgzfFile | CramFile;

/** The index of a stored file. */
export type StoredIndex = BinningIndex | CraiIndex;

/** Returns the index if it is that of a BAM, BCF or VCF file. */
export function asBinning(index: StoredIndex | undefined): BinningIndex | undefined {
  return index !== undefined && 'chunks' in index ? index : undefined;
}

/**
 * One way to store records: as BGZF blocks or as CRAM containers. It holds everything in which they differ until a plan
 * has been verified.
 */
export interface FileFormat<File extends OpenFile = OpenFile, Index extends StoredIndex = StoredIndex> {
  /** Reads the header, and weighs the memory that it takes. Throws what the storage and the decoders throw. */
  readHeader(source: ByteSource, options: ReadHeaderOptions): Promise<Weighted<File>>;
  /** Parses a stored index. Throws what the decoders and the workers throw. */
  parseIndex(bytes: Uint8Array, options: ParseIndexOptions): Promise<Index>;
  /** Creates the index of a whole file, as it would be stored. Throws what the decoders throw. */
  buildIndex(chunks: AsyncIterable<Uint8Array>, limits: BuildIndexLimits): Promise<Uint8Array>;
  /** Whether only an index shows where a long answer with all records can be split. */
  isSplitByIndex(query: PlanQuery, isConverted: boolean): boolean;
  /** Finds the parts in which a file without an index is converted. Absent for formats whose files are converted whole. */
  indexParts?(source: ByteSource, options: ReadOptions & { readonly file: File }): Promise<Index>;
  /** Compares a file with its end and its stored index. Throws what the storage throws. */
  check(source: ByteSource, checked: IndexedFile<File, Index>, options: FileCheckOptions): Promise<FileCheck>;
  /** Creates the conversion to another format. Throws `FormatError` if the header does not allow it. */
  convert(file: File, options: ConvertOptions): Promise<Conversion>;
  /** Plans an answer. Throws `HtsgetError` for a query that the file cannot answer, `IndexError` for an index of another file. */
  plan(input: PlanInput<File, Index>): Plan;
  /**
   * Throws the reason why a plan cannot be delivered as a whole, as far as reading little of the file shows it. Absent for BGZF:
   * there, an index that contradicts the blocks fails when the plan is made or its blocks are read.
   */
  verify?(source: ByteSource, plan: Plan, planned: PlannedFile<File, Index>): Promise<void>;
}

/** Limits of an index that is built, and of the file that it is built from. */
interface BuildIndexLimits extends Pick<IndexStreamOptions, 'maxHeaderBytes' | 'maxRecordBytes' | 'memory'> {
  readonly maxIndexBytes: number;
}

interface ParseIndexOptions {
  /** The maximum number of bytes of the index, stored and uncompressed. */
  readonly maxBytes: number;
  /** Counts the memory of the index. Default: it is not counted. */
  readonly memory: MemoryAccount | undefined;
  readonly workers: TransformWorkers | undefined;
}

export interface IndexedFile<File extends OpenFile = OpenFile, Index extends StoredIndex = StoredIndex> {
  readonly file: File;
  readonly index: Index | undefined;
}

export interface ConvertOptions {
  readonly format: HtsgetFormat;
  /** The contigs that the index of a VCF file names. Those that its header lacks are added, as bcftools does. */
  readonly indexedNames: readonly string[];
  /** The maximum number of uncompressed bytes of a slice of a CRAM file. */
  readonly sliceBytes: number;
  /** Named in the header of BAM. Default: the header is that of the file. */
  readonly program?: ConvertingProgram;
  /** The samples that the header keeps. Default: all. */
  readonly samples?: SelectedSamples;
}

/** The input of a plan, for its verification. */
export interface PlannedFile<File extends OpenFile = OpenFile, Index extends StoredIndex = StoredIndex>
  extends IndexedFile<File, Index>,
    ReadOptions,
    Pick<FileCheck, 'truncation'> {
  readonly query: PlanQuery;
  /** The index, if it was stored beside the file, and so may contradict it. */
  readonly storedIndex: Index | undefined;
  readonly reference: CramReferenceSource | undefined;
  readonly workers: TransformWorkers | undefined;
  readonly client: string | undefined;
}

/** Bytes of an entry of a `Map`, with its key. */
export const MAP_ENTRY_BYTES = 100;
