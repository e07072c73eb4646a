import { stat } from 'node:fs/promises';
import { isObjectFile } from './objects.js';
import { isFastaFile } from './sequences.js';

/** What files that can be served are called, for people. */
export const SERVED_FILES: string =
  'reads are *.bam and *.cram; variants *.bcf, and *.vcf.gz and *.vcf.bgz from bgzip; ' +
  'sequences *.fa, *.fasta and *.fna, also .gz from bgzip';

/** Throws Error for a path that is not there, and for one that is neither a folder nor a file which can be served. */
export async function checkPaths(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const stats = await stat(path);
    const canBeServed = stats.isDirectory() || (stats.isFile() && (isObjectFile(path) || isFastaFile(path)));
    if (!canBeServed) throw new Error(`${path} cannot be served: ${SERVED_FILES}`);
  }
}
