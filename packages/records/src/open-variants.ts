import { BcfVariantRecord, VariantHeader, type VariantRecord, VcfVariantRecord } from '@htskit/formats';
import { openStore } from './open-store.js';
import { lineEnd, type RecordFile, toRecordFile, uint32At } from './record-file.js';
import type { RecordSource } from './source/open-source.js';
import type { HtsgetSource } from './stored/htsget-store.js';
import type { RecordStore, StoredFormat, StoreOptions } from './stored/record-store.js';
import { BCF, VCF } from './stored/stored-format.js';

/** An open VCF or BCF file. */
export type VariantFile = RecordFile<VariantHeader, VariantRecord>;

/** How a variant file is opened. */
export interface VariantOptions extends StoreOptions {}

/** Bytes of l_shared and l_indiv. */
const SIZES_BYTES = 8;

/**
 * Opens a VCF file that was compressed by bgzip, or a BCF file, as `openAlignments` does.
 *
 * @example
 * ```ts
 * import { openVariants } from '@htskit/records';
 *
 * const file = await openVariants('variants.vcf.gz');
 * for await (const variant of file.records({ referenceName: 'chr1', start: 1000, end: 2000 })) {
 *   console.log(variant.start, variant.ref, variant.alt, variant.info('AF'), variant.genotype(0)?.alleles);
 * }
 * ```
 */
export async function openVariants(
  source: RecordSource | HtsgetSource,
  options: VariantOptions = {},
): Promise<VariantFile> {
  return toVariantFile(await openStore(source, VARIANT_FORMATS, options), options);
}

/** Formats of variants. */
export const VARIANT_FORMATS: readonly StoredFormat[] = [VCF, BCF];

/** Returns the file of an open store of variants. */
export async function toVariantFile(
  store: RecordStore,
  { signal }: Pick<VariantOptions, 'signal'>,
): Promise<VariantFile> {
  const declared = Array.from(store.header.references.values());
  // The contigs of a VCF file need not be in its header. Like bcftools, takes those of the index then.
  const indexed = declared.length === 0 ? ((await store.indexedNames?.(signal)) ?? []) : [];
  const header = new VariantHeader({ text: store.header.text, extraContigs: indexed });
  const isBcf = store.format === 'BCF';
  return toRecordFile({
    format: store.format,
    header,
    references: [...declared, ...indexed.map((name) => ({ name, length: undefined }))],
    store,
    open: (bytes) => (offset) =>
      (isBcf ? new BcfVariantRecord(header) : new VcfVariantRecord(header)).at(bytes, offset),
    recordEnd: isBcf
      ? (bytes, offset) => offset + SIZES_BYTES + uint32At(bytes, offset) + uint32At(bytes, offset + SIZES_BYTES / 2)
      : lineEnd,
  });
}
