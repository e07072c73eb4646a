import { normalizeSequence } from '@htskit/digest';
import { FastaParser } from '@htskit/formats';
import type { DigestPool, FastaDigests } from '@htskit/sequences';
import { type ExceptionRuns, RunFinder } from './exception-runs.js';
import { SequenceStoreError } from './sequence-store-error.js';

/** What the head of an object needs to know of a record. */
export interface DigestedRecord {
  readonly digests: FastaDigests;
  /** Undefined for one that is stored as letters. */
  readonly runs: ExceptionRuns | undefined;
}

export interface DigestRecordsOptions {
  readonly pool: DigestPool;
  readonly signal: AbortSignal | undefined;
}

/** The records of a FASTA text in order, each as soon as it has been read. Throws as `DigestPool.digestFasta`. */
export async function* digestRecords(
  text: AsyncIterable<Uint8Array>,
  { pool, signal }: DigestRecordsOptions,
): AsyncGenerator<DigestedRecord, void> {
  const scanner = new RunScanner();
  for await (const digests of pool.digestFasta(scanner.pass(text), { signal })) {
    const runs = scanner.take();
    if (runs?.name !== digests.name) {
      throw new SequenceStoreError('DATA_MISMATCH', `the runs of the record ${digests.name} are missing`);
    }
    yield { digests, runs: runs.finder.finish() };
  }
}

interface ScannedRecord {
  readonly name: string;
  readonly finder: RunFinder;
}

/** Finds the runs of the records of a text on its way to the digests, which lag behind. */
class RunScanner {
  readonly #parser = new FastaParser({
    onRecord: (name) => {
      this.#finder = new RunFinder();
      this.#records.push({ name, finder: this.#finder });
    },
    onSequence: (bytes) => this.#finder.push(normalizeSequence(bytes)),
  });
  readonly #records: ScannedRecord[] = [];
  #finder = new RunFinder();

  async *pass(text: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of text) {
      this.#parser.push(chunk);
      yield chunk;
    }
    this.#parser.finish();
  }

  /** The first record that was not taken; all of it has been scanned when its digests are there. */
  take(): ScannedRecord | undefined {
    return this.#records.shift();
  }
}
