import type { VariantValue } from './variant-values.js';

/** The values of keys by their names. */
type VariantValues = Readonly<Record<string, VariantValue>>;

/** The columns of a variant as JSON holds them, named as the properties of the record. What is missing is null. */
export interface VariantJson {
  readonly referenceName: string;
  readonly start: number;
  readonly end: number;
  readonly id: string | null;
  readonly ref: string;
  readonly alt: readonly string[];
  readonly quality: number | null;
  readonly filters: readonly string[] | null;
  readonly info: VariantValues;
  /** By the order of the header. GT is a text. */
  readonly samples: readonly { readonly name: string; readonly values: VariantValues }[];
}

interface Variant {
  readonly header: { readonly samples: readonly string[] };
  readonly referenceName: string;
  readonly start: number;
  readonly end: number;
  readonly id: string | undefined;
  readonly ref: string;
  readonly alt: readonly string[];
  readonly quality: number | undefined;
  readonly filters: readonly string[] | undefined;
  readonly infoKeys: readonly string[];
  readonly formatKeys: readonly string[];
  info(key: string): VariantValue | undefined;
  formatValue(sample: number, key: string): VariantValue | undefined;
}

/** Returns the columns of a record for JSON, without its header. Throws `FormatError` `INVALID_DATA` for malformed parts. */
export function toVariantJson(record: Variant): VariantJson {
  const { referenceName, start, end, id = null, ref, alt, quality = null, filters = null, formatKeys } = record;
  const info = toValues(record.infoKeys, (key) => record.info(key));
  const samples = record.header.samples.map((name, sample) => ({
    name,
    values: toValues(formatKeys, (key) => record.formatValue(sample, key)),
  }));
  return { referenceName, start, end, id, ref, alt, quality, filters, info, samples };
}

function toValues(keys: readonly string[], read: (key: string) => VariantValue | undefined): VariantValues {
  return Object.fromEntries(keys.map((key) => [key, read(key) ?? null]));
}
