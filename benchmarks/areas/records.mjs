// Measures records read from files with all of their fields, regions, and variants converted.
import { findCommand } from '../installed-command.mjs';
import { writeAlignments } from '../records/data/alignment-files.mjs';
import { measurePanels } from '../records/panels.mjs';
import { measureVariants } from '../records/variants.mjs';
import { measureBam, measureCram } from '../records/whole-files.mjs';
import { withTemporaryFolder } from '../temporary-folder.mjs';

/** 4 is 400,000 short and 4,000 long reads. */
const { RECORDS_SCALE: scale = '1' } = process.env;

export function measure() {
  return withTemporaryFolder(async (folder) => {
    const samtools = findCommand('samtools', 'for CRAM');
    const alignments = { ...(await writeAlignments(folder, { scale: Number(scale), samtools })), samtools };
    return [
      ...(await measureBam(alignments)),
      ...(samtools === undefined ? [] : await measureCram(alignments)),
      ...(await measurePanels(alignments)),
      ...(await measureVariants(folder)),
    ];
  });
}
