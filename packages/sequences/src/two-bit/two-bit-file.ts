import { FormatError } from '@htskit/formats';
import {
  packedPart,
  parseTwoBitHeader,
  parseTwoBitIndex,
  parseTwoBitRecord,
  TWO_BIT_HEADER_LENGTH,
  TWO_BIT_RECORD_START_LENGTH,
  type TwoBitHeader,
  type TwoBitIndexEntry,
  type TwoBitRecord,
  twoBitByteRange,
  twoBitIndexBounds,
  twoBitRecordLength,
  unpackTwoBit,
} from '@htskit/formats/internal';
import { type ByteSource, type ReadOptions, readChunks, type SourceStat } from '@htskit/io';
import type { BaseRange, ReadBasesOptions } from '../sequence.js';
import { SequenceSourceError } from '../sequence-source-error.js';

/** Bytes of the index in the first read. Its length follows only from the lengths of its names. */
const INDEX_BYTES = 65_536;

export interface TwoBitLimits {
  /** The maximum number of sequences of the file. Default 5,000,000. */
  readonly sequences?: number;
  /** The maximum number of bytes of the runs of N of one sequence, 8 for each run. Default 64 MiB. */
  readonly recordBytes?: number;
}

const DEFAULT_SEQUENCES = 5_000_000;
const DEFAULT_RECORD_BYTES = 2 ** 26;

interface TwoBitFileOptions {
  readonly data: ByteSource;
  readonly stat: SourceStat;
  readonly limits?: TwoBitLimits;
}

/** Reads one version of a 2bit file. */
export class TwoBitFile {
  readonly #header: TwoBitHeader;
  readonly #options: TwoBitFileOptions;

  private constructor(header: TwoBitHeader, options: TwoBitFileOptions) {
    this.#header = header;
    this.#options = options;
  }

  /** Reads the header. Throws FormatError, StorageError, and LIMIT_EXCEEDED for more sequences than allowed. */
  static async open(options: TwoBitFileOptions, signal: AbortSignal | undefined): Promise<TwoBitFile> {
    const { data, stat, limits: { sequences = DEFAULT_SEQUENCES } = {} } = options;
    const read = { signal, version: stat.version };
    const header = parseTwoBitHeader(await data.read({ start: 0, end: TWO_BIT_HEADER_LENGTH }, read));
    if (header.sequenceCount > sequences) {
      const message = `the 2bit file has ${header.sequenceCount} sequences, more than the limit of ${sequences}`;
      throw new SequenceSourceError('LIMIT_EXCEEDED', message, { offset: 8 });
    }
    return new TwoBitFile(header, options);
  }

  /** Reads the names and offsets of all sequences. Throws FormatError, StorageError. */
  readEntries(signal: AbortSignal | undefined): Promise<TwoBitIndexEntry[]> {
    const read = { signal, version: this.#options.stat.version };
    return readIndex(this.#options, { header: this.#header, read });
  }

  /** Reads the length, the runs of N and the position of the bases of a sequence. */
  async readRecord({ offset }: Pick<TwoBitIndexEntry, 'offset'>, signal?: AbortSignal): Promise<TwoBitRecord> {
    const { data, stat, limits: { recordBytes = DEFAULT_RECORD_BYTES } = {} } = this.#options;
    const options = { header: this.#header, offset, fileSize: stat.size };
    const read = { signal, version: stat.version };
    // Clamped, because a source rejects a range that starts past the end.
    const start = Math.min(offset, stat.size);
    const head = await data.read({ start, end: start + TWO_BIT_RECORD_START_LENGTH }, read);
    const length = twoBitRecordLength(head, options);
    if (length > recordBytes) {
      const message = `the runs of N of a sequence take more than ${recordBytes} bytes`;
      throw new SequenceSourceError('LIMIT_EXCEEDED', message, { offset });
    }
    return parseTwoBitRecord(await data.read({ start, end: start + length }, read), options);
  }

  /** Reads bases of a sequence from the bytes that hold them. */
  async readBases(record: TwoBitRecord, range: BaseRange, { signal, into }: ReadBasesOptions): Promise<Uint8Array> {
    const bytes = twoBitByteRange(record, range);
    const { data, stat } = this.#options;
    const packed = await data.read(bytes, {
      signal,
      version: stat.version,
      into: packedPart(into, bytes.end - bytes.start),
    });
    if (packed.length !== bytes.end - bytes.start) throw dataMismatch(bytes.start);
    return unpackTwoBit(packed, record, { ...range, into });
  }

  /** Like `readBases`, in chunks. */
  async *streamBases(
    record: TwoBitRecord,
    { start, end }: BaseRange,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Uint8Array, void> {
    const bytes = twoBitByteRange(record, { start, end });
    const { data, stat } = this.#options;
    let at = start;
    for await (const packed of readChunks(data.stream(bytes, { signal, version: stat.version }))) {
      // A source may return several chunks of one read without checking the signal in between.
      signal?.throwIfAborted();
      const chunkEnd = Math.min(4 * (Math.floor(at / 4) + packed.length), end);
      if (at < chunkEnd) yield unpackTwoBit(packed, record, { start: at, end: chunkEnd });
      at = chunkEnd;
    }
    if (at < end) throw dataMismatch(bytes.start);
  }
}

/** Doubles the length of the read until the last name of the index is complete. */
async function readIndex(
  { data, stat }: TwoBitFileOptions,
  { header, read }: { readonly header: TwoBitHeader; readonly read: ReadOptions },
): Promise<TwoBitIndexEntry[]> {
  const { least, most } = twoBitIndexBounds(header);
  const start = TWO_BIT_HEADER_LENGTH;
  const available = Math.min(most, stat.size - start);
  for (let length = Math.max(least, INDEX_BYTES); ; length *= 2) {
    const bytes = await data.read({ start, end: start + Math.min(length, available) }, read);
    try {
      return parseTwoBitIndex(bytes, header);
    } catch (error) {
      const isCut = error instanceof FormatError && error.code === 'TRUNCATED' && length < available;
      if (!isCut) throw error;
    }
  }
}

/** Detects a file that became shorter even if its source has no versions. */
function dataMismatch(offset: number): SequenceSourceError {
  return new SequenceSourceError('DATA_MISMATCH', 'the 2bit file has changed since it was opened', { offset });
}
