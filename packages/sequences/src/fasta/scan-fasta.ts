import { GziBuilder, type GziIndex } from '@htskit/bgzf';
import type { FaiRecord } from '@htskit/indexes';
import { type ByteSource, readChunks, type SourceStat } from '@htskit/io';
import type { IndexedList } from '../collection/collection-attributes.js';
import { TimeSlice } from '../collection/time-slice.js';
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

/** What to do with the records of a FASTA. */
export interface FastaRecordOptions {
  /** What the sequences and their digests consist of. Default `letters`: `onRecord` receives what is omitted. */
  readonly characters?: CharacterPolicy | undefined;
  /** Called for each record, in order, when the file is read: not if its digests were saved. */
  readonly onRecord?: ((digests: FastaDigests) => void) | undefined;
  /**
   * Called for each record whose bases cannot be read in place, because its lines differ in length or something is between two
   * bases. The record is left out. Without this callback, such a record fails the file with UNADDRESSABLE.
   */
  readonly onUnaddressable?: ((digests: FastaDigests) => void) | undefined;
}

export interface ScanFastaOptions extends FastaRecordOptions {
  readonly data: ByteSource;
  readonly stat: SourceStat;
  readonly isCompressed: boolean;
  readonly maxSequences: number;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: OpenProgress) => void) | undefined;
}

/** The columns of places that each record has. `printed` counts bases and what the digests omit, as a FAI does. */
export const RECORD_PLACES: readonly string[] = ['offset', 'lineBases', 'lineBytes', 'printed'];

type PlacedTable = Pick<SequenceTableData, 'lengths' | 'places'>;

/** Returns the position of a record. */
export function recordAt({ lengths, places }: PlacedTable, row: number, name: string): FaiRecord {
  const at = (column: string): number => places[column]?.[row] ?? 0;
  const [offset, lineBases, lineBytes] = [at('offset'), at('lineBases'), at('lineBytes')];
  return { name, length: lengths[row] ?? 0, offset, lineBases, lineBytes };
}

/** Returns the records that a `.fai` lists: it counts all printable characters, and the first record of each name only. */
export function toFai(
  table: Pick<SequenceTableData, 'lengths' | 'places' | 'names' | 'indexes'>,
): IndexedList<FaiRecord> {
  const { names, lengths, places, indexes } = table;
  const { next } = indexes.byName;
  const repeats = new Uint8Array(next.length === 0 ? 0 : lengths.length);
  for (const row of next) if (row > 0) repeats[row] = 1;
  const rows = repeats.length === 0 ? undefined : Uint32Array.from(repeats.keys()).filter((row) => repeats[row] === 0);
  return {
    length: rows?.length ?? lengths.length,
    at(index) {
      const row = rows === undefined ? index : (rows[index] ?? lengths.length);
      if (row >= lengths.length) return undefined;
      return { ...recordAt(table, row, textAt(names, row)), length: places['printed']?.[row] ?? 0 };
    },
  };
}

/** Returns the blocks of a bgzipped FASTA. */
export function gziOf({ places }: Pick<SequenceTableData, 'places'>): GziIndex | undefined {
  const { coffsets, uncompressedOffsets } = places;
  if (!(coffsets instanceof Float64Array && uncompressedOffsets instanceof Float64Array)) return undefined;
  return { coffsets, uncompressedOffsets };
}

/** Reads a FASTA file once, on all processors, and keeps no more of it in memory than it returns. */
export async function scanFasta(options: ScanFastaOptions): Promise<SequenceTableData> {
  const { isCompressed, signal } = options;
  const builder = isCompressed ? new GziBuilder() : undefined;
  const stored = readStored(options);
  const text = { byteLength: 0 };
  const chunks = builder === undefined ? stored : sharedBgzfPool.inflate(stored, { gzi: builder, requireEof: true });
  const { columns, places } = await scanRecords(countBytes(chunks, text), options);
  const gzi = builder?.finish();
  return toTableData(columns, {
    places: { ...places, ...gzi, textLength: Float64Array.of(text.byteLength) },
    slice: new TimeSlice(signal),
  });
}

