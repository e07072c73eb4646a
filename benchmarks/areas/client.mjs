// Measures downloads from `htskit serve` over loopback: a BAM whole and by region, and sequences.
import { measureRegions } from '../client/regions.mjs';
import { measureSequences, writeSequence } from '../client/sequences.mjs';
import { measureWhole } from '../client/whole.mjs';
import { withHtskit } from '../htskit-serve.mjs';
import { withTemporaryFolder } from '../temporary-folder.mjs';
import { writeBam } from '../write-bam.mjs';

/** Uncompressed bytes, 15 MB as BAM. */
const BAM = { length: 64_000_000, count: 20, longest: 100_000 };

export function measure() {
  return withTemporaryFolder(async (folder) => {
    const bam = await writeBam(folder, 'reads', BAM);
    const sequence = writeSequence(folder);
    return withHtskit(folder, async (url) => [
      ...(await measureWhole({ url, bam, folder })),
      ...(await measureRegions({ url, bam, folder })),
      ...(await measureSequences({ url, sequence })),
    ]);
  });
}
