import { BgzfReader } from '@htskit/bgzf';
import type { SequenceCharacters } from '@htskit/digest';
import { normalizeInPlace } from '@htskit/digest/internal';
import { baseOffset, type FaiRecord } from '@htskit/indexes';
import { type ByteRange, type ByteSource, peek, readChunks, toOwned } from '@htskit/io';
import {
  type BaseRange,
  type NamedSequence,
  type ReadBasesOptions,
  type SequenceMetadata,
  toSequence,
} from '../sequence.js';
import { SequenceSourceError } from '../sequence-source-error.js';

export interface FastaSequenceOptions {
  readonly metadata: SequenceMetadata;
  /** The position of the sequence, without gaps between its bases. */
  readonly record: FaiRecord;
  /** The characters that count as bases. */
  readonly characters: SequenceCharacters;
  /** The uncompressed bytes of the FASTA. */
  readonly text: ByteSource;
  /** The version that all bytes must have; undefined for a source without versions. */
  readonly version: string | undefined;
}

/** Returns one record of a FASTA file as a sequence that is read in place. */
export function fastaSequence(options: FastaSequenceOptions): NamedSequence {
  const { metadata, record } = options;
  return {
    name: record.name,
    ...toSequence(metadata, {
      read: (range, readOptions) => readBases(options, range, readOptions),
      chunks: (range, signal) => streamBases(options, range, signal),
    }),
  };
}

async function readBases(
  { record, characters, text, version }: FastaSequenceOptions,
  range: BaseRange,
  { signal, into }: ReadBasesOptions,
): Promise<Uint8Array> {
  signal?.throwIfAborted();
  if (range.start === range.end) return new Uint8Array(0);
  const byteRange = toByteRange(record, range);
  const bases = normalizeInPlace(await text.read(byteRange, { signal, version, into }), characters);
  if (bases.length !== range.end - range.start) throw dataMismatch(byteRange);
  return bases;
}

async function* streamBases(
  { record, characters, text, version }: FastaSequenceOptions,
  range: BaseRange,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void> {
  signal?.throwIfAborted();
  if (range.start === range.end) return;
  const byteRange = toByteRange(record, range);
  let missing = range.end - range.start;
  const options = { signal, version };
  const isCompressed = text instanceof BgzfReader;
  const chunks = isCompressed ? text.inflate(byteRange, options) : readChunks(text.stream(byteRange, options));
  for await (const chunk of chunks) {
    // A source may return several chunks of one read without checking the signal in between.
    signal?.throwIfAborted();
    const bases = normalizeInPlace(isCompressed ? toOwned(chunk) : peek(chunk), characters);
    missing -= bases.length;
    // Checked before the bases are sent, because a response has announced its Content-Length.
    if (missing < 0) throw dataMismatch(byteRange);
    if (bases.length > 0) yield bases;
  }
  if (missing > 0) throw dataMismatch(byteRange);
}

/** Returns the bytes from the first base to the last one of a range that is not empty. */
function toByteRange(record: FaiRecord, { start, end }: BaseRange): ByteRange {
  return { start: baseOffset(record, start), end: baseOffset(record, end - 1) + 1 };
}

/** Detects a changed file even if its source has no versions: the letters are no longer in the same places. */
function dataMismatch({ start }: ByteRange): SequenceSourceError {
  return new SequenceSourceError('DATA_MISMATCH', 'the FASTA has changed since its digests were computed', {
    offset: start,
  });
}
