import { GziBuilder, type GziIndex } from '@htskit/bgzf';
import type { FaiRecord } from '@htskit/indexes';
import type { BorrowedBytes, ByteSource, SourceStat } from '@htskit/io';
import { TimeSlice } from '@htskit/io/internal';
import type { IndexedList } from '../collection/collection-attributes.js';
import { countBytes, readStored } from '../digest/decompress.js';
import { type CharacterPolicy, sharedBgzfPool, sharedDigestPool } from '../digest/digest-pool.js';
import type { FastaDigests } from '../digest/record-digests.js';
import { describeOmitted } from '../digest/record-warnings.js';
import type { OpenProgress } from '../sequence.js';
import { SequenceSourceError } from '../sequence-source-error.js';
import { type NumberColumn, NumberColumnBuilder, textAt } from '../table/columns.js';
import {
  type SequenceColumns,
  SequenceColumnsBuilder,
  type SequenceTableData,
  toTableData,
} from '../table/table-data.js';
import { placeRecords } from './placed-records.js';

/** Options for the records of a FASTA. */
export interface FastaRecordOptions {
  /** The characters that the sequences and their digests consist of. Default `letters`: `onRecord` receives what is omitted. */
  readonly characters?: CharacterPolicy;
  /** Called for each record, in order, when the file is read: not if its digests were saved. */
  readonly onRecord?: (digests: FastaDigests) => void;
  /**
   * Called, when the file is read, for each record whose bases cannot be read in place, because its lines differ in length or
   * something is between two bases. The record is left out. Without this callback, it fails the file with UNADDRESSABLE.
   */
  readonly onUnaddressable?: (digests: FastaDigests) => void;
}

export interface ScanFastaOptions extends FastaRecordOptions {
  readonly data: ByteSource;
  readonly stat: SourceStat;
  readonly isCompressed: boolean;
  readonly maxSequences: number;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: OpenProgress) => void) | undefined;
}

/** The columns of places that each record has. */
export const RECORD_PLACES: readonly string[] = ['offset', 'lineBases', 'lineBytes'];

/** Returns the position of a record. */
export function recordAt(
  { lengths, places }: Pick<SequenceTableData, 'lengths' | 'places'>,
  row: number,
  name: string,
): FaiRecord {
  const at = (column: string): number => places[column]?.[row] ?? 0;
  const [offset, lineBases, lineBytes] = [at('offset'), at('lineBases'), at('lineBytes')];
  return { name, length: lengths[row] ?? 0, offset, lineBases, lineBytes };
}

/** Returns the records that a `.fai` lists: it counts all printable characters, and the first record of each name only. */
export function toFaiRecords(table: SequenceTableData): IndexedList<FaiRecord> {
  const { names, places, indexes } = table;
  const lengths = places['printed'] ?? table.lengths;
  const repeated = new Set(indexes.byName.next.filter((row) => row > 0));
  const rows = repeated.size === 0 ? undefined : Uint32Array.from(lengths.keys()).filter((row) => !repeated.has(row));
  const { length } = rows ?? lengths;
  return {
    length,
    at(index) {
      const row = rows?.[index] ?? index;
      return index < length ? recordAt({ lengths, places }, row, textAt(names, row)) : undefined;
    },
  };
}

/** Returns the number of records that were left out, because they cannot be read in place. */
export function leftOutOf({ places }: Pick<SequenceTableData, 'places'>): number {
  return places['leftOut']?.[0] ?? 0;
}

/** Returns the blocks of a bgzipped FASTA. */
export function gziOf({ places }: Pick<SequenceTableData, 'places'>): GziIndex | undefined {
  const { coffsets, uncompressedOffsets } = places;
  if (!(coffsets instanceof Float64Array && uncompressedOffsets instanceof Float64Array)) return undefined;
  return { coffsets, uncompressedOffsets };
}

