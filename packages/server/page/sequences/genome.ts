import type { ShownReference } from '../records/decode-records.js';
import { BASE, type Collection, service } from '../service.js';

/** A genome of this server: a sequence collection. */
export interface Genome {
  /** The URL of its FASTA file, whose index is beside it. */
  readonly fasta: string;
  /** The digests of its sequences by name. */
  readonly digests: ReadonlyMap<string, string>;
}

/** The most collections of the server that are compared with the header of an object. */
const MOST_COLLECTIONS = 20;

/**
 * Finds the genome of an object on this server: the collection that has most of its references, by name and length. Returns
 * undefined if none of the collections contains one of these references. Throws ServiceError if they cannot be listed.
 */
export async function findGenome(references: readonly ShownReference[]): Promise<Genome | undefined> {
  const { results } = await service.collections();
  const candidates = await Promise.all(
    results.slice(0, MOST_COLLECTIONS).map(async (digest) => {
      const collection = await service.collection(digest).catch(() => undefined);
      return { digest, collection, count: collection === undefined ? 0 : countShared(references, collection) };
    }),
  );
  const [best] = candidates.toSorted((a, b) => b.count - a.count);
  if (best?.collection === undefined || best.count === 0) return undefined;
  const { names, sequences } = best.collection;
  return {
    fasta: new URL(`collection/${best.digest}/fasta`, BASE).href,
    digests: new Map(names.map((name, index) => [name, sequences[index] ?? ''])),
  };
}

/** Counts the references that a collection has with the same length. The header of a VCF need not have lengths. */
function countShared(references: readonly ShownReference[], { names, lengths }: Collection): number {
  const known = new Map(names.map((name, index) => [name, lengths[index]]));
  return references.filter(
    ({ name, length }) => known.has(name) && (length === undefined || known.get(name) === length),
  ).length;
}
