import { stat } from 'node:fs/promises';
import { readDepth } from '@htskit/coverage';
import type { BigWigRuns } from '@htskit/formats';
import { type AlignmentFile, openAlignments } from '@htskit/records';
import { warn } from '../../terminal/messages.js';
import { writeBigWigFile } from '../depth/big-wig-file.js';
import { toValues } from '../depth/binned-depth.js';
import { searchReferences } from '../view/record-target.js';
import { checkUnchanged } from './index-file.js';

/** The extension that is appended to the name of a file for its coverage. */
export const COVERAGE_EXTENSION = '.coverage.bw';

export interface CoverageFileOptions {
  /** The number of threads that read ahead. Default: that of `openAlignments`. */
  readonly workers?: number;
  readonly signal: AbortSignal;
  /** Called with the share of the bases of all references that are done. */
  readonly onProgress: (share: number) => void;
}

/**
 * Writes the depth of a BAM or CRAM file to a bigWig file, which appears complete or not at all. Throws Error if the file changes
 * meanwhile, and the errors of `openAlignments`, `readDepth` and `writeBigWigFile`.
 */
export async function writeCoverageFile(
  path: string,
  output: string,
  { workers, signal, onProgress }: CoverageFileOptions,
): Promise<void> {
  const before = await stat(path);
  const { read: reference } = searchReferences(undefined, false);
  const onWarning = ({ message }: Error): void => warn(`${path}: ${message}`);
  const file = await openAlignments(path, { reference, onWarning, signal, ...(workers !== undefined && { workers }) });
  async function* values(): AsyncGenerator<BigWigRuns, void> {
    yield* withShare(toValues(readDepth(file, undefined, { signal })), file.references, onProgress);
    await checkUnchanged(path, before);
  }
  try {
    await writeBigWigFile(output, values(), { references: file.header.references, signal });
  } finally {
    await file.close();
  }
}

async function* withShare(
  runs: AsyncIterable<BigWigRuns>,
  references: AlignmentFile['references'],
  onProgress: CoverageFileOptions['onProgress'],
): AsyncGenerator<BigWigRuns, void> {
  const total = references.reduce((sum, { length = 0 }) => sum + length, 0);
  let [referenceId, before] = [0, 0];
  for await (const each of runs) {
    yield each;
    for (; referenceId < each.referenceId; referenceId++) before += references[referenceId]?.length ?? 0;
    onProgress((before + (each.end[each.length - 1] ?? 0)) / total);
  }
}
