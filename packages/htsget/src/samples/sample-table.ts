import { type AggregateKey, parseReadGroups, parseSampleHeader, type ReadGroup } from '@htskit/formats';
import type { RecordHeader } from '../file/record-format.js';
import type { StoredFormat } from '../file/stored-file.js';

/** The samples of a file, each with what records refer to it by. */
export interface SampleTable {
  /** The names: those of the columns of variants, or the different SM of read groups, in the order of the header. */
  readonly names: readonly string[];
  /** The index of each name. */
  readonly indexes: ReadonlyMap<string, number>;
  /** Reads only. */
  readonly readGroups: readonly ReadGroup[];
  /** Variants only: see `SampleHeader`. */
  readonly aggregates: readonly AggregateKey[];
}

/** A header of 30,000 samples takes milliseconds to parse. */
const tables = new WeakMap<RecordHeader, SampleTable>();

/** Returns the samples of a file. Throws `FormatError` for a header of variants without columns. */
export function samplesOf(format: StoredFormat, header: RecordHeader): SampleTable {
  const known = tables.get(header);
  if (known !== undefined) return known;
  const table = format === 'VCF' || format === 'BCF' ? variantSamples(header) : readSamples(header);
  tables.set(header, table);
  return table;
}

function variantSamples({ text }: RecordHeader): SampleTable {
  const { samples, aggregates } = parseSampleHeader(text);
  return { names: samples, indexes: indexNames(samples), readGroups: [], aggregates };
}

function readSamples({ text }: RecordHeader): SampleTable {
  const readGroups = parseReadGroups(text);
  const names = [...new Set(readGroups.flatMap(({ sample }) => sample ?? []))];
  return { names, indexes: indexNames(names), readGroups, aggregates: [] };
}

function indexNames(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.map((name, index) => [name, index]));
}
