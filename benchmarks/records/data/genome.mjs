import { readFileSync } from 'node:fs';

/** Returns the bases of a FASTA of one sequence on one line. */
export function readFasta(path) {
  const text = readFileSync(path);
  return text.subarray(text.indexOf('\n') + 1, -1);
}
