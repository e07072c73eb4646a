import { ALIGNMENT_FORMATS, type AlignmentFile, toAlignmentFile } from './open-alignments.js';
import { openStore } from './open-store.js';
import { toVariantFile, VARIANT_FORMATS, type VariantFile } from './open-variants.js';
import type { RecordSource } from './source/open-source.js';
import type { HtsgetSource } from './stored/htsget-store.js';
import type { OpenOptions, RecordStore } from './stored/record-store.js';

/** An open file, and its index. */
export interface OpenedRecords<File> {
  readonly file: File;
  /** Reads the index; undefined if there is none. */
  readonly loadIndex: (signal?: AbortSignal) => ReturnType<NonNullable<RecordStore['loadIndex']>>;
}

/** Opens a file of alignments or of variants, as `openRecords` does. */
export async function openStoredFile(
  source: RecordSource | HtsgetSource,
  options: OpenOptions,
): Promise<OpenedRecords<AlignmentFile | VariantFile>> {
  const store = await openStore(source, [...ALIGNMENT_FORMATS, ...VARIANT_FORMATS], options);
  const isAlignments = ALIGNMENT_FORMATS.some(({ name }) => name === store.format);
  return {
    file: isAlignments ? toAlignmentFile(store) : await toVariantFile(store, options),
    loadIndex: async (signal) => store.loadIndex?.(signal),
  };
}
