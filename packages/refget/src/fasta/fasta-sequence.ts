import { normalizeSequence } from '@htskit/digest';
import { baseOffset, type FaiRecord } from '@htskit/indexes';
import { toByteStream } from '../byte-stream.js';
import type { BaseRange, Sequence, SequenceMetadata } from '../sequence.js';
import type { FastaBytes } from './fasta-bytes.js';
import { FastaSourceError } from './fasta-source-error.js';

export interface FastaSequenceOptions {
  readonly metadata: SequenceMetadata;
  /** Where the sequence stands; every base of it is a letter. */
  readonly record: FaiRecord;
  readonly bytes: FastaBytes;
}

/** One record of a FASTA file as a sequence, served from where it stands. */
export function fastaSequence({ metadata, record, bytes }: FastaSequenceOptions): Sequence {
  return {
    metadata,
    stream(range, { signal } = {}) {
      const { start, end } = range;
      if (
        !(
          Number.isSafeInteger(start) &&
          Number.isSafeInteger(end) &&
          0 <= start &&
          start <= end &&
          end <= record.length
        )
      ) {
        throw new RangeError(`bases ${start} to ${end} are not within a sequence of ${record.length}`);
      }
      return toByteStream(readBases({ record, bytes, range, signal }));
    },
  };
}

interface BaseRead {
  readonly record: FaiRecord;
  readonly bytes: FastaBytes;
  readonly range: BaseRange;
  readonly signal: AbortSignal | undefined;
}

async function* readBases({ record, bytes, range, signal }: BaseRead): AsyncGenerator<Uint8Array, void> {
  const { start, end } = range;
  signal?.throwIfAborted();
  if (start === end) return;
  const byteRange = { start: baseOffset(record, start), end: baseOffset(record, end - 1) + 1 };
  let missing = end - start;
  for await (const chunk of bytes.chunks(byteRange, { signal })) {
    // Chunks that were read together come one after the other without asking the source.
    signal?.throwIfAborted();
    const bases = normalizeSequence(chunk);
    missing -= bases.length;
    // Before they are sent: Content-Length was announced.
    if (missing < 0) throw dataMismatch(byteRange.start);
    if (bases.length > 0) yield bases;
  }
  if (missing > 0) throw dataMismatch(byteRange.start);
}

/** What a source without versions cannot tell: the letters are not where they were. */
function dataMismatch(offset: number): FastaSourceError {
  return new FastaSourceError('DATA_MISMATCH', 'the FASTA has changed since its digests were computed', { offset });
}
