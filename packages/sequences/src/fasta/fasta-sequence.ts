import { normalizeSequence } from '@htskit/digest';
import { baseOffset, type FaiRecord } from '@htskit/indexes';
import type { ByteRange } from '@htskit/io';
import { toByteStream } from '@htskit/io';
import { checkBaseRange } from '../base-range.js';
import type { BaseRange, NamedSequence, SequenceMetadata } from '../sequence.js';
import { SequenceSourceError } from '../sequence-source-error.js';
import type { FastaBytes } from './fasta-bytes.js';

export interface FastaSequenceOptions {
  readonly metadata: SequenceMetadata;
  /** Where the sequence stands; every base of it is a letter. */
  readonly record: FaiRecord;
  readonly bytes: FastaBytes;
}

/** One record of a FASTA file as a sequence, served from where it stands. */
export function fastaSequence({ metadata, record, bytes }: FastaSequenceOptions): NamedSequence {
  return {
    name: record.name,
    metadata,
    read(range, { signal } = {}) {
      checkBaseRange(range, record.length);
      return readBases({ record, bytes, range, signal });
    },
    stream(range, { signal } = {}) {
      checkBaseRange(range, record.length);
      return toByteStream(streamBases({ record, bytes, range, signal }));
    },
  };
}

interface BaseRead {
  readonly record: FaiRecord;
  readonly bytes: FastaBytes;
  readonly range: BaseRange;
  readonly signal: AbortSignal | undefined;
}

async function readBases({ record, bytes, range, signal }: BaseRead): Promise<Uint8Array> {
  signal?.throwIfAborted();
  if (range.start === range.end) return new Uint8Array(0);
  const byteRange = toByteRange(record, range);
  const bases = normalizeSequence(await bytes.read(byteRange, signal));
  if (bases.length !== range.end - range.start) throw dataMismatch(byteRange);
  return bases;
}

async function* streamBases({ record, bytes, range, signal }: BaseRead): AsyncGenerator<Uint8Array, void> {
  signal?.throwIfAborted();
  if (range.start === range.end) return;
  const byteRange = toByteRange(record, range);
  let missing = range.end - range.start;
  for await (const chunk of bytes.chunks(byteRange, signal)) {
    // Chunks that were read together come one after the other without asking the source.
    signal?.throwIfAborted();
    const bases = normalizeSequence(chunk);
    missing -= bases.length;
    // Before they are sent: Content-Length was announced.
    if (missing < 0) throw dataMismatch(byteRange);
    if (bases.length > 0) yield bases;
  }
  if (missing > 0) throw dataMismatch(byteRange);
}

/** The bytes from the first base to the last one, of a range that is not empty. */
function toByteRange(record: FaiRecord, { start, end }: BaseRange): ByteRange {
  return { start: baseOffset(record, start), end: baseOffset(record, end - 1) + 1 };
}

/** What a source without versions cannot tell: the letters are not where they were. */
function dataMismatch({ start }: ByteRange): SequenceSourceError {
  return new SequenceSourceError('DATA_MISMATCH', 'the FASTA has changed since its digests were computed', {
    offset: start,
  });
}
