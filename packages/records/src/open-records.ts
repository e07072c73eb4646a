import { ALIGNMENT_FORMATS, type AlignmentFile, type AlignmentOptions, toAlignmentFile } from './open-alignments.js';
import { openStore } from './open-store.js';
import { toVariantFile, VARIANT_FORMATS, type VariantFile } from './open-variants.js';
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
  const store = await openStore(source, [...ALIGNMENT_FORMATS, ...VARIANT_FORMATS], {
    ...options,
    reference: toReferenceSource(options.reference),
  });
  const isAlignments = ALIGNMENT_FORMATS.some(({ name }) => name === store.format);
  return isAlignments ? toAlignmentFile(store) : toVariantFile(store, options);
}
