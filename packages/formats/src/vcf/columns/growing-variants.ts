import { GrowingColumn } from '../../columns/growing-column.js';
import { countDosage, GenotypeRows } from '../genotypes/genotype-matrix.js';
import { type SampleSelection, selectColumns } from '../genotypes/sample-selection.js';
import type { VariantHeader } from '../variant-header.js';
import type { VariantColumnField, VariantColumnSelection, VariantColumns } from './variant-columns.js';

/** Records of a batch by default. */
const DEFAULT_RECORDS = 65_536;

/** A record of VCF or BCF as columns need it. */
export interface VariantSite {
  /** The offset just after the record. */
  readonly byteEnd: number;
  readonly referenceId: number;
  readonly start: number;
  readonly end: number;
  /** Moves to the record at an offset. */
  enter(bytes: Uint8Array, offset: number): void;
  /** Adds the genotypes of the record. Returns false if the batch must be taken first. */
  addGenotypes(): boolean;
}

/** Creates the site whose genotypes are added to `rows`. */
export type CreateSite = (header: VariantHeader, rows: GenotypeRows, samples: SampleSelection) => VariantSite;

/** A column that grows by the value of each record. */
interface GrowingField {
  push(site: VariantSite): void;
  take(): unknown;
}

/** A column of integers. */
class GrowingInt32 implements GrowingField {
  readonly #column = new GrowingColumn(Int32Array);
  readonly #read: (site: VariantSite) => number;

  constructor(read: (site: VariantSite) => number) {
    this.#read = read;
  }

  push(site: VariantSite): void {
    const at = this.#column.reserve(1);
    this.#column.values[at] = this.#read(site);
  }

  take(): Int32Array<ArrayBuffer> {
    return this.#column.take();
  }
}

/** The fields that hold the genotypes. */
const MATRIX_FIELDS: readonly string[] = ['genotypes', 'dosage'] satisfies VariantColumnField[];

/** Creates the column of each other field. */
const GROWING: Readonly<Record<Exclude<VariantColumnField, 'genotypes' | 'dosage'>, () => GrowingField>> = {
  referenceId: () => new GrowingInt32((site) => site.referenceId),
  start: () => new GrowingInt32((site) => site.start),
  end: () => new GrowingInt32((site) => site.end),
};

/** The columns of variants, which grow record by record. */
export class GrowingVariants<Field extends VariantColumnField> {
  readonly #site: VariantSite;
  /** The genotypes; undefined if no field needs them. */
  readonly #rows: GenotypeRows | undefined;
  readonly #names: readonly string[];
  readonly #fields: readonly (readonly [name: string, column: GrowingField])[];
  readonly #maxRecords: number;
  #length = 0;

  /** Throws `TypeError` for an unknown field. */
  constructor(
    header: VariantHeader,
    createSite: CreateSite,
    { fields, sampleColumns, maxRecords }: VariantColumnSelection<Field>,
  ) {
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
    this.#length++;
    return site.byteEnd;
  }

  /** Returns the columns, each in memory of its own, and begins an empty batch. */
  take(): VariantColumns<Field> {
    const columns: Record<string, unknown> = { length: this.#length };
    for (const [name, column] of this.#fields) columns[name] = column.take();
    const genotypes = this.#rows?.take();
    if (genotypes !== undefined && this.#names.includes('genotypes')) columns['genotypes'] = genotypes;
    if (genotypes !== undefined && this.#names.includes('dosage')) columns['dosage'] = countDosage(genotypes);
    this.#length = 0;
    // The constructor created a column for each field.
    return columns as unknown as VariantColumns<Field>;
  }
}

function createField(name: string): GrowingField {
  for (const [known, create] of Object.entries(GROWING)) if (known === name) return create();
  const known = [...Object.keys(GROWING), ...MATRIX_FIELDS];
  throw new TypeError(`unknown field "${name}"; expected ${known.join(', ')}`);
}
