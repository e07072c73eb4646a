import { access, constants, stat } from 'node:fs/promises';
import { objectKindOf } from './locations/object-kind.js';
import { isSequenceFile } from './sequence-file.js';

/** What files that can be served are called, for people. */
export const SERVED_FILES: string =
  'reads are *.bam and *.cram; variants *.bcf, and *.vcf.gz and *.vcf.bgz from bgzip; ' +
  'sequences *.fa, *.fasta and *.fna, also .gz from bgzip, and *.2bit';

/** Of indexes, which `htskit serve data/*` names, too. They are found beside their files, named or not. */
const INDEX = /\.(bai|csi|crai|tbi|fai|gzi)$/;

/**
 * Throws Error for a path that is not there or cannot be read, and for one that is neither a folder nor a file which can be
 * served, nor an index.
 */
export async function checkPaths(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const stats = await stat(path);
    await access(path, constants.R_OK);
    const isKnown = stats.isFile() && (objectKindOf(path) !== undefined || isSequenceFile(path) || INDEX.test(path));
    if (!isKnown && !stats.isDirectory()) throw new Error(`${path} cannot be served: ${SERVED_FILES}`);
  }
}
