import type { DepthReadOptions } from '@htskit/coverage';
import { type Command, InvalidArgumentError } from 'commander';
import { STDOUT } from '../../files/standard-streams.js';
import { UsageError } from '../../usage-error.js';
import { addQuiet, addRegions, threadsOption } from '../command-line.js';
import { parseFlags, parseMapq } from '../view/read-selection.js';
import { addRecordTarget, type RecordTargetFlags } from '../view/record-target.js';

/** The options of `htskit depth`. */
export interface DepthFlags extends RecordTargetFlags {
  readonly regionsFile?: string;
  readonly b?: string;
  /** How often `-a` was given. */
  readonly all: number;
  readonly minBaseq: number;
  readonly minMapq: number;
  readonly excludeFlags: number;
  readonly countDeletions: boolean;
  readonly countOverlapsOnce: boolean;
  readonly bin?: number;
  readonly output: string;
  readonly threads?: number;
}

/** Adds the options. Those of one letter mean what they mean to samtools depth. */
export function addDepthOptions(command: Command): Command {
  const described = addQuiet(addRegions(command), '--quiet')
    .option('-b <bed>', 'the same as -L')
    .option(
      '-a, --all',
      'print bases of depth 0, too; twice: those of references without reads',
      (_, count: number) => count + 1,
      0,
    )
    .option('-q, --min-baseq <n>', 'only bases of at least this quality', parseQuality, 0)
    .option('-Q, --min-mapq <n>', 'only reads of at least this mapping quality', parseMapq, 0)
    .option(
      '-G, --exclude-flags <flags>',
      'ignore reads with any of these flags, besides UNMAP, SECONDARY, QCFAIL and DUP',
      parseFlags,
      0,
    )
    .option('-J, --count-deletions', 'count deletions, too', false)
    .option('-s, --count-overlaps-once', 'count bases that both reads of a pair cover once', false)
    .option('--bin <n>', 'print the mean depth of bins of n bases, as bedGraph', parseBin)
    .option(
      '-o, --output <file>',
      'output file, or - for stdout; a name that ends with .bw or .bigwig is a bigWig file',
      STDOUT,
    )
    .addOption(
      threadsOption(
        'threads that read long files ahead; 0: only the main thread (default: one for each processor, up to 4)',
      ),
    );
  return addRecordTarget(described);
}

function parseQuality(text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) <= 255) return Number(text);
  throw new InvalidArgumentError('expected a base quality from 0 to 255; --quiet has no short form here.');
}

function parseBin(text: string): number {
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError('expected a number of bases from 1 to 999,999,999.');
}

/** The forms in which depths are written. */
export type DepthFormat = 'text' | 'bedGraph' | 'bigWig';

/** Returns the form of the output. Throws UsageError for options that it does not have. */
export function formatOf({ output, bin, all }: DepthFlags): DepthFormat {
  const isBigWig = /\.(?:bw|bigwig)$/i.test(output);
  if (all > 0 && (isBigWig || bin !== undefined)) throw new UsageError('-a cannot be combined with --bin or bigWig');
  return isBigWig ? 'bigWig' : bin === undefined ? 'text' : 'bedGraph';
}

/** Returns which records and bases count. Flags are excluded besides those that are excluded by default. */
export function filterOf(
  { minBaseq, minMapq, excludeFlags, countDeletions, countOverlapsOnce }: DepthFlags,
  defaultExcludeFlags: number,
): DepthReadOptions {
  return {
    excludeFlags: defaultExcludeFlags | excludeFlags,
    minMappingQuality: minMapq,
    minBaseQuality: minBaseq,
    countDeletions,
    countOverlapsOnce,
  };
}
