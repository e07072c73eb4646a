import assert from 'node:assert/strict';
import { decodeText } from '@htskit/io';
import { checkMutations, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import {
  BcfVariantRecord,
  createVcfToBcf,
  FormatError,
  type InfoColumn,
  parseBcfHeader,
  type TextListColumn,
  type VariantColumns,
  VariantHeader,
  type VariantRecord,
  VcfVariantRecord,
} from '../../../src/index.js';
import { RANDOM_HEADER, randomVcf } from '../../convert/variants/random-vcf.js';
import { passPieces } from '../../record-pieces.js';
import { readColumns } from '../genotypes/model-genotypes.js';

const FIELDS = ['referenceId', 'start', 'end', 'ids', 'alleles', 'quality', 'filters'] as const;
const KEYS = ['DP', 'AF', 'VI', 'END', 'DB', 'CH', 'ST', 'UNDECLARED'] as const;
type Batch = VariantColumns<(typeof FIELDS)[number], (typeof KEYS)[number]>;

/** END after a telomere is not kept by BCF. */
const LINES = randomVcf({ seed: 17, count: volume(3000) })
  .split('\n')
  .filter((line) => line !== '' && !line.includes('\t0\t'))
  .map((line) => `${line}\n`);
const VCF = { format: 'VCF', text: RANDOM_HEADER, records: Buffer.from(LINES.join('')) } as const;
const BCF = { format: 'BCF', ...toBcf(VCF.records) } as const;

function toBcf(lines: Uint8Array): { readonly text: string; readonly records: Uint8Array } {
  const converter = createVcfToBcf({ text: RANDOM_HEADER });
  return { text: parseBcfHeader(converter.header).text, records: passPieces(converter, lines) };
}

function isValid(validity: Uint8Array | undefined, record: number): boolean {
  return validity === undefined || (((validity[record >> 3] ?? 0) >> (record % 8)) & 1) === 1;
}

interface Lists<Values> {
  readonly offsets: Int32Array;
  readonly values: Values;
  readonly validity?: Uint8Array;
}

function textOf({ offsets, values, validity }: Lists<Uint8Array>, record: number): string | null {
  return isValid(validity, record) ? decodeText(values, offsets[record], offsets[record + 1]) : null;
}

function textsOf({ offsets, values }: TextListColumn, record: number): (string | null)[] {
  const [first = 0, end = 0] = offsets.subarray(record, record + 2);
  return Array.from({ length: end - first }, (_, index) => textOf(values, first + index));
}

function infoOf(column: InfoColumn, record: number): unknown {
  if (column.type === 'flag') return column.values[record] === 1 ? true : null;
  if (!isValid(column.validity, record)) return null;
  if (column.type === 'number') return column.values[record];
  if (column.type === 'text') return textOf(column, record)?.replaceAll(/(?<=^|,)(?=,|$)/g, '.');
  const values = Array.from(column.values.subarray(column.offsets[record], column.offsets[record + 1]));
  const missing = column.values instanceof Int32Array ? -(2 ** 31) : Number.NaN;
  return values.map((value) => (Object.is(value, missing) ? null : value));
}

/** Returns the records of batches as plain values. */
function rowsOf(batches: readonly Batch[]): unknown[] {
  return batches.flatMap(({ length, info, quality, ...columns }) =>
    Array.from({ length }, (_, record) => ({
      referenceId: columns.referenceId[record],
      start: columns.start[record],
      end: columns.end[record],
      id: textOf(columns.ids, record),
      alleles: textsOf(columns.alleles, record),
      quality: isValid(quality.validity, record) ? quality.values[record] : null,
      filters: textOf(columns.filters, record),
      info: Object.fromEntries(KEYS.map((key) => [key, infoOf(info[key], record)])),
    })),
  );
}

/** Returns the same of a record. */
function rowOf(record: VariantRecord): unknown {
  const { header, referenceName, start, end, id = null, ref, alt, quality = null, filters } = record;
  return {
    referenceId: header.contigs.byName.get(referenceName)?.index ?? -1,
    start,
    end,
    id,
    alleles: [ref, ...alt],
    quality: quality === null ? null : Math.fround(quality),
    filters: filters?.join(';') ?? null,
    info: Object.fromEntries(KEYS.map((key) => [key, infoValue(record, key)])),
  };
}

function infoValue(record: VariantRecord, key: string): unknown {
  const declared = record.header.strings.byName.get(key)?.info;
  const value = record.info(key);
  // A flag is present even if it has a missing value.
  if (declared?.type === 'Flag') return value === undefined ? null : true;
  if (value === undefined || value === null || value === true) return null;
  if (declared?.type === 'Integer' || declared?.type === 'Float') {
    // NaN is a missing value of a list; integers over 32 bits are missing.
    const numbers = [value].flat().map((each) => {
      if (typeof each !== 'number') return null;
      if (declared.type === 'Float') return Number.isNaN(each) && declared.number !== '1' ? null : Math.fround(each);
      return Number.isInteger(each) && Math.abs(each) < 2 ** 31 ? each : null;
    });
    if (declared.number === '1') return numbers[0] ?? null;
    return numbers.length === 1 && numbers[0] === null && !Object.is([value].flat()[0], Number.NaN) ? null : numbers;
  }
  const text = [value]
    .flat()
    .map((each) => each ?? '.')
    .join(',');
  return text === '.' ? null : text;
}

function recordsOf({ format, text, records }: typeof VCF | typeof BCF): unknown[] {
  const header = new VariantHeader({ text });
  const view = format === 'VCF' ? new VcfVariantRecord(header) : new BcfVariantRecord(header);
  const rows: unknown[] = [];
  for (let at = 0; at < records.length; at = view.byteEnd) rows.push(rowOf(view.at(records, at)));
  return rows;
}

describe.each([VCF, BCF])('columns of $format', (file) => {
  test.each([undefined, 1, 7])('have the values of the records, in batches of %s', (maxRecords) => {
    const batches = readColumns(file.records, {
      ...file,
      fields: FIELDS,
      info: KEYS,
      ...(maxRecords !== undefined && { maxRecords }),
    });
    expect(rowsOf(batches)).toEqual(recordsOf(file));
    expect(batches.length).toBe(maxRecords === undefined ? 1 : Math.ceil(LINES.length / maxRecords));
  });

  test('have arrays of their own, and only those that were requested', () => {
    const batches = readColumns(file.records, { ...file, fields: ['alleles', 'quality'], info: ['AF'] });
    const [batch] = batches;
    assert(batch !== undefined);
    expect(Object.keys(batch).toSorted()).toEqual(['alleles', 'info', 'length', 'quality']);
    const { alleles, quality, info } = batch;
    const arrays = [alleles.offsets, alleles.values.offsets, alleles.values.values, quality.values, info.AF.values];
    for (const array of arrays) expect(array.buffer.byteLength).toBe(array.byteLength);
  });

  test('of a damaged record are those of its view, or it is refused', async () => {
    const lines = LINES.slice(0, 3).join('');
    const { text, records } =
      file.format === 'VCF' ? { ...file, records: Buffer.from(lines) } : { ...toBcf(Buffer.from(lines)) };
    const outcomes = await checkMutations(records, {
      seed: 41,
      count: volume(2000),
      check(damaged) {
        const found = attempt(() =>
          rowsOf(readColumns(damaged, { text, format: file.format, fields: FIELDS, info: KEYS })),
        );
        if (found === undefined) return false;
        expect(found).toEqual(attempt(() => recordsOf({ format: file.format, text, records: damaged } as typeof VCF)));
        return true;
      },
    });
    expect(outcomes.accepted).toBeGreaterThan(volume(200));
    expect(outcomes.refused).toBeGreaterThan(volume(100));
  });
});

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

test('an unknown field is refused', () => {
  const fields = ['position' as 'start'];
  expect(() => readColumns(VCF.records, { ...VCF, fields })).toThrow(
    new TypeError(
      'unknown field "position"; expected referenceId, start, end, ids, alleles, quality, filters, genotypes, dosage',
    ),
  );
});
