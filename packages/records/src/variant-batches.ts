import type { GenotypeMatrix, VariantColumnField, VariantColumns, VariantHeader } from '@htskit/formats';
import { BcfSite, GrowingVariants, VcfSite } from '@htskit/formats/internal';
import { peek } from '@htskit/io';
import { RecordsError } from './records-error.js';
import type { Regions } from './region.js';
import { checkMaxRecords, type ReadRecordsOptions, type RecordStore } from './stored/record-store.js';

/** How batches of records are read. */
interface BatchOptions extends ReadRecordsOptions {
  /** The maximum number of records of a batch. Default: 65,536, or as many as have 4 MiB of genotypes if those are fewer. */
  readonly maxRecords?: number;
  /** The names of the samples, in the order that their genotypes shall have. Default: all samples of the header. */
  readonly samples?: readonly string[];
}

/** How columns of variants are read. */
export interface VariantColumnOptions<
  Field extends VariantColumnField = VariantColumnField,
  Info extends string = string,
> extends BatchOptions {
  /** The columns: only these exist in a batch. */
  readonly fields: readonly Field[];
  /** Keys of INFO that get a column each. Default: none. */
  readonly info?: readonly Info[];
}

/** How genotypes are read. */
export interface GenotypeOptions<Dosage extends boolean = boolean> extends BatchOptions {
  /** Whether batches have the number of alleles other than REF of each call. Default: false. */
  readonly dosage?: Dosage;
}

/** The genotypes of consecutive records, and the bases of these. It can be transferred: each array has memory of its own. */
export type GenotypeBatch<Dosage extends boolean = false> = VariantColumns<'referenceId' | 'start' | 'end'> &
  GenotypeMatrix &
  (Dosage extends true ? Pick<VariantColumns<'dosage'>, 'dosage'> : unknown);

/** The records that batches are read from. */
interface VariantRecords {
  readonly header: VariantHeader;
  readonly store: Pick<RecordStore, 'format' | 'read' | 'borrowAll'>;
}

/** Yields the columns of the records that overlap regions, or of all records. */
export async function* readVariantColumns<Field extends VariantColumnField, Info extends string = never>(
  { header, store }: VariantRecords,
  regions: Regions | undefined,
  { fields, info = [], samples, maxRecords, ...options }: VariantColumnOptions<Field, Info>,
): AsyncGenerator<VariantColumns<Field, Info>, void> {
  if (maxRecords !== undefined) checkMaxRecords(maxRecords);
  const Site = store.format === 'BCF' ? BcfSite : VcfSite;
  const columns = new GrowingVariants(header, (...parts) => new Site(...parts), {
    fields,
    info,
    ...(maxRecords !== undefined && { maxRecords }),
    ...(samples !== undefined && { sampleColumns: findSamples(header, samples) }),
  });
  const all = regions === undefined ? store.borrowAll?.(options) : undefined;
  for await (const piece of all ?? store.read(regions, { ...options, mayBeKept: true })) {
    const bytes = peek(piece);
    for (let at = 0; at < bytes.length; ) {
      const next = columns.add(bytes, at);
      if (next === at || columns.isFull) yield columns.take();
      at = next;
    }
  }
  if (columns.length > 0) yield columns.take();
}

/** Yields the genotypes of the records that overlap regions, or of all records. */
export async function* readGenotypes<Dosage extends boolean>(
  records: VariantRecords,
  regions: Regions | undefined,
  { dosage: hasDosage, ...options }: GenotypeOptions<Dosage>,
): AsyncGenerator<GenotypeBatch<Dosage>, void> {
  const dosage = hasDosage === true ? (['dosage'] as const) : [];
  const fields = ['referenceId', 'start', 'end', 'genotypes', ...dosage] as const;
  for await (const { genotypes, ...columns } of readVariantColumns(records, regions, { ...options, fields })) {
    // The dosage exists if it is in the type.
    yield { ...columns, ...genotypes } as unknown as GenotypeBatch<Dosage>;
  }
}

/** Returns the columns of samples by their names. */
function findSamples(header: VariantHeader, names: readonly string[]): readonly number[] {
  const found = names.map((name) => {
    const column = header.sampleIndex(name);
    if (column !== undefined) return column;
    throw new RecordsError(
      'UNKNOWN_SAMPLE',
      `unknown sample ${JSON.stringify(name)} (${header.samples.length} samples)`,
    );
  });
  if (new Set(found).size === found.length) return found;
  throw new RangeError('expected each sample once');
}
