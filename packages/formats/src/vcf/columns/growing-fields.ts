import { GrowingColumn } from '../../columns/growing-column.js';
import { GrowingList, type ListColumn } from '../../columns/list-column.js';
import { FormatError } from '../../format-error.js';
import type { VariantHeader } from '../variant-header.js';
import { createInfo, type GrowingInfo, GrowingNumbers } from './growing-info.js';
import type { InfoColumn, NumberColumn, TextListColumn, VariantColumnField } from './variant-columns.js';
import type { GrowingTexts, VariantSite } from './variant-site.js';

/** A column that grows by the value of each record. */
export interface GrowingField {
  push(site: VariantSite): void;
  take(): unknown;
}

const MAX_INT32 = 2 ** 31 - 1;

/** A column of integers. Throws `FormatError` `LIMIT_EXCEEDED` for those that take more than 32 bits. */
class GrowingInt32 implements GrowingField {
  readonly #column = new GrowingColumn(Int32Array);
  readonly #read: (site: VariantSite) => number;

  constructor(read: (site: VariantSite) => number) {
    this.#read = read;
  }

  push(site: VariantSite): void {
    const value = this.#read(site);
    if (value > MAX_INT32) throw new FormatError('LIMIT_EXCEEDED', `position ${value} is over 2^31 - 1`, { offset: 0 });
    const at = this.#column.reserve(1);
    this.#column.values[at] = value;
  }

  take(): Int32Array<ArrayBuffer> {
    return this.#column.take();
  }
}

/** A column of texts. */
class GrowingTextField implements GrowingField {
  readonly #list: GrowingTexts = new GrowingList(Uint8Array);
  readonly #append: (site: VariantSite, list: GrowingTexts) => void;

  constructor(append: (site: VariantSite, list: GrowingTexts) => void) {
    this.#append = append;
  }

  push(site: VariantSite): void {
    this.#append(site, this.#list);
  }

  take(): ListColumn<Uint8Array<ArrayBuffer>> {
    return this.#list.take();
  }
}

/** The column of alleles. */
class GrowingAlleles implements GrowingField {
  readonly #texts: GrowingTexts = new GrowingList(Uint8Array);
  readonly #offsets = new GrowingColumn(Int32Array);
  /** The texts so far. */
  #count = 0;

  constructor() {
    this.#pushOffset();
  }

  push(site: VariantSite): void {
    this.#count += site.pushAlleles(this.#texts);
    this.#pushOffset();
  }

  take(): TextListColumn {
    const offsets = this.#offsets.take();
    this.#count = 0;
    this.#pushOffset();
    return { offsets, values: this.#texts.take() };
  }

  #pushOffset(): void {
    const at = this.#offsets.reserve(1);
    this.#offsets.values[at] = this.#count;
  }
}

/** The column of QUAL. */
class GrowingQuality implements GrowingField {
  readonly #numbers = new GrowingNumbers(Float32Array);

  push(site: VariantSite): void {
    this.#numbers.push(site.quality);
  }

  take(): NumberColumn<Float32Array<ArrayBuffer>> {
    return this.#numbers.take();
  }
}

/** The column of a key of INFO. */
export class GrowingInfoField implements GrowingField {
  readonly #name: string;
  readonly #column: GrowingInfo;

  constructor(name: string, header: VariantHeader) {
    this.#name = name;
    this.#column = createInfo(header.strings.byName.get(name)?.info);
  }

  push(site: VariantSite): void {
    site.pushInfo(this.#name, this.#column);
  }

  take(): InfoColumn {
    return this.#column.take();
  }
}

/** The fields that hold genotypes. */
export const MATRIX_FIELDS: readonly string[] = ['genotypes', 'dosage'] satisfies VariantColumnField[];

/** Creates the column of each other field. */
const GROWING: Readonly<Record<Exclude<VariantColumnField, 'genotypes' | 'dosage'>, () => GrowingField>> = {
  referenceId: () => new GrowingInt32((site) => site.referenceId),
  start: () => new GrowingInt32((site) => site.start),
  end: () => new GrowingInt32((site) => site.end),
  ids: () => new GrowingTextField((site, list) => site.pushId(list)),
  alleles: () => new GrowingAlleles(),
  quality: () => new GrowingQuality(),
  filters: () => new GrowingTextField((site, list) => site.pushFilters(list)),
};

/** Creates the column of a field. Throws `TypeError` for an unknown one. */
export function createField(name: string): GrowingField {
  for (const [known, create] of Object.entries(GROWING)) if (known === name) return create();
  const known = [...Object.keys(GROWING), ...MATRIX_FIELDS];
  throw new TypeError(`unknown field "${name}"; expected ${known.join(', ')}`);
}
