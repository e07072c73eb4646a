import type { AlignmentFile, AlignmentOptions } from './open-alignments.js';
import { openStoredFile } from './open-stored-file.js';
import type { VariantFile } from './open-variants.js';
import { toReferenceSource } from './reference/reference-option.js';
import type { RecordSource } from './source/open-source.js';
import type { HtsgetSource } from './stored/htsget-store.js';

/**
 * Opens a file of alignments or of variants, whichever it is, as `openAlignments` does. Its `format` states which.
 *
 * @example
 * ```ts
 * import { openRecords } from '@htskit/records';
 *
 * const file = await openRecords('unknown.gz');
 * console.log(file.format, await file.count());
 * ```
 */
export async function openRecords(
  source: RecordSource | HtsgetSource,
  options: AlignmentOptions = {},
): Promise<AlignmentFile | VariantFile> {
  const { file } = await openStoredFile(source, { ...options, reference: toReferenceSource(options.reference) });
  return file;
}
