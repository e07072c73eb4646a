import { LruCache } from '@htskit/io';
import type { Sequence, SequenceCatalogue } from '@htskit/sequences';

/** Sequences that are kept: those of a response often repeat. */
const FOUND_SEQUENCES = 64;

/**
 * Returns a function that finds the sequences of a collection by their sha512t24u digests. It keeps the last ones. It throws
 * Error if there is no such sequence.
 */
export function createSequenceFinder({
  catalogue,
}: {
  readonly catalogue: Pick<SequenceCatalogue, 'find'>;
}): (digest: string) => Promise<Sequence> {
  const found = new LruCache<Sequence>({ maxWeight: FOUND_SEQUENCES });
  return (digest) =>
    found.load(digest, async () => {
      const [value] = await catalogue.find({ kind: 'sha512t24u', digest });
      if (value === undefined) throw new Error(`no sequence ${digest}, which the collection holds`);
      return { value, weight: 1 };
    });
}
