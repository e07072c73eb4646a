// Measures what it costs that a replica is new.
import { measureCold } from '../replicas/cold.mjs';
import { withTemporaryFolder } from '../temporary-folder.mjs';

export function measure() {
  return withTemporaryFolder(measureCold);
}
