// Measures rewriting of records without some of their fields, tags, keys or samples, and files without some of their records.
import { measureBam } from '../rewrite/bam.mjs';
import { measureSamples } from '../rewrite/samples.mjs';
import { measureVariants } from '../rewrite/variants.mjs';
import { withTemporaryFolder } from '../temporary-folder.mjs';

export function measure() {
  return withTemporaryFolder(async (folder) => {
    const rows = [await measureBam(folder), await measureVariants(folder), await measureSamples(folder)];
    return rows.flat();
  });
}
