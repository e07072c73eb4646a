import { countDosage, GenotypeRows } from '../genotypes/genotype-matrix.js';
import { selectColumns } from '../genotypes/sample-selection.js';
import type { VariantHeader } from '../variant-header.js';
import { createField, type GrowingField, GrowingInfoField, MATRIX_FIELDS } from './growing-fields.js';
import type { VariantColumnField, VariantColumnSelection, VariantColumns } from './variant-columns.js';
import type { CreateSite, VariantSite } from './variant-site.js';

/** Records of a batch by default. */
const DEFAULT_RECORDS = 65_536;

/** The columns of variants, which grow record by record. */
export class GrowingVariants<Field extends VariantColumnField, Info extends string = never> {
  readonly #site: VariantSite;
  /** The genotypes; undefined if no field needs them. */
  readonly #rows: GenotypeRows | undefined;
  readonly #names: readonly string[];
  readonly #fields: readonly (readonly [name: string, column: GrowingField])[];
  readonly #info: readonly (readonly [name: string, column: GrowingField])[];
  readonly #maxRecords: number;
  #length = 0;

  /** Throws `TypeError` for an unknown field. */
  constructor(
    header: VariantHeader,
    createSite: CreateSite,
    { fields, info = [], sampleColumns, maxRecords }: VariantColumnSelection<Field, Info>,
  ) {
    this.#info = info.map((name) => [name, new GrowingInfoField(name, header)]);
    this.#names = fields;
    this.#fields = fields.flatMap((name) => (MATRIX_FIELDS.includes(name) ? [] : [[name, createField(name)]]));
    this.#maxRecords = maxRecords ?? DEFAULT_RECORDS;
    const samples = selectColumns(header.samples.length, sampleColumns);
    const rows = new GenotypeRows(samples.count, maxRecords);
    this.#rows = this.#fields.length < fields.length ? rows : undefined;
    this.#site = createSite(header, rows, samples);
  }

  /** The number of records. */
  get length(): number {
    return this.#length;
  }

  /** Whether the batch must be taken before the next record. */
  get isFull(): boolean {
    return this.#length >= this.#maxRecords || this.#rows?.isFull === true;
  }

  /**
   * Adds the record at `offset`, and returns the offset just after it, or `offset` if the batch must be taken before. Throws
   * `FormatError` for a malformed record, after which the columns must not be used.
   */
  add(bytes: Uint8Array, offset: number): number {
    const site = this.#site;
    site.enter(bytes, offset);
    // First, since the other columns cannot do without a record that they have.
    if (this.#rows !== undefined && !site.addGenotypes()) return offset;
    for (const [, column] of this.#fields) column.push(site);
    for (const [, column] of this.#info) column.push(site);
    this.#length++;
    return site.byteEnd;
  }

  /** Returns the columns, each in memory of its own, and begins an empty batch. */
  take(): VariantColumns<Field, Info> {
    const columns: Record<string, unknown> = { length: this.#length };
    for (const [name, column] of this.#fields) columns[name] = column.take();
    if (this.#info.length > 0)
      columns['info'] = Object.fromEntries(this.#info.map(([name, column]) => [name, column.take()]));
    const genotypes = this.#rows?.take();
    if (genotypes !== undefined && this.#names.includes('genotypes')) columns['genotypes'] = genotypes;
    if (genotypes !== undefined && this.#names.includes('dosage')) columns['dosage'] = countDosage(genotypes);
    this.#length = 0;
    // The constructor created a column for each field and key.
    return columns as unknown as VariantColumns<Field, Info>;
  }
}
