// Slices of sequences in process and over HTTP, importing, bytes on disk, and a download of a whole chromosome.
import { compileHtslib } from '../compile-htslib.mjs';
import { writeGenome } from '../refget/genome.mjs';
import { measureSlices } from '../refget/slices.mjs';
import { openSources } from '../refget/sources.mjs';
import { withTemporaryFolder } from '../temporary-folder.mjs';

export function measure() {
  return withTemporaryFolder(async (folder) => {
    const htslib = compileHtslib(folder, new URL('../refget/faidx-slices.c', import.meta.url));
    const { paths, bases, md5 } = await writeGenome(folder);
    const catalogues = await openSources(paths);
    const sequences = {};
    for (const [kind, catalogue] of Object.entries(catalogues)) {
      [sequences[kind]] = await catalogue.find({ kind: 'md5', digest: md5 });
    }
    return measureSlices({ sequences, paths, bases, htslib });
  });
}
