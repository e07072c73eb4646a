import { normalizeSequence } from '@htskit/digest';
import { FastaParser } from '@htskit/formats';

type FastaEvent =
  | { readonly kind: 'record'; readonly name: string }
  | { readonly kind: 'bases'; readonly bases: Uint8Array };

/** Reads the records of a FASTA text one after the other, in constant memory but for what a chunk of it holds. */
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

  /** The name of the next record; undefined behind the last one. What was not taken of the one before is passed by. */
  async next(): Promise<string | undefined> {
    for (let event = await this.#peek(); event !== undefined; event = await this.#peek()) {
      this.#at++;
      if (event.kind === 'record') return event.name;
    }
    return undefined;
  }

  /** The normalised bases of the record at hand, in pieces. */
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
