// Measures records read from files with all of their fields, and variants converted.
import { measureAlignments } from '../records/alignments.mjs';
import { measureVariants } from '../records/variants.mjs';
import { withTemporaryFolder } from '../temporary-folder.mjs';

export function measure() {
  return withTemporaryFolder(async (folder) => {
    const rows = [await measureAlignments(folder), await measureVariants(folder)];
    return rows.flat();
  });
}
