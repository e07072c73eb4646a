// Measures rewriting of records without some of their fields, tags or keys.
import { measureBam } from '../rewrite/bam.mjs';
import { measureVariants } from '../rewrite/variants.mjs';
import { withTemporaryFolder } from '../temporary-folder.mjs';

export function measure() {
  return withTemporaryFolder(async (folder) => {
    const rows = [await measureBam(folder), await measureVariants(folder)];
    return rows.flat();
  });
}
