import type { SequenceDigests } from '@htskit/digest';
import { FaiBuilder, type FaiRecord } from '@htskit/indexes';
import { digestPool } from '../digest-pool.js';
import { SequenceSourceError } from '../sequence-source-error.js';

/** One record of a FASTA: where its bases stand, and their digests. */
export interface DigestedRecord {
  readonly record: FaiRecord;
  readonly digests: SequenceDigests;
}

/**
 * Finds and digests the records of a FASTA in one pass, from its uncompressed bytes in chunks of any length. Throws
 * IndexError for what is no FASTA or has ragged lines, LIMIT_EXCEEDED for more than `maxSequences` records, UNADDRESSABLE
 * for lines that hold bytes that are no letters, and what `chunks` throws.
 */
export async function digestRecords(
  chunks: AsyncIterable<Uint8Array>,
  maxSequences: number,
): Promise<DigestedRecord[]> {
  const records: FaiRecord[] = [];
  const found: SequenceDigests[] = [];
  for await (const { name: _, description: __, ...digests } of digestPool.digestFasta(indexed(chunks, records))) {
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

/** The same chunks; adds the records at the end of them, so that what is wrong with the layout is told first. */
async function* indexed(chunks: AsyncIterable<Uint8Array>, records: FaiRecord[]): AsyncGenerator<Uint8Array, void> {
  const faiBuilder = new FaiBuilder();
  for await (const chunk of chunks) {
    faiBuilder.push(chunk);
    yield chunk;
  }
  for (const record of faiBuilder.finish()) records.push(record);
}

/** The bases of the digests are letters, those of the record all characters that print, such as the `*` of a protein. */
function unaddressable({ name, length, offset }: FaiRecord, digests: SequenceDigests | undefined): SequenceSourceError {
  const message = `${digests?.length ?? 0} of the ${length} characters of the sequence ${name} are letters`;
  return new SequenceSourceError('UNADDRESSABLE', `${message}: it cannot be served in place`, { offset });
}
