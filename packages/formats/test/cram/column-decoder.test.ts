import { readdirSync } from 'node:fs';
import {
  createRandom,
  expectations,
  fixtureNames,
  fixturePath,
  readFixture,
  sample,
  volume,
} from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { parseCramHeader } from '../../src/index.js';
import { bamColumns, type ColumnRequest, cramColumns, FIELDS, rowsOf } from './column-rows.js';
import { decodeCram, fastaSource } from './decode-cram.js';

const TAGS = ['NM', 'MD', 'RG', 'AS', 'XA', 'BC', 'ZZ'];
const ALL: ColumnRequest = { fields: FIELDS, tags: TAGS, maxRecords: 1000, maxBytes: 2 ** 23 };

const reference = fastaSource(fixturePath('genome.fa'));
const smallReference = fastaSource(fixturePath('cram/records.fa'));
const small = readdirSync(fixturePath('cram'))
  .filter((name) => name.endsWith('.cram'))
  .map((name) => `cram/${name}`);
const files = [...fixtureNames('.cram'), ...small];

/** Returns the reference of a file, and the fields whose columns its BAM records determine. */
function settingOf(name: string): { readonly reference: typeof reference; readonly fields: ColumnRequest['fields'] } {
  if (!name.startsWith('cram/')) return { reference, fields: FIELDS };
  // Some records have tags MD that do not match their CIGARs, by which those of BAM have no mismatches.
  return { reference: smallReference, fields: FIELDS.filter((field) => field !== 'mismatches') };
}

describe('createCramColumnDecoder', () => {
  test.each(files)('has the columns of the BAM records of %s', async (name) => {
    const bytes = readFixture(name);
    const { fields, ...options } = settingOf(name);
    const request = { ...ALL, fields };
    const { records } = await decodeCram(bytes, options);
    const expected = rowsOf([bamColumns(records, request)], request);
    expect(rowsOf(await cramColumns(bytes, request, options), request)).toEqual(expected);
  });

  test.each(files)('has the same columns of %s whatever fields and batches are requested', async (name) => {
    const bytes = readFixture(name);
    const { fields, ...options } = settingOf(name);
    const { records } = await decodeCram(bytes, options);
    const generate = createRandom(7);
    const random = (limit: number): number => Math.floor(limit * generate());
    for (let run = 0; run < volume(30); run++) {
      const request = {
        fields: fields.filter(() => random(3) === 0),
        tags: TAGS.filter(() => random(5) === 0),
        maxRecords: 1 + random(run % 2 === 0 ? 20 : 20_000),
        maxBytes: 2 ** (8 + random(16)),
      };
      const batches = await cramColumns(bytes, request, options);
      expect(rowsOf(batches, request)).toEqual(rowsOf([bamColumns(records, request)], request));
      expect(Math.max(0, ...batches.map(({ length }) => length))).toBeLessThanOrEqual(request.maxRecords);
    }
  });

  test.each(fixtureNames('.cram'))('has the records of intervals of %s', async (name) => {
    const bytes = readFixture(name);
    const { references } = parseCramHeader(bytes);
    for (const { referenceName, start, end } of sample(expectations(name).regions)) {
      const referenceId = references.findIndex((each) => each.name === referenceName);
      const options = { reference, intervals: [{ referenceId, start, end }] };
      for (const fields of [FIELDS, ['start', 'cigar'] as const, ['flags'] as const]) {
        const request = { ...ALL, fields, tags: [] };
        const { records } = await decodeCram(bytes, options);
        const expected = rowsOf([bamColumns(records, request)], request);
        expect(rowsOf(await cramColumns(bytes, request, options), request)).toEqual(expected);
      }
    }
  });
});
