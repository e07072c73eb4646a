// Opens the chromosome from each kind of source.
import { createCatalogue, openFasta, openSequenceStore, openTwoBit } from '@htskit/refget';
import { fileSource } from '@htskit/storage/file';
import { folderStore } from '@htskit/storage/folder';

/**
 * A catalogue for each kind. Of `bgzf` no inflated block is kept, `bgzfHot` keeps as many as it does by default: 4 MiB.
 */
export async function openSources({ fasta, bgzf, twoBit, store }) {
  const data = () => fileSource(bgzf);
  return {
    fasta: createCatalogue(await openFasta({ data: fileSource(fasta) })),
    bgzf: createCatalogue(await openFasta({ data: data(), limits: { cachedBlocks: 0 } })),
    bgzfHot: createCatalogue(await openFasta({ data: data() })),
    twoBit: createCatalogue(await openTwoBit({ data: fileSource(twoBit) })),
    store: await openSequenceStore(folderStore(store)),
  };
}
