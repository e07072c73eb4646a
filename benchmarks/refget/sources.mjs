// Opens the sequences of each kind of source.
import { createCatalogue } from '@htskit/refget';
import { openFasta, openSequenceStore, openTwoBit } from '@htskit/sequences';
import { fileSource } from '@htskit/storage/file';
import { folderStore } from '@htskit/storage/folder';

/** `bgzf` caches no inflated block, `bgzfHot` as many as by default: 4 MiB. */
const OPEN = {
  fasta: async ({ fasta }) => createCatalogue(await openFasta({ data: fileSource(fasta) })),
  bgzf: async ({ bgzf }) => createCatalogue(await openFasta({ data: fileSource(bgzf), limits: { cacheBytes: 0 } })),
  bgzfHot: async ({ bgzf }) => createCatalogue(await openFasta({ data: fileSource(bgzf) })),
  twoBit: async ({ twoBit }) => createCatalogue(await openTwoBit({ data: fileSource(twoBit) })),
  store: ({ store }) => openSequenceStore(folderStore(store)),
};
/** The kinds that are served from the same file. */
const FILE_OF = { bgzfHot: 'bgzf' };

/** Returns a catalogue for each kind that has a path. */
export async function openSources(paths) {
  const kinds = Object.keys(OPEN).filter((kind) => paths[FILE_OF[kind] ?? kind] !== undefined);
  const catalogues = {};
  for (const kind of kinds) catalogues[kind] = await OPEN[kind](paths);
  return catalogues;
}
