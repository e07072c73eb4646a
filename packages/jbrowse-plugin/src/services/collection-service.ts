import { RefgetClient } from '@htskit/client';
import type { Fetch } from '@htskit/http';
import { fetchJson } from './fetch-json.js';

/** A sequence of a collection. */
export interface CollectionSequence {
  readonly name: string;
  readonly length: number;
  /** The id of the sequence for refget. */
  readonly id: string;
}

/** A collection of millions of contigs has hundreds of megabytes. */
const MOST_BYTES = 2 ** 29;

/** The sequences of a collection, by the names that the collection gives them. */
export class SequenceCollection {
  readonly sequences: ReadonlyMap<string, CollectionSequence>;
  readonly #client: RefgetClient;

  private constructor(sequences: readonly CollectionSequence[], client: RefgetClient) {
    this.sequences = new Map(sequences.map((sequence) => [sequence.name, sequence]));
    this.#client = client;
  }

  /**
   * Reads a collection (refget Sequence Collections 1.0.0, level 2). `refgetUrl` is the URL of the service that has its sequences.
   * Throws what `fetchJson` throws, and TypeError for another document.
   */
  static async open(
    collectionUrl: string,
    { refgetUrl, fetch }: { readonly refgetUrl: string; readonly fetch: Fetch },
  ): Promise<SequenceCollection> {
    const document = await fetchJson(collectionUrl, fetch, MOST_BYTES);
    return new SequenceCollection(toSequences(document), new RefgetClient({ servers: [refgetUrl], fetch }));
  }

  /** Returns the bases of an interval, cut at the end of the sequence; undefined for an unknown name. Throws `RefgetClientError`. */
  async bases(name: string, start: number, end: number): Promise<string | undefined> {
    const sequence = this.sequences.get(name);
    if (sequence === undefined) return undefined;
    const last = Math.min(end, sequence.length);
    if (start >= last) return '';
    return new TextDecoder().decode(await this.#client.sequence(sequence.id, { start, end: last }));
  }
}

function toSequences(document: unknown): readonly CollectionSequence[] {
  const { names, lengths, sequences } = (document ?? {}) as Partial<Record<string, unknown>>;
  if (!Array.isArray(names) || !Array.isArray(lengths) || !Array.isArray(sequences)) {
    throw new TypeError('the server answered with something other than a sequence collection');
  }
  return names.map((name, index) => ({
    name: String(name),
    length: Number(lengths[index]),
    id: String(sequences[index]),
  }));
}
