// Measures what it costs to read encrypted files: streams and BGZF blocks of a file against the same file stored plain, and
// `htskit decrypt` against the program of PyPI.
import { measureDecryption } from '../crypt4gh/decrypt-command.mjs';
import { measureSources } from '../crypt4gh/sources.mjs';
import { withTemporaryFolder } from '../temporary-folder.mjs';

export async function measure() {
  return withTemporaryFolder(async (folder) => [
    ...(await measureSources(folder)),
    ...(await measureDecryption(folder)),
  ]);
}
