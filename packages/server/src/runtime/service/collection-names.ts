import { basename } from 'node:path';
import { RefgetError } from '@htskit/protocol';
import type { CollectionCatalogue, RefgetOptions } from '@htskit/refget';

/** The names of the files of collections, without their folders, by digest. Those of stores have no files. */
export type CollectionNames = Readonly<Record<string, readonly string[]>>;

export interface CollectionNamesOptions {
  readonly collections: Pick<CollectionCatalogue, 'list'>;
  /** Returns the paths of the files whose sequences are a collection. */
  readonly pathsOf: (digest: string) => readonly string[];
  /** Default: everybody may read all collections. */
  readonly authorize?: RefgetOptions['authorize'];
}

/** The most collections whose names are returned. */
const MOST_COLLECTIONS = 100;

/** Returns the names of the first collections that a request may read. Throws if that cannot be decided. */
export async function readCollectionNames(
  request: Request,
  { collections, pathsOf, authorize }: CollectionNamesOptions,
): Promise<CollectionNames> {
  const { digests } = await collections.list({ filters: [], start: 0, limit: MOST_COLLECTIONS });
  const names: Record<string, readonly string[]> = {};
  for (const digest of digests) {
    if (await mayReadCollection(request, digest, authorize))
      names[digest] = pathsOf(digest).map((path) => basename(path));
  }
  return names;
}

/** Returns whether a request may read the sequences of a collection. Throws if that cannot be decided. */
export async function mayReadCollection(
  request: Request,
  digest: string,
  authorize: RefgetOptions['authorize'],
): Promise<boolean> {
  if (authorize === undefined) return true;
  const { signal } = request;
  try {
    return (await authorize({ request, resource: 'collection', id: `${digest}/fasta`, signal })) === 'all';
  } catch (error) {
    // The hook throws for a request without a valid token.
    if (error instanceof RefgetError && error.status < 500) return false;
    throw error;
  }
}
