import { separateStores } from './open-sequences.node.js';
import type { SequencePaths } from './sequence-roots.node.js';
import { type WatchedSequenceOptions, WatchedSequences } from './watched-sequences.node.js';

export interface SequenceCatalogueOptions
  extends Omit<SequencePaths, 'paths'>,
    Pick<WatchedSequenceOptions, 'cache' | 'startProgress' | 'stores'> {
  /** Receives messages about files that cannot be served. Default `console.error`. */
  readonly log?: ((message: string) => void) | undefined;
}

/**
 * Opens the sequences of FASTA (plain or bgzipped) and 2bit files, of folders with such files, and of sequence stores.
 * Digests are computed in the background, unless they were cached before; `settled()` waits for them. Files that appear,
 * change or are deleted are noticed. Throws system errors for a path that does not exist, and Error for malformed aliases.
 *
 * @example
 * const sequences = await sequenceCatalogue(['/data/GRCh38.fa.gz'], { namingAuthority: 'ucsc', circular: ['chrM'] });
 * const handler = createRefgetHandler({ catalogue: sequences, collections: sequences.collections });
 */
export async function sequenceCatalogue(
  paths: string | readonly string[],
  { log = console.error, stores = [], ...options }: SequenceCatalogueOptions = {},
): Promise<WatchedSequences> {
  const separated = await separateStores([paths].flat());
  return WatchedSequences.open({
    ...options,
    paths: separated.paths,
    stores: [...stores, ...separated.stores],
    log: (message) => log(message),
  });
}
