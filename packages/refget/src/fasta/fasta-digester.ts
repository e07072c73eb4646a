import { SequenceDigester, type SequenceDigests } from '@htskit/digest';
import { FastaParser } from '@htskit/formats';
import { FaiBuilder, type FaiRecord } from '@htskit/indexes';
import { FastaSourceError } from './fasta-source-error.js';

/** One record of a FASTA: where its bases stand, and their digests. */
export interface DigestedRecord {
  readonly record: FaiRecord;
  readonly digests: SequenceDigests;
}

/** Finds and digests the records of a FASTA in one pass, from its uncompressed bytes in chunks of any length. */
export class FastaDigester {
  readonly #maxSequences: number;
  readonly #faiBuilder = new FaiBuilder();
  readonly #parser = new FastaParser({
    onRecord: () => this.#beginRecord(),
    // The digester drops the line ends that the bytes still hold.
    onSequence: (bytes) => this.#digester?.update(bytes),
  });
  readonly #digests: SequenceDigests[] = [];
  #digester: SequenceDigester | undefined;

  /** `maxSequences` bounds the memory. */
  constructor(maxSequences: number) {
    this.#maxSequences = maxSequences;
  }

  /** Throws IndexError for what is no FASTA or has ragged lines, LIMIT_EXCEEDED for too many records. */
  push(chunk: Uint8Array): void {
    this.#faiBuilder.push(chunk);
    this.#parser.push(chunk);
  }

  /** Every record in file order. Throws as `push`, and UNADDRESSABLE for lines that hold bytes that are no letters. */
  finish(): DigestedRecord[] {
    const records = this.#faiBuilder.finish();
    this.#parser.finish();
    this.#endRecord();
    return records.map((record, index) => {
      const digests = this.#digests[index];
      if (digests?.length !== record.length) throw unaddressable(record, digests);
      return { record, digests };
    });
  }

  #beginRecord(): void {
    this.#endRecord();
    if (this.#digests.length === this.#maxSequences) {
      throw new FastaSourceError('LIMIT_EXCEEDED', `the FASTA has more than ${this.#maxSequences} sequences`, {
        offset: 0,
      });
    }
    this.#digester = new SequenceDigester();
  }

  #endRecord(): void {
    if (this.#digester !== undefined) this.#digests.push(this.#digester.digest());
    this.#digester = undefined;
  }
}

/** The bases of the digests are letters, those of the record all characters that print, such as the `*` of a protein. */
function unaddressable({ name, length, offset }: FaiRecord, digests: SequenceDigests | undefined): FastaSourceError {
  const message = `${digests?.length ?? 0} of the ${length} characters of the sequence ${name} are letters`;
  return new FastaSourceError('UNADDRESSABLE', `${message}: it cannot be served in place`, { offset });
}
