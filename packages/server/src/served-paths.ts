import { access, constants, stat } from 'node:fs/promises';
import { objectKindOf } from './locations/object-kind.js';
import { isSequenceFile } from './sequence-file.js';

/** The names of files that can be served, as text for people. */
export const SERVED_FILES: string =
  'reads are *.bam and *.cram; variants *.bcf, and *.vcf.gz and *.vcf.bgz from bgzip; ' +
  'sequences *.fa, *.fasta and *.fna, also .gz from bgzip, and *.2bit';

/** The names of indexes. `htskit serve data/*` passes them too; they are found beside their files anyway. */
const INDEX = /\.(bai|csi|crai|tbi|fai|gzi)$/;

/**
 * Throws Error for a path that does not exist or cannot be read, and for one that is neither a folder, nor a file that can be
 * served, nor an index.
 */
export async function checkPaths(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const stats = await stat(path);
    await access(path, constants.R_OK);
    const isKnown = stats.isFile() && (objectKindOf(path) !== undefined || isSequenceFile(path) || INDEX.test(path));
    if (!isKnown && !stats.isDirectory()) throw new Error(`cannot serve ${path}: ${SERVED_FILES}`);
  }
}
