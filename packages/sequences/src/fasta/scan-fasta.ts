import { formatGzi, GziBuilder, type GziIndex, parseGzi } from '@htskit/bgzf';
import type { SequenceDigests } from '@htskit/digest';
import { FaiBuilder, type FaiRecord, formatFai, parseFai } from '@htskit/indexes';
import { type ByteSource, readChunks, type SourceStat } from '@htskit/io';
import { sharedBgzfPool, sharedDigestPool } from '../digest/digest-pool.js';
import { type DigestCodec, expectList, parseSavedDigests, toSavedDigests } from '../digest-cache.js';
import type { OpenProgress } from '../sequence.js';
import { SequenceSourceError } from '../sequence-source-error.js';

export interface ScanFastaOptions {
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
  const { isCompressed, maxSequences } = options;
  const gzi = isCompressed ? new GziBuilder() : undefined;
  const stored = readStored(options);
  const text = { byteLength: 0 };
  const chunks = gzi === undefined ? stored : sharedBgzfPool.inflate(stored, { gzi, requireEof: true });
  const records = await scanRecords(countBytes(chunks, text), maxSequences);
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

/**
 * Finds and digests the records of a FASTA in one pass over its uncompressed bytes, in chunks of any length. Throws IndexError
 * for text that is not FASTA or has lines of unequal length, LIMIT_EXCEEDED for more than `maxSequences` records, UNADDRESSABLE
 * for sequence lines that hold bytes other than letters, and whatever `chunks` throws.
 */
export async function scanRecords(chunks: AsyncIterable<Uint8Array>, maxSequences: number): Promise<ScannedRecord[]> {
  const records: FaiRecord[] = [];
  const found: SequenceDigests[] = [];
  for await (const { name: _, description: __, ...digests } of sharedDigestPool.digestFasta(index(chunks, records))) {
    if (found.length === maxSequences) {
      const message = `the FASTA has more than ${maxSequences} sequences`;
      throw new SequenceSourceError('LIMIT_EXCEEDED', message, { offset: 0 });
    }
    found.push(digests);
  }
  return records.map((record, index) => {
    const digests = found[index];
    if (digests?.length !== record.length) throw unaddressable(record, digests);
    return { record, digests };
  });
}

/** Passes the chunks on and adds the records at their end, so that errors of the layout take precedence. */
async function* index(chunks: AsyncIterable<Uint8Array>, records: FaiRecord[]): AsyncGenerator<Uint8Array, void> {
  const faiBuilder = new FaiBuilder();
  for await (const chunk of chunks) {
    faiBuilder.push(chunk);
    yield chunk;
  }
  for (const record of faiBuilder.finish()) records.push(record);
}

/** Digests count letters; the FAI counts every printable character, such as the `*` of a protein. */
function unaddressable({ name, length, offset }: FaiRecord, digests: SequenceDigests | undefined): SequenceSourceError {
  const message = `sequence "${name}" cannot be served in place: only ${digests?.length ?? 0} of its ${length} characters are letters`;
  return new SequenceSourceError('UNADDRESSABLE', message, { offset });
}

/** Saves the digests of each record, the FAI as text, and the columns of the GZI. */
export const SCANNED_FASTA_CODEC: DigestCodec<ScannedFasta> = {
  kind: 'fasta',
  toContent: ({ records, gzi, uncompressedLength }) => ({
    uncompressedLength,
    digests: records.map(({ digests }) => toSavedDigests(digests)),
    fai: formatFai(records.map(({ record }) => record)),
    ...(gzi !== undefined && {
      coffsets: Array.from(gzi.coffsets),
      uncompressedOffsets: Array.from(gzi.uncompressedOffsets),
    }),
  }),
  fromContent({ uncompressedLength, digests, fai, coffsets, uncompressedOffsets }) {
    const saved = expectList(digests).map(parseSavedDigests);
    const records = parseFai(new TextEncoder().encode(String(fai))).map((record, index) => {
      const found = saved[index];
      if (found?.length !== record.length) throw new Error('the digests do not match the records');
      return { record, digests: found };
    });
    if (records.length !== saved.length) throw new Error('there are more digests than records');
    const columns = { coffsets: toOffsets(coffsets), uncompressedOffsets: toOffsets(uncompressedOffsets) };
    // Formatting and parsing validates the columns.
    const gzi = coffsets === undefined ? undefined : parseGzi(formatGzi(columns));
    return { records, gzi, uncompressedLength: Number(uncompressedLength) };
  },
};

function toOffsets(value: unknown): Float64Array {
  return Float64Array.from(value === undefined ? [] : expectList(value), Number);
}
