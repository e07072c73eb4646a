import type { ShownReference } from '../records/decode-records.js';
import { BASE, service } from '../service.js';

/** The most collections of the server that are compared with the header of an object. */
const MOST_COLLECTIONS = 20;

/**
 * Finds the genome of an object on this server: the FASTA file of the collection that has most of its references, by name and
 * length. Returns undefined if none of the collections contains one of these references.
 */
export async function findGenome(references: readonly ShownReference[]): Promise<string | undefined> {
  const { results } = await service.collections().catch(() => ({ results: [] }));
  const shared = await Promise.all(
    results.slice(0, MOST_COLLECTIONS).map(async (digest) => {
      const collection = await service.collection(digest).catch(() => undefined);
      return { digest, count: collection === undefined ? 0 : countShared(references, collection) };
    }),
  );
  const best = shared.reduce((a, b) => (b.count > a.count ? b : a), { digest: '', count: 0 });
  return best.count === 0 ? undefined : new URL(`collection/${best.digest}/fasta`, BASE).href;
}

/** Counts the references that a collection has with the same length. The header of a VCF need not have lengths. */
function countShared(
  references: readonly ShownReference[],
  { names, lengths }: { readonly names: readonly string[]; readonly lengths: readonly number[] },
): number {
  const known = new Map(names.map((name, index) => [name, lengths[index]]));
  return references.filter(
    ({ name, length }) => known.has(name) && (length === undefined || known.get(name) === length),
  ).length;
}