/** Reads a FASTA file once, on all processors, and keeps no more of it in memory than it returns. */
export async function scanFasta(options: ScanFastaOptions): Promise<SequenceTableData> {
  const { isCompressed, stat, signal, onProgress } = options;
  const builder = isCompressed ? new GziBuilder() : undefined;
  let bytesRead = 0;
  const onRead = (byteLength: number): void => {
    bytesRead += byteLength;
    onProgress?.({ bytesRead, size: stat.size });
  };
  const stored = readStored({ ...options, onRead });
  const text = { byteLength: 0 };
  const chunks = builder === undefined ? stored : sharedBgzfPool.inflate(stored, { gzi: builder, requireEof: true });
  const { columns, places } = await scanRecords(countBytes(chunks, text), options);
  const gzi = builder?.finish();
  return toTableData(columns, {
    places: { ...places, ...gzi, textLength: Float64Array.of(text.byteLength) },
    slice: new TimeSlice(signal),
    isCollection: leftOutOf({ places }) === 0,
  });
}

/** The records of a FASTA. */
interface ScannedRecords {
  readonly columns: SequenceColumns;
  /**
   * A column for each of `RECORD_PLACES`; `printed`, which counts what the digests omit as well as the bases, if it differs
   * from the lengths; and `leftOut` if there are such records.
   */
  readonly places: Readonly<Record<string, NumberColumn>>;
}

export interface ScanRecordsOptions extends FastaRecordOptions {
  readonly maxSequences: number;
  readonly signal?: AbortSignal;
}

/**
 * Finds and digests the records of a FASTA in one pass over its uncompressed bytes, in chunks of any length. Throws FormatError
 * for text that is not FASTA, LIMIT_EXCEEDED for more than `maxSequences` records, UNADDRESSABLE, INVALID_RECORD, and whatever
 * `chunks` throws.
 */
export async function scanRecords(
  chunks: AsyncIterable<BorrowedBytes>,
  { maxSequences, characters, signal, onRecord, onUnaddressable }: ScanRecordsOptions,
): Promise<ScannedRecords> {
  const builder = new SequenceColumnsBuilder();
  const [offset, printed] = [new NumberColumnBuilder(), new NumberColumnBuilder()];
  const [lineBases, lineBytes] = [new NumberColumnBuilder(), new NumberColumnBuilder()];
  const counts = { records: 0, leftOut: 0, omitting: 0 };
  for await (const batch of placeRecords(chunks, { pool: sharedDigestPool, characters, signal })) {
    counts.records += batch.length;
    if (counts.records > maxSequences) {
      const message = `the FASTA has more than ${maxSequences} sequences`;
      throw new SequenceSourceError('LIMIT_EXCEEDED', message, { offset: 0 });
    }
    for (const { digests, place, offset: at } of batch) {
      onRecord?.(digests);
      if (place === undefined) {
        if (onUnaddressable === undefined) throw unaddressable(digests, at);
        onUnaddressable(digests);
        counts.leftOut++;
        continue;
      }
      if (digests.omitted !== undefined) counts.omitting++;
      builder.addName(digests.name);
      builder.addDigests(digests);
      offset.push(place.offset);
      lineBases.push(place.lineBases);
      lineBytes.push(place.lineBytes);
      printed.push(printedLength(digests));
    }
  }
  const places = { offset: offset.finish(), lineBases: lineBases.finish(), lineBytes: lineBytes.finish() };
  return {
    columns: builder.finish(),
    places: {
      ...places,
      ...(counts.omitting > 0 && { printed: printed.finish() }),
      ...(counts.leftOut > 0 && { leftOut: Uint32Array.of(counts.leftOut) }),
    },
  };
}

/** Returns the number of printable characters of a record, which a FAI counts. */
function printedLength({ length, omitted }: FastaDigests): number {
  if (omitted === undefined) return length;
  const printed = Object.entries(omitted.characters).filter(([character]) => character.length === 1);
  return printed.reduce((sum, [, count]) => sum + count, length);
}

function unaddressable({ name, omitted }: FastaDigests, offset: number): SequenceSourceError {
  const reason =
    omitted === undefined
      ? 'its lines differ in length'
      : `it holds characters that its digests omit: ${describeOmitted(omitted)}`;
  const message = `record ${JSON.stringify(name)} cannot be read in place, because ${reason}; import the file into a store`;
  return new SequenceSourceError('UNADDRESSABLE', message, { offset });
}
