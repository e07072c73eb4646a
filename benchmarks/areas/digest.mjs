// Measures MD5 and sha512t24u of whole FASTA files on all processors, and of one sequence on one thread.
import { measureOneThread } from '../digest/one-thread.mjs';
import { measureWholeFasta } from '../digest/whole-fasta.mjs';
import { withTemporaryFolder } from '../temporary-folder.mjs';

export async function measure() {
  return [...(await withTemporaryFolder(measureWholeFasta)), ...(await measureOneThread())];
}
