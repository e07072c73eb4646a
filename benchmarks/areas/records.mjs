// Measures records read from files with all of their fields, regions, and variants converted.
import { findCommand } from '../installed-command.mjs';
import { measureColumns } from '../records/columns.mjs';
import { writeAlignments } from '../records/data/alignment-files.mjs';
import { writeVariants } from '../records/data/variant-files.mjs';
import { measureGenotypes } from '../records/genotypes.mjs';
import { measureMismatches } from '../records/mismatches.mjs';
import { measurePanels } from '../records/panels.mjs';
import { measureVariants } from '../records/variants.mjs';
import { measureBam, measureCram } from '../records/whole-files.mjs';
import { measureWorkers } from '../records/workers.mjs';
import { withTemporaryFolder } from '../temporary-folder.mjs';

/** 4 is 400,000 short and 4,000 long reads. */
const { RECORDS_SCALE: scale = '1' } = process.env;

export function measure() {
  return withTemporaryFolder(async (folder) => {
    const samtools = findCommand('samtools', 'for CRAM');
    const bcftools = findCommand('bcftools', 'for BCF');
    const alignments = { ...(await writeAlignments(folder, { scale: Number(scale), samtools })), samtools };
    const variants = { ...(await writeVariants(folder, { scale: Number(scale), bcftools })), bcftools };
    return [
      ...(await measureBam(alignments)),
      ...(samtools === undefined ? [] : await measureCram(alignments)),
      ...(await measureWorkers(alignments)),
      ...(await measureColumns(alignments)),
      ...(await measureMismatches(alignments)),
      ...(await measurePanels(alignments)),
      ...(await measureGenotypes(variants)),
      ...(await measureVariants(folder)),
    ];
  });
}
