import { digestFasta, type SequenceDigests } from '@htskit/digest';
import { FaiBuilder, type FaiRecord } from '@htskit/indexes';
import { FastaSourceError } from './fasta-source-error.js';

/** One record of a FASTA: where its bases stand, and their digests. */
export interface DigestedRecord {
  readonly record: FaiRecord;
  readonly digests: SequenceDigests;
}

export interface DigestRecordsOptions {
  /** Bounds the memory. */
  readonly maxSequences: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Finds and digests the records of a FASTA in one pass, from its uncompressed bytes in chunks of any length. Throws
 * IndexError for what is no FASTA or has ragged lines, LIMIT_EXCEEDED for too many records, UNADDRESSABLE for lines that
 * hold bytes that are no letters, and what `chunks` throws.
 */
export async function digestRecords(
  chunks: AsyncIterable<Uint8Array>,
  { maxSequences, signal }: DigestRecordsOptions,
): Promise<DigestedRecord[]> {
  const faiBuilder = new FaiBuilder();
  const found: SequenceDigests[] = [];
  for await (const { name: _, description: __, ...digests } of digestFasta(indexed(chunks, faiBuilder), { signal })) {
    if (found.length === maxSequences) {
      const message = `the FASTA has more than ${maxSequences} sequences`;
      throw new FastaSourceError('LIMIT_EXCEEDED', message, { offset: 0 });
    }
    found.push(digests);
  }
  return faiBuilder.finish().map((record, index) => {
    const digests = found[index];
    if (digests?.length !== record.length) throw unaddressable(record, digests);
    return { record, digests };
  });
}

async function* indexed(chunks: AsyncIterable<Uint8Array>, faiBuilder: FaiBuilder): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of chunks) {
    faiBuilder.push(chunk);
    yield chunk;
  }
}

/** The bases of the digests are letters, those of the record all characters that print, such as the `*` of a protein. */
function unaddressable({ name, length, offset }: FaiRecord, digests: SequenceDigests | undefined): FastaSourceError {
  const message = `${digests?.length ?? 0} of the ${length} characters of the sequence ${name} are letters`;
  return new FastaSourceError('UNADDRESSABLE', `${message}: it cannot be served in place`, { offset });
}
