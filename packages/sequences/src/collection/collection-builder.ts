import { TimeSlice } from '@htskit/io/internal';
import type { FastaDigests } from '../digest/record-digests.js';
import { SequenceColumnsBuilder, toLists } from '../table/table-data.js';
import {
  digestCollection,
  type SequenceCollection,
  type SequenceCollectionOptions,
  toCollection,
} from './sequence-collection.js';

/**
 * Collects the digests of a FASTA, in order, as its sequence collection. Takes 60 bytes of memory for each sequence, and its name.
 *
 * @example
 * const builder = new CollectionBuilder();
 * for await (const digests of digestFasta(createReadStream('genome.fa'))) builder.add(digests);
 * console.log((await builder.finish())?.digest);
 */
export class CollectionBuilder {
  readonly #columns = new SequenceColumnsBuilder();

  add(digests: Pick<FastaDigests, 'name' | 'length' | 'md5' | 'sha512t24u'>): void {
    this.#columns.addName(digests.name);
    this.#columns.addDigests(digests);
  }

  /** Returns undefined for no sequences, which form no collection. Yields to the event loop while it computes. */
  async finish({ signal }: SequenceCollectionOptions = {}): Promise<SequenceCollection | undefined> {
    const lists = toLists(this.#columns.finish());
    return lists.names.length === 0
      ? undefined
      : toCollection(lists, await digestCollection(lists, new TimeSlice(signal)));
  }
}
