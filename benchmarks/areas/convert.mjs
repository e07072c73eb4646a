// Measures the conversion of CRAM to BAM, whole and by region.
import { measureCram } from '../convert/cram.mjs';
import { withTemporaryFolder } from '../temporary-folder.mjs';

export function measure() {
  return withTemporaryFolder(measureCram);
}
