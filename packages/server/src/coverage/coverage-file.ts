import { stat } from 'node:fs/promises';
import { readDepth } from '@htskit/coverage';
import type { BigWigRuns, CramReferenceSource } from '@htskit/formats';
import type { ByteSource } from '@htskit/io';
import { type AlignmentFile, openAlignments } from '@htskit/records';
import { checkUnchanged } from '../files/check-unchanged.js';
import { type BigWigFileOptions, writeBigWigFile } from './big-wig-file.js';
import { toValues } from './depth-values.js';

export interface CoverageFileOptions extends Pick<BigWigFileOptions, 'signal' | 'temporary'> {
  /** The number of threads that read ahead. Default: that of `openAlignments`. */
  readonly workers?: number;
  /** Returns the reference bases of CRAM, which few files need for their depth. */
  readonly reference?: CramReferenceSource;
  /** Called for a file without its EOF marker. */
  readonly onWarning: (warning: Error) => void;
  /** Called with the share of the bases of all references that are done. */
  readonly onProgress?: (share: number) => void;
}

/**
 * Writes the depth of a BAM or CRAM file, at a path or elsewhere, to a bigWig file, which appears complete or not at all. Throws Error
 * if the file changes meanwhile, and the errors of `openAlignments`, `readDepth` and `writeBigWigFile`.
 */
export async function writeCoverageFile(
  input: string | ByteSource,
  output: string,
  { workers, reference, signal, temporary, onWarning, onProgress = () => undefined }: CoverageFileOptions,
): Promise<void> {
  const before = typeof input === 'string' ? await stat(input) : undefined;
  const file = await openAlignments(input, {
    onWarning,
    signal,
    ...(reference !== undefined && { reference }),
    ...(workers !== undefined && { workers }),
  });
  async function* values(): AsyncGenerator<BigWigRuns, void> {
    yield* withShare(toValues(readDepth(file, undefined, { signal })), file.references, onProgress);
    // All reads of a source are of one version.
    if (typeof input === 'string' && before !== undefined) await checkUnchanged(input, before);
  }
  try {
    await writeBigWigFile(output, values(), { references: file.header.references, signal, temporary });
  } finally {
    await file.close();
  }
}

async function* withShare(
  runs: AsyncIterable<BigWigRuns>,
  references: AlignmentFile['references'],
  onProgress: (share: number) => void,
): AsyncGenerator<BigWigRuns, void> {
  const total = references.reduce((sum, { length = 0 }) => sum + length, 0);
  let [referenceId, before] = [0, 0];
  for await (const each of runs) {
    yield each;
    for (; referenceId < each.referenceId; referenceId++) before += references[referenceId]?.length ?? 0;
    onProgress((before + (each.end[each.length - 1] ?? 0)) / total);
  }
}
