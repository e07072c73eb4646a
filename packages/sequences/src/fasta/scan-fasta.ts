import { formatGzi, GziBuilder, type GziIndex, parseGzi } from '@htskit/bgzf';
import type { SequenceDigests } from '@htskit/digest';
import type { FaiRecord } from '@htskit/indexes';
import { type ByteSource, readChunks, type SourceStat } from '@htskit/io';
import { type CharacterPolicy, sharedBgzfPool, sharedDigestPool } from '../digest/digest-pool.js';
import type { FastaDigests } from '../digest/record-digests.js';
import { describeOmitted } from '../digest/record-warnings.js';
import { type DigestCodec, expectList, parseSavedDigests, toSavedDigests } from '../digest-cache.js';
import type { OpenProgress } from '../sequence.js';
import { SequenceSourceError } from '../sequence-source-error.js';
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

/** The position of one record of a FASTA and the digests of its bases. */
export interface ScannedRecord {
  readonly record: FaiRecord;
  readonly digests: SequenceDigests;
  /** Printable characters, which a FAI counts: bases, and what the digests omit. */
  readonly printed: number;
}

export interface ScannedFasta {
  readonly records: readonly ScannedRecord[];
  /** Undefined for a file that is not compressed. */
  readonly gzi: GziIndex | undefined;
  /** Bytes. */
  readonly uncompressedLength: number;
}

/** Reads a FASTA file once, on all processors, and keeps no more of it in memory than it returns. */
export async function scanFasta(options: ScanFastaOptions): Promise<ScannedFasta> {
  const { isCompressed } = options;
  const gzi = isCompressed ? new GziBuilder() : undefined;
  const stored = readStored(options);
  const text = { byteLength: 0 };
  const chunks = gzi === undefined ? stored : sharedBgzfPool.inflate(stored, { gzi, requireEof: true });
  const records = await scanRecords(countBytes(chunks, text), options);
  return { records, gzi: gzi?.finish(), uncompressedLength: text.byteLength };
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

/**
 * Finds and digests the records of a FASTA in one pass over its uncompressed bytes, in chunks of any length. Throws FormatError
 * for text that is not FASTA, LIMIT_EXCEEDED for more than `maxSequences` records, UNADDRESSABLE for a record that cannot be
 * read in place unless `onUnaddressable` receives it, INVALID_RECORD, and whatever `chunks` throws.
 */
export async function scanRecords(
  chunks: AsyncIterable<Uint8Array>,
  { maxSequences, characters, signal, onRecord, onUnaddressable }: ScanRecordsOptions,
): Promise<ScannedRecord[]> {
  const records: ScannedRecord[] = [];
  let count = 0;
  for await (const batch of placeRecords(chunks, { pool: sharedDigestPool, characters, signal })) {
    count += batch.length;
    if (count > maxSequences) {
      const message = `the FASTA has more than ${maxSequences} sequences`;
      throw new SequenceSourceError('LIMIT_EXCEEDED', message, { offset: 0 });
    }
    for (const { digests, place, offset } of batch) {
      onRecord?.(digests);
      if (place !== undefined) records.push(toScanned(digests, place));
      else if (onUnaddressable !== undefined) onUnaddressable(digests);
      else throw unaddressable(digests, offset);
    }
  }
  return records;
}

function toScanned({ length, md5, sha512t24u, trunc512, omitted }: FastaDigests, record: FaiRecord): ScannedRecord {
  const counts = Object.entries(omitted?.characters ?? {}).filter(([character]) => character.length === 1);
  const printed = counts.reduce((sum, [, count]) => sum + count, length);
  return { record, digests: { length, md5, sha512t24u, trunc512 }, printed };
}

function unaddressable({ name, omitted }: FastaDigests, offset: number): SequenceSourceError {
  const reason =
    omitted === undefined
      ? 'its lines differ in length'
      : `it holds characters that its digests omit: ${describeOmitted(omitted)}`;
  const message = `record ${JSON.stringify(name)} cannot be read in place, because ${reason}; import the file into a store`;
  return new SequenceSourceError('UNADDRESSABLE', message, { offset });
}

/** Saves what was found with one policy: of each record its name, place, printed characters and digests. */
export function scannedFastaCodec(characters: CharacterPolicy): DigestCodec<ScannedFasta> {
  return {
    kind: `fasta ${characters}`,
    toContent: ({ records, gzi, uncompressedLength }) => ({
      uncompressedLength,
      records: records.map(({ record: { name, offset, lineBases, lineBytes }, printed, digests }) => [
        [name, offset, lineBases, lineBytes, printed],
        toSavedDigests(digests),
      ]),
      ...(gzi !== undefined && {
        coffsets: Array.from(gzi.coffsets),
        uncompressedOffsets: Array.from(gzi.uncompressedOffsets),
      }),
    }),
    fromContent({ uncompressedLength, records, coffsets, uncompressedOffsets }) {
      const columns = { coffsets: toOffsets(coffsets), uncompressedOffsets: toOffsets(uncompressedOffsets) };
      // Formatting and parsing validates the columns.
      const gzi = coffsets === undefined ? undefined : parseGzi(formatGzi(columns));
      return {
        records: expectList(records).map(parseSavedRecord),
        gzi,
        uncompressedLength: Number(uncompressedLength),
      };
    },
  };
}

function parseSavedRecord(value: unknown): ScannedRecord {
  const [place, saved] = expectList(value);
  const digests = parseSavedDigests(saved);
  const [name, ...numbers] = expectList(place);
  const [offset = -1, lineBases = -1, lineBytes = -1, printed = -1] = numbers.map(Number);
  const areValid = [offset, lineBases, lineBytes, printed].every(
    (number) => Number.isSafeInteger(number) && number >= 0,
  );
  if (!areValid || lineBases > lineBytes || (lineBases === 0 && digests.length > 0)) {
    throw new Error('expected the place of a record');
  }
  return { record: { name: String(name), length: digests.length, offset, lineBases, lineBytes }, digests, printed };
}

function toOffsets(value: unknown): Float64Array {
  return Float64Array.from(value === undefined ? [] : expectList(value), Number);
}
