import type { VariantRecord, VariantValue } from '@htskit/formats';
import type { Feature } from '../jbrowse/adapter.js';
import { describeVariant } from './variant-type.js';

/** The values of a key as JBrowse's parser of VCF returns them. */
type Values = true | readonly (string | number)[] | undefined;

/** A record of a VCF or BCF file as a feature of JBrowse, with the fields that its parser of VCF has. */
export class VariantFeature implements Feature {
  readonly #record: VariantRecord;
  readonly #id: string;

  constructor(record: VariantRecord, id: string) {
    this.#record = record;
    this.#id = id;
  }

  id(): string {
    return this.#id;
  }

  parent(): undefined {
    return undefined;
  }

  children(): undefined {
    return undefined;
  }

  get(field: string): unknown {
    return field === 'uniqueId' ? this.#id : FIELDS.get(field)?.(this.#record);
  }

  toJSON(): object {
    const fields = [...FIELDS.keys()].filter((field) => field !== 'genotypes');
    return { uniqueId: this.#id, ...Object.fromEntries(fields.map((field) => [field, this.get(field)])) };
  }
}

const FIELDS: ReadonlyMap<string, (record: VariantRecord) => unknown> = new Map(
  Object.entries({
    refName: (record) => record.referenceName,
    start: (record) => Math.max(0, record.start),
    end: (record) => record.end,
    type: (record) => describeVariant(record).type,
    description: (record) => describeVariant(record).description,
    name: (record) => record.id?.replaceAll(';', ','),
    CHROM: (record) => record.referenceName,
    POS: (record) => record.start + 1,
    ID: (record) => record.id?.split(';'),
    REF: (record) => record.ref,
    ALT: (record) => (record.alt.length === 0 ? undefined : record.alt),
    QUAL: (record) => record.quality,
    FILTER: ({ filters }) => (filters?.length === 1 && filters[0] === 'PASS' ? 'PASS' : filters),
    INFO: (record) => Object.fromEntries(record.infoKeys.map((key) => [key, toValues(record.info(key))])),
    FORMAT: ({ formatKeys }) => (formatKeys.length === 0 ? undefined : formatKeys.join(':')),
    samples: toSamples,
    genotypes: toGenotypes,
  } satisfies Record<string, (record: VariantRecord) => unknown>),
);

function toValues(value: VariantValue | undefined): Values {
  if (value === undefined || value === true) return value;
  const values = Array.isArray(value) ? (value as readonly (string | number | null)[]) : [value as string | null];
  return values.every((each) => each === null) ? undefined : values.map(toPlain);
}

/** Characters that texts may not contain, as they are written instead (VCFv4.3 §1.2). */
const ESCAPED = /%(?:3A|3B|3D|25|2C|0D|0A|09)/gi;

function toPlain(value: string | number | null): string | number {
  return typeof value === 'string' ? value.replace(ESCAPED, decodeURIComponent) : (value ?? '.');
}

function toSamples(record: VariantRecord): Readonly<Record<string, Readonly<Record<string, Values>>>> {
  const { formatKeys, header } = record;
  return Object.fromEntries(
    header.samples.map((name, sample) => [
      name,
      Object.fromEntries(formatKeys.map((key) => [key, toValues(record.formatValue(sample, key))])),
    ]),
  );
}

/** Returns GT by the names of samples. */
function toGenotypes(record: VariantRecord): Readonly<Record<string, string>> {
  if (!record.formatKeys.includes('GT')) return {};
  const genotypes = record.header.samples.map((name, sample) => [
    name,
    String(record.formatValue(sample, 'GT') ?? '.'),
  ]);
  return Object.fromEntries(genotypes) as Readonly<Record<string, string>>;
}
