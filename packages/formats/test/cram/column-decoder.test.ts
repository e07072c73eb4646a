import { readdirSync } from 'node:fs';
import {
  checkMutations,
  createRandom,
  expectations,
  fixtureNames,
  fixturePath,
  readFixture,
  sample,
  volume,
} from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import type { AlignmentColumnField } from '../../src/bam/columns/alignment-columns.js';
import { GrowingAlignments } from '../../src/bam/columns/growing-alignments.js';
import { GrowingMismatches } from '../../src/bam/columns/mismatch-columns.js';
import { walkMismatches } from '../../src/bam/mismatches/mismatch-walk.js';
import { createCramColumnDecoder } from '../../src/cram/column-decoder.js';
import { FEATURE } from '../../src/cram/slice/read-feature.js';
import { FormatError, parseCramContainerHeader, parseCramHeader } from '../../src/index.js';
import { FIELDS } from '../bam/columns/column-rows.js';
import {
  type Bytes,
  block,
  type CompressionParts,
  CRAM_2_1,
  constant,
  containerOf,
  encoding,
  external,
  headerOf,
  simple,
  uncompressed,
} from './build-cram.js';
import { bamColumns, type ColumnRequest, cramColumns, rowsOf } from './column-rows.js';
import { decodeCram, fastaSource } from './decode-cram.js';

const TAGS = ['NM', 'MD', 'RG', 'AS', 'XA', 'BC', 'ZZ'];
const ALL: ColumnRequest = { fields: FIELDS, tags: TAGS, maxRecords: 1000, maxBytes: 2 ** 23 };

/** The fields of names, bases and qualities. */
const READ_FIELDS: ColumnRequest['fields'] = ['names', 'sequence', 'qualities', 'mismatches'];

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