async function* readStored({ data, stat, signal, onProgress }: ScanFastaOptions): AsyncGenerator<Uint8Array, void> {
  const { size, version } = stat;
  let bytesRead = 0;
  for await (const chunk of readChunks(data.stream({ start: 0, end: size }, { signal, version }))) {
    yield chunk;
    bytesRead += chunk.length;
    onProgress?.({ bytesRead, size });
  }
}

async function* countBytes(
  chunks: AsyncIterable<Uint8Array>,
  text: { byteLength: number },
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of chunks) {
    text.byteLength += chunk.length;
    yield chunk;
  }
}

export interface ScanRecordsOptions extends FastaRecordOptions {
  readonly maxSequences: number;
  readonly signal?: AbortSignal | undefined;
}

/** The records of a FASTA. */
interface ScannedRecords {
  readonly columns: SequenceColumns;
  /** A column for each of `RECORD_PLACES`. */
  readonly places: Readonly<Record<string, NumberColumn>>;
}

/**
 * Finds and digests the records of a FASTA in one pass over its uncompressed bytes, in chunks of any length. Throws FormatError
 * for text that is not FASTA, LIMIT_EXCEEDED for more than `maxSequences` records, UNADDRESSABLE for a record that cannot be
 * read in place unless `onUnaddressable` receives it, INVALID_RECORD, and whatever `chunks` throws.
 */
export async function scanRecords(
  chunks: AsyncIterable<Uint8Array>,
  { maxSequences, characters, signal, onRecord, onUnaddressable }: ScanRecordsOptions,
): Promise<ScannedRecords> {
  const builder = new SequenceColumnsBuilder();
  const places = new PlacesBuilder();
  let count = 0;
  for await (const batch of placeRecords(chunks, { pool: sharedDigestPool, characters, signal })) {
    count += batch.length;
    if (count > maxSequences) {
      const message = `the FASTA has more than ${maxSequences} sequences`;
      throw new SequenceSourceError('LIMIT_EXCEEDED', message, { offset: 0 });
    }
    for (const { digests, place, offset } of batch) {
      onRecord?.(digests);
      if (place !== undefined) {
        builder.addName(place.name);
        builder.addDigests(digests);
        places.add(place, printedCharacters(digests));
      } else if (onUnaddressable !== undefined) onUnaddressable(digests);
      else throw unaddressable(digests, offset);
    }
  }
  return { columns: builder.finish(), places: places.finish() };
}

/** Collects the columns of `RECORD_PLACES`. */
class PlacesBuilder {
  readonly #offset = new NumberColumnBuilder();
  readonly #lineBases = new NumberColumnBuilder();
  readonly #lineBytes = new NumberColumnBuilder();
  readonly #printed = new NumberColumnBuilder();

  add({ offset, lineBases, lineBytes }: FaiRecord, printed: number): void {
    this.#offset.push(offset);
    this.#lineBases.push(lineBases);
    this.#lineBytes.push(lineBytes);
    this.#printed.push(printed);
  }

  finish(): ScannedRecords['places'] {
    return {
      offset: this.#offset.finish(),
      lineBases: this.#lineBases.finish(),
      lineBytes: this.#lineBytes.finish(),
      printed: this.#printed.finish(),
    };
  }
}

function printedCharacters({ length, omitted }: FastaDigests): number {
  const counts = Object.entries(omitted?.characters ?? {}).filter(([character]) => character.length === 1);
  return counts.reduce((sum, [, count]) => sum + count, length);
}

function unaddressable({ name, omitted }: FastaDigests, offset: number): SequenceSourceError {
  const reason =
    omitted === undefined
      ? 'its lines differ in length'
      : `it holds characters that its digests omit: ${describeOmitted(omitted)}`;
  const message = `record ${JSON.stringify(name)} cannot be read in place, because ${reason}; import the file into a store`;
  return new SequenceSourceError('UNADDRESSABLE', message, { offset });
}
