import { normalizeSequence } from '@htskit/digest';
import { FastaParser } from '@htskit/formats';
import type { DigestPool } from '../digest/digest-pool.js';
import type { FastaDigests } from '../digest/record-digests.js';
import { type ExceptionRuns, RunFinder } from './exception-runs.js';
import { SequenceStoreError } from './sequence-store-error.js';

/** The part of a record that the head of its object is made from. */
export interface DigestedRecord {
  readonly digests: FastaDigests;
  /** Undefined for a record that is stored as letters. */
  readonly runs: ExceptionRuns | undefined;
}

export interface DigestRecordsOptions {
  readonly pool: DigestPool;
  readonly signal: AbortSignal | undefined;
}

/** Yields the records of a FASTA text in order, each as soon as it has been read. Throws like `DigestPool.digestFasta`. */
export async function* digestRecords(
  text: AsyncIterable<Uint8Array>,
  { pool, signal }: DigestRecordsOptions,
): AsyncGenerator<DigestedRecord, void> {
  const scanner = new RunScanner();
  for await (const digests of pool.digestFasta(scanner.pass(text), { signal })) {
    const runs = scanner.take();
    if (runs?.name !== digests.name) {
      throw new SequenceStoreError('DATA_MISMATCH', `the runs of the record "${digests.name}" are missing`);
    }
    yield { digests, runs: runs.finder.finish() };
  }
}

interface ScannedRuns {
  readonly name: string;
  readonly finder: RunFinder;
}

/** Finds the runs of the records of a text on its way to the digests, which follow later. */
class RunScanner {
  readonly #parser = new FastaParser({
    onRecord: (name) => {
      this.#finder = new RunFinder();
      this.#records.push({ name, finder: this.#finder });
    },
    onSequence: (bytes) => this.#finder.push(normalizeSequence(bytes)),
  });
  readonly #records: ScannedRuns[] = [];
  #finder = new RunFinder();

  async *pass(text: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of text) {
      this.#parser.push(chunk);
      yield chunk;
    }
    this.#parser.finish();
  }

  /** Removes the first record, which has been scanned completely when its digests are known. */
  take(): ScannedRuns | undefined {
    return this.#records.shift();
  }
}

type FastaEvent =
  | { readonly kind: 'record'; readonly name: string }
  | { readonly kind: 'bases'; readonly bases: Uint8Array };

/** Reads the records of a FASTA text one after another. Holds no more than one chunk of the text in memory. */
export class FastaRecords {
  readonly #text: AsyncGenerator<Uint8Array, void>;
  readonly #parser = new FastaParser({
    onRecord: (name) => this.#events.push({ kind: 'record', name }),
    onSequence: (bytes) => this.#events.push({ kind: 'bases', bases: normalizeSequence(bytes) }),
  });
  #events: FastaEvent[] = [];
  #at = 0;

  constructor(text: AsyncGenerator<Uint8Array, void>) {
    this.#text = text;
  }

  /** Returns the name of the next record, or undefined after the last one. Skips the unread bases of the current record. */
  async next(): Promise<string | undefined> {
    for (let event = await this.#peek(); event !== undefined; event = await this.#peek()) {
      this.#at++;
      if (event.kind === 'record') return event.name;
    }
    return undefined;
  }

  /** Yields the normalised bases of the current record, in pieces. */
  async *bases(): AsyncGenerator<Uint8Array, void> {
    for (let event = await this.#peek(); event?.kind === 'bases'; event = await this.#peek()) {
      this.#at++;
      if (event.bases.length > 0) yield event.bases;
    }
  }

  async close(): Promise<void> {
    await this.#text.return();
  }

  async #peek(): Promise<FastaEvent | undefined> {
    while (this.#at === this.#events.length) {
      this.#events = [];
      this.#at = 0;
      const { done, value } = await this.#text.next();
      if (done !== true) {
        this.#parser.push(value);
        continue;
      }
      this.#parser.finish();
      if (this.#events.length === 0) return undefined;
    }
    return this.#events[this.#at];
  }
}
