// Measures the depth of whole files, as commands, its estimate from an index, and requests for it.
import { measureDepth } from '../coverage/depth.mjs';
import { measureEstimate } from '../coverage/estimate.mjs';
import { measureWarmBins } from '../coverage/warm-bins.mjs';
import { findCommand } from '../installed-command.mjs';
import { writeAlignments } from '../records/data/alignment-files.mjs';
import { withTemporaryFolder } from '../temporary-folder.mjs';

/** 4 is 400,000 reads. With fewer, most of the time is the start of Node. */
const { COVERAGE_SCALE: scale = '4' } = process.env;

export function measure() {
  return withTemporaryFolder(async (folder) => {
    const samtools = findCommand('samtools', 'for depths and CRAM');
    const mosdepth = findCommand('mosdepth', 'with libhts.so of libhts-dev');
    const alignments = await writeAlignments(folder, { scale: Number(scale), samtools, isShort: true });
    return [
      ...(await measureDepth(folder, { ...alignments, samtools, mosdepth })),
      ...(await measureEstimate()),
      ...(await measureWarmBins(alignments.paths.short)),
    ];
  });
}
