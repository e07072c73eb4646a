import { normalizeSequence, type SequenceCharacters } from '@htskit/digest';
import { FastaParser } from '@htskit/formats';
import { type BorrowedBytes, peek } from '@htskit/io';
import type { DigestFastaOptions, DigestPool } from '../digest/digest-pool.js';
import type { RecordPiece } from '../digest/fasta-dispatcher.js';
import type { FastaDigests } from '../digest/record-digests.js';
import { type ExceptionRuns, RunFinder } from './object/exception-runs.js';

/** The part of a record that the head of its object is made from. */
export interface DigestedRecord {
  readonly digests: FastaDigests;
  /** Undefined for a record that is stored as letters. */
  readonly runs: ExceptionRuns | undefined;
}

export interface DigestRecordsOptions extends Pick<DigestFastaOptions, 'characters' | 'signal'> {
  readonly pool: DigestPool;
}

/** Yields the records of a FASTA text in order, each as soon as it has been read. Throws like `DigestPool.digestFasta`. */
export async function* digestRecords(
  text: AsyncIterable<BorrowedBytes>,
  { pool, ...options }: DigestRecordsOptions,
): AsyncGenerator<DigestedRecord, void> {
  const finders: RunFinder[] = [];
  const observer = {
    onRecord: (): void => {
      finders.push(new RunFinder());
    },
    onSequence: ({ bases }: RecordPiece): void => finders.at(-1)?.push(peek(bases)),
  };
  for await (const batch of pool.digestBatches(text, { ...options, observer })) {
    const found = finders.splice(0, batch.length);
    for (const [index, digests] of batch.entries()) yield { digests, runs: found[index]?.finish() };
  }
}

type FastaEvent =
  | { readonly kind: 'record'; readonly name: string }
  | { readonly kind: 'bases'; readonly bases: Uint8Array };

/** Reads the records of a FASTA text one after another. Holds no more than one chunk of the text in memory. */
export class FastaRecords {
  readonly #text: AsyncGenerator<BorrowedBytes, void>;
  readonly #parser = new FastaParser({
    onRecord: (name) => this.#events.push({ kind: 'record', name }),
    onSequence: (bytes) =>
      this.#events.push({ kind: 'bases', bases: normalizeSequence(peek(bytes), { characters: this.#characters }) }),
  });
  readonly #characters: SequenceCharacters;
  #events: FastaEvent[] = [];
  #at = 0;

  constructor(text: AsyncGenerator<BorrowedBytes, void>, characters: SequenceCharacters) {
    this.#text = text;
    this.#characters = characters;
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
