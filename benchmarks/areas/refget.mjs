// Measures slices of sequences in process and over HTTP, importing, bytes on disk, and downloads of a whole chromosome.
import { compileHtslib } from '../compile-htslib.mjs';
import { measureDownload } from '../refget/download.mjs';
import { writeGenome } from '../refget/genome.mjs';
import { measureHttpSlices } from '../refget/http-slices.mjs';
import { measureDisk, measureImporting } from '../refget/importing.mjs';
import { withServer } from '../refget/server.mjs';
import { measureSlices } from '../refget/slices.mjs';
import { withTemporaryFolder } from '../temporary-folder.mjs';

export function measure() {
  return withTemporaryFolder(async (folder) => {
    const htslib = compileHtslib(folder, new URL('../refget/faidx-slices.c', import.meta.url));
    const genome = await writeGenome(folder);
    return [
      ...(await measureSlices({ ...genome, htslib })),
      ...(await withServer(genome.paths, ({ port }) => measureHttpSlices({ ...genome, port }))),
      ...(await measureImporting(folder, genome)),
      ...(await measureDisk(genome)),
      ...(await measureDownload(folder)),
    ];
  });
}
