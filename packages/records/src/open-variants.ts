import { BgzfError } from '@htskit/bgzf';
import {
  BcfVariantRecord,
  type VariantColumnField,
  type VariantColumns,
  VariantHeader,
  type VariantRecord,
  VcfVariantRecord,
} from '@htskit/formats';
import { IndexError } from '@htskit/indexes';
import { loadGenotypes, loadVariantColumns } from '#lazy-formats';
import type { GenotypeBatch, GenotypeOptions, VariantColumnOptions } from './columns/variant-batches.js';
import { openStore } from './open-store.js';
import { lineEnd, type RecordFile, toRecordFile, uint32At } from './record-file.js';
import type { Regions } from './region.js';
import type { RecordSource } from './source/open-source.js';
import type { HtsgetSource } from './stored/htsget-store.js';
import type { RecordStore, StoredFormat, StoreOptions } from './stored/record-store.js';
import { BCF, VCF } from './stored/stored-format.js';

/** An open VCF or BCF file. */
export interface VariantFile extends RecordFile<VariantHeader, VariantRecord> {
  /**
   * Yields the same records as batches of columns: typed arrays of the requested fields and keys of INFO, laid out as in Arrow. Fails
   * as `records` does, and with `RecordsError` UNKNOWN_SAMPLE.
   *
   * @example
   * ```ts
   * import { openVariants } from '@htskit/records';
   *
   * const file = await openVariants('variants.vcf.gz');
   * for await (const { length, start, info } of file.columns('chr1', { fields: ['start'], info: ['DP'] })) {
   *   if (info.DP.type !== 'number') continue; // the header declares another type
   *   for (let record = 0; record < length; record++) console.log(start[record], info.DP.values[record]);
   * }
   * ```
   */
  columns<const Field extends VariantColumnField, const Info extends string = never>(
    regions: Regions | undefined,
    options: VariantColumnOptions<Field, Info>,
  ): AsyncGenerator<VariantColumns<Field, Info>, void>;
  /**
   * Yields the genotypes of the same records as batches: numbers of alleles by records, samples and ploidy. Fails as `records` does,
   * and with `RecordsError` UNKNOWN_SAMPLE.
   *
   * @example
   * ```ts
   * import { openVariants } from '@htskit/records';
   *
   * const file = await openVariants('variants.vcf.gz');
   * for await (const { length, start, sampleCount, dosage } of file.genotypes('chr1', { dosage: true })) {
   *   for (let record = 0; record < length; record++) {
   *     const counts = dosage.subarray(record * sampleCount, (record + 1) * sampleCount);
   *     console.log(start[record], counts.filter((count) => count > 0).length, 'carriers');
   *   }
   * }
   * ```
   */
  genotypes<Dosage extends boolean = false>(
    regions?: Regions,
    options?: GenotypeOptions<Dosage>,
  ): AsyncGenerator<GenotypeBatch<Dosage>, void>;
}

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
  const names = new Set(declared.map(({ name }) => name));
  // The header of a VCF file need not declare all contigs. Like bcftools, takes those of the index, too.
  const indexed = store.format === 'VCF' ? await indexedNames(store, signal) : [];
  const extraContigs = indexed.filter((name) => !names.has(name));
  const header = new VariantHeader({ text: store.header.text, extraContigs });
  const isBcf = store.format === 'BCF';
  const file = toRecordFile<VariantHeader, VariantRecord>({
    format: store.format,
    header,
    references: [...declared, ...extraContigs.map((name) => ({ name, length: undefined }))],
    store,
    open: (bytes) => (offset) =>
      (isBcf ? new BcfVariantRecord(header) : new VcfVariantRecord(header)).at(bytes, offset),
    recordEnd: isBcf
      ? (bytes, offset) => offset + SIZES_BYTES + uint32At(bytes, offset) + uint32At(bytes, offset + SIZES_BYTES / 2)
      : lineEnd,
  });
  const records = { header, store };
  return {
    ...file,
    async *columns(regions, options) {
      yield* (await loadVariantColumns())(records, regions, options);
    },
    async *genotypes(regions, options = {}) {
      yield* (await loadGenotypes())(records, regions, options);
    },
  };
}

/** Returns the names of the index. A file can be read without one, and so with a corrupt one. */
async function indexedNames(store: RecordStore, signal: AbortSignal | undefined): Promise<readonly string[]> {
  try {
    return (await store.indexedNames?.(signal)) ?? [];
  } catch (error) {
    if (error instanceof IndexError || error instanceof BgzfError) return [];
    throw error;
  }
}
