import { GziBuilder, type GziIndex } from '@htskit/bgzf';
import { FaiBuilder, type FaiRecord, IndexError } from '@htskit/indexes';
import { type ByteSource, readChunks, type SourceStat } from '@htskit/io';
import type { IndexedList } from '../collection/collection-attributes.js';
import { TimeSlice } from '../collection/time-slice.js';
import { sharedBgzfPool, sharedDigestPool } from '../digest/digest-pool.js';
import type { OpenProgress } from '../sequence.js';
import { SequenceSourceError } from '../sequence-source-error.js';
import { type NumberColumn, NumberColumnBuilder, textAt } from '../table/columns.js';
import {
  type SequenceColumns,
  SequenceColumnsBuilder,
  type SequenceTableData,
  toTableData,
} from '../table/table-data.js';

export interface ScanFastaOptions {
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

/** Returns the positions of all records. */
export function toRecords(table: Pick<SequenceTableData, 'lengths' | 'places' | 'names'>): IndexedList<FaiRecord> {
  const { length } = table.lengths;
  return {
    length,
    at: (row) => (row < length ? recordAt(table, row, textAt(table.names, row)) : undefined),
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
  const { isCompressed, maxSequences, signal } = options;
  const builder = isCompressed ? new GziBuilder() : undefined;
  const stored = readStored(options);
  const text = { byteLength: 0 };
  const chunks = builder === undefined ? stored : sharedBgzfPool.inflate(stored, { gzi: builder, requireEof: true });
  const { columns, places } = await scanRecords(countBytes(chunks, text), maxSequences);
  const gzi = builder?.finish();
  const table = await toTableData(columns, {
    places: { ...places, ...gzi, textLength: Float64Array.of(text.byteLength) },
    slice: new TimeSlice(signal),
  });
  checkNames(table);
  return table;
}

/** Throws IndexError INVALID_DATA if two records have one name. */
function checkNames({ names, places, indexes }: SequenceTableData): void {
  const row = indexes.byName.next.findIndex((next) => next > 0);
  if (row === -1) return;
  const offset = places['offset']?.[indexes.byName.next[row] ?? 0] ?? 0;
  throw new IndexError('INVALID_DATA', `duplicate sequence name "${textAt(names, row)}"`, { offset });
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

/** The records of a FASTA. */
interface ScannedRecords {
  readonly columns: SequenceColumns;
  /** A column for each of `RECORD_PLACES`. */
  readonly places: Readonly<Record<string, NumberColumn>>;
}

/**
 * Finds and digests the records of a FASTA in one pass over its uncompressed bytes, in chunks of any length. Throws IndexError
 * for text that is not FASTA or has lines of unequal length, LIMIT_EXCEEDED for more than `maxSequences` records, UNADDRESSABLE
 * for sequence lines that hold bytes other than letters, and whatever `chunks` throws.
 */
export async function scanRecords(chunks: AsyncIterable<Uint8Array>, maxSequences: number): Promise<ScannedRecords> {
  const builder = new SequenceColumnsBuilder();
  const [offset, characters] = [new NumberColumnBuilder(), new NumberColumnBuilder()];
  const [lineBases, lineBytes] = [new NumberColumnBuilder(), new NumberColumnBuilder()];
  const onRecord = (record: FaiRecord): void => {
    builder.addName(record.name);
    characters.push(record.length);
    offset.push(record.offset);
    lineBases.push(record.lineBases);
    lineBytes.push(record.lineBytes);
  };
  let count = 0;
  for await (const digests of sharedDigestPool.digestFasta(index(chunks, onRecord))) {
    if (count++ === maxSequences) {
      const message = `the FASTA has more than ${maxSequences} sequences`;
      throw new SequenceSourceError('LIMIT_EXCEEDED', message, { offset: 0 });
    }
    builder.addDigests(digests);
  }
  const columns = builder.finish();
  const places = { offset: offset.finish(), lineBases: lineBases.finish(), lineBytes: lineBytes.finish() };
  const expected = characters.finish();
  const row = expected.findIndex((length: number, at: number) => columns.lengths[at] !== length);
  if (row !== -1) {
    const record = recordAt({ lengths: expected, places }, row, textAt(columns.names, row));
    throw unaddressable(record, columns.lengths[row] ?? 0);
  }
  return { columns, places };
}

/** Passes the chunks on. Errors of the layout fail the digests that wait for the next chunk, and take precedence. */
async function* index(
  chunks: AsyncIterable<Uint8Array>,
  onRecord: (record: FaiRecord) => void,
): AsyncGenerator<Uint8Array, void> {
  const faiBuilder = new FaiBuilder({ onRecord });
  for await (const chunk of chunks) {
    faiBuilder.push(chunk);
    yield chunk;
  }
  faiBuilder.finish();
}

/** Digests count letters; the FAI counts every printable character, such as the `*` of a protein. */
function unaddressable({ name, length, offset }: FaiRecord, letters: number): SequenceSourceError {
  const message = `sequence "${name}" cannot be served in place: only ${letters} of its ${length} characters are letters`;
  return new SequenceSourceError('UNADDRESSABLE', message, { offset });
}