/** Decodes the only record of a slice to columns, and returns its values as text. */
async function rowsOfRecord(
  compression: CompressionParts,
  { blocks = [], fields }: { readonly blocks?: readonly Bytes[]; readonly fields: ColumnRequest['fields'] },
): Promise<readonly string[]> {
  const slice = { referenceId: 0, start: 1, recordCount: 1, blocks: [block('core', 0, []), ...blocks] };
  const { bytes, header } = containerOf(compression, slice);
  const file = { version: CRAM_2_1, text: '', references: [{ name: 'one', length: 100 }], byteLength: 0 };
  const columns = new GrowingAlignments<AlignmentColumnField, string>({ fields });
  const decoder = createCramColumnDecoder({ header: file, columns, maxRecords: 10, maxBytes: 1000 });
  for await (const _ of decoder.decode(bytes, { header })) throw new Error('the batch is full');
  return rowsOf([columns.take()], { ...ALL, fields, tags: [] });
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

  // Tags MD that are stored may be wrong.
  test.each(small)('has the mismatches between the records of %s and their reference', async (name) => {
    const options = { reference: smallReference };
    const request = { ...ALL, fields: ['mismatches'] as const, tags: [] };
    const { header, records } = await decodeCram(readFixture(name), options);
    const view = new DataView(records.buffer, records.byteOffset, records.length);
    const mismatches = new GrowingMismatches();
    let length = 0;
    for (let at = 0; at < records.length; at += 4 + view.getUint32(at, true)) {
      const { name: sequence = '', length: end = 0 } = header.references[view.getInt32(at + 4, true)] ?? {};
      const bytes = await smallReference({
        name: sequence,
        length: end,
        md5: undefined,
        start: 0,
        end,
        signal: undefined,
      });
      const bases = new TextDecoder().decode(bytes);
      walkMismatches(view, at, (...each) => mismatches.push(...each), { reference: { bases } });
      mismatches.end();
      length += 1;
    }
    const expected = { length, mismatches: mismatches.take() };
    expect(rowsOf(await cramColumns(readFixture(name), request, options), request)).toEqual(
      rowsOf([expected], request),
    );
    expect(expected.mismatches.kind.filter((kind) => kind === 0).length).toBeGreaterThan(3);
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

  test.each(small)('decodes or rejects damaged records of %s', async (name) => {
    const bytes = readFixture(name);
    const header = parseCramHeader(bytes);
    const container = parseCramContainerHeader(bytes.subarray(header.byteLength), { version: header.version });
    if (container === undefined) throw new Error('the fixture is truncated');
    const blocks = bytes.subarray(header.byteLength + container.headerLength);
    const [landmark = 0, end = container.length] = container.landmarks;
    const compression = uncompressed(blocks.subarray(0, landmark), header.version);
    const plain = Uint8Array.from([...compression, ...uncompressed(blocks.subarray(landmark, end), header.version)]);
    const columns = new GrowingAlignments<AlignmentColumnField, string>(ALL);
    // CRAM 2.1 has no checksums, which would detect all damage.
    const decoder = createCramColumnDecoder({
      header: { ...header, version: CRAM_2_1 },
      reference: smallReference,
      limits: { containerBytes: 2 ** 24 },
      columns,
      ...ALL,
    });
    const check = async (data: Uint8Array): Promise<boolean> => {
      const landmarks = compression.length < data.length ? [compression.length] : [];
      try {
        for await (const _ of decoder.decode(data, { header: headerOf(data.length, landmarks) })) columns.take();
        rowsOf([columns.take()], ALL);
        return true;
      } catch (error) {
        if (error instanceof FormatError) return false;
        throw error;
      }
    };
    expect(await check(plain)).toBe(true);
    await checkMutations(plain, { seed: 6, count: 100, check });
  });

  test('leaves the blocks compressed whose series the columns do not need', async () => {
    const damaged = (id: number): number[] => [99, ...block('external', id, [1]).slice(1)];
    const series = {
      ...simple,
      AP: constant(1),
      CF: constant(1),
      RL: constant(1),
      BA: external(1),
      QS: external(2),
      RN: encoding(5, 0, 3),
      MQ: constant(60),
    };
    const blocks = [damaged(1), damaged(2), damaged(3)];
    const decode = (fields: ColumnRequest['fields']): Promise<readonly string[]> =>
      rowsOfRecord({ series, hasReadNames: true }, { blocks, fields });
    expect(await decode(FIELDS.filter((field) => !READ_FIELDS.includes(field)))).toHaveLength(1);
    for (const field of READ_FIELDS) await expect(decode([field])).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });

  test('has qualities of features, when only qualities are requested', async () => {
    const feature = { FN: constant(1), FC: constant(FEATURE.quality), FP: constant(3), QS: constant(20) };
    const series = { ...simple, AP: constant(1), ...feature };
    const expected = ['qualities 30,30,20,30,30,30,30,30,30,30'];
    expect(await rowsOfRecord({ series }, { fields: ['qualities'] })).toEqual(expected);
  });

  test('decodes an empty insertion at the last base, when only qualities are requested', async () => {
    const features = {
      FN: constant(2),
      FC: external(1),
      FP: external(2),
      IN: encoding(4, ...constant(0), ...constant(0)),
    };
    const series = { ...simple, AP: constant(1), ...features, BS: constant(0) };
    const blocks = [block('external', 1, [FEATURE.insertion, FEATURE.substitution]), block('external', 2, [10, 0])];
    expect(await rowsOfRecord({ series }, { blocks, fields: ['qualities'] })).toEqual(['qualities none']);
  });

  test('has a field whose values are interleaved with counts of features', async () => {
    const feature = { FN: external(1), FC: constant(FEATURE.deletion), FP: constant(3), DL: constant(2) };
    const series = { ...simple, AP: constant(1), ...feature, MQ: external(1) };
    const blocks = [block('external', 1, [1, 60])];
    expect(await rowsOfRecord({ series }, { blocks, fields: ['mappingQuality'] })).toEqual(['mappingQuality 60']);
  });
});
