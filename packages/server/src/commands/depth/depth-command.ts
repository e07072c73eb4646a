import type { AlignmentFile, Region } from '@htskit/records';
import type { Command } from 'commander';
import { ofFile, ofUrl, UsageError } from '../../errors.js';
import { checkOutput, writeOutput } from '../../files/write-output.js';
import { parseRegion } from '../../stored-file/parse-region.js';
import { escapeControls } from '../../terminal/escape-controls.js';
import { startProgressLine } from '../../terminal/progress.js';
import { isUrlTarget, readIntervals, withInterrupt } from '../command-line.js';
import { isAlignments } from '../view/output-format.js';
import { openRecordTarget, RECORD_TARGET, searchReferences } from '../view/record-target.js';
import { addDepthOptions, type DepthFlags, type DepthFormat, filterOf, formatOf } from './depth-options.js';

const NOTES = `
Prints the reference, the 1-based position and the depth of each base that reads
cover, as samtools depth does; its options mean the same. --bin prints a bedGraph
of mean depths instead, and an output whose name ends with .bw or .bigwig is a
bigWig file, with zoom levels. Both leave out bases, or bins, of depth 0.

Examples:
  htskit depth reads.bam chr1:1M-2M
  htskit depth reads.bam -a -Q 20 -L exons.bed
  htskit depth reads.cram -T genome.fa --bin 1000 -o depth.bedgraph
  htskit depth reads.bam -o depth.bw

Exit codes: 0, 1 (failed), 2 (usage).`;

/** Adds `htskit depth`. */
export function addDepthCommand(program: Command): void {
  const described = program
    .command('depth')
    .description('print the depth of reads, base by base or by bins, or write it as bigWig')
    .argument('<FILE|URL>', 'a BAM or CRAM file, its URL, or the ticket URL of an htsget service');
  const command = addDepthOptions(described).addHelpText('after', NOTES);
  command.action(async (target: string, regions: string[], flags: DepthFlags) => {
    const isUrl = isUrlTarget(target, command, RECORD_TARGET);
    try {
      await withInterrupt((signal) => printDepths({ target, isUrl, regions, flags, signal }));
    } catch (error) {
      if (error instanceof UsageError) command.error(`error: ${escapeControls(error.message)}`);
      throw error;
    }
  });
}

interface DepthTask {
  readonly target: string;
  readonly isUrl: boolean;
  readonly regions: readonly string[];
  readonly flags: DepthFlags;
  readonly signal: AbortSignal;
}

async function printDepths(task: DepthTask): Promise<void> {
  const { target, isUrl, regions, flags, signal } = task;
  const format = formatOf(flags);
  const bed = await readIntervals(regions, flags.b ?? flags.regionsFile);
  await checkOutput(flags.output, isUrl ? [] : [target]);
  const name = (error: unknown): never => {
    throw isUrl ? ofUrl(target, error) : ofFile(target, error);
  };
  const { read: reference } = searchReferences(flags.reference, isUrl);
  const { threads: workers } = flags;
  const opened = await openRecordTarget({ target, isUrl, flags, reference, workers, signal }).catch(name);
  const { file } = opened;
  try {
    if (!isAlignments(file)) throw new UsageError(`${file.format} has no reads; htskit depth needs BAM or CRAM`);
    const selected = bed ?? (regions.length > 0 ? parseRegions(regions, file) : opened.regions);
    await writeDepth(file, { ...task, selected, isBed: bed !== undefined, format }).catch(name);
  } finally {
    await file.close();
  }
}

function parseRegions(texts: readonly string[], { references }: AlignmentFile): readonly Region[] {
  const names = new Set(references.map(({ name }) => name));
  return texts.map((text) => parseRegion(text, (name) => names.has(name)));
}

interface DepthSettings extends DepthTask {
  /** Undefined for the whole file. */
  readonly selected: readonly Region[] | undefined;
  readonly isBed: boolean;
  readonly format: DepthFormat;
}

async function writeDepth(file: AlignmentFile, settings: DepthSettings): Promise<void> {
  const { isUrl, flags, selected, isBed, format, signal } = settings;
  const { DEFAULT_EXCLUDE_FLAGS, depthIntervals, readDepth } = await import('@htskit/coverage');
  const intervals = depthIntervals(file.references, selected, { skipUnknown: isBed });
  const options = { ...filterOf(flags, DEFAULT_EXCLUDE_FLAGS), scan: !isUrl, signal };
  const runs = readDepth(file, selected === undefined ? undefined : intervals, options);
  const progress = startProgressLine(
    (seconds) => `computing the depth, ${Math.floor(seconds)} s`,
    flags.output !== '-',
  );
  try {
    if (format === 'text') {
      const { fillGaps, printDepth } = await import('./depth-text.js');
      const isAll = flags.all > 1 || (selected !== undefined && !isBed);
      const filled = flags.all > 0 ? fillGaps(runs, intervals, { isAll }) : runs;
      await writeOutput(flags.output, printDepth(filled, file.references), { signal });
      return;
    }
    const { printBedGraph, toBins } = await import('./binned-depth.js');
    const { toValues } = await import('../../coverage/depth-values.js');
    const values = flags.bin === undefined ? toValues(runs) : toBins(runs, intervals, flags.bin);
    if (format === 'bedGraph') await writeOutput(flags.output, printBedGraph(values, file.references), { signal });
    else {
      const { writeBigWigFile } = await import('../../coverage/big-wig-file.js');
      const references = file.references.map(({ name, length = 0 }) => ({ name, length }));
      await writeBigWigFile(flags.output, values, { references, signal });
    }
  } finally {
    progress.stop();
  }
}
