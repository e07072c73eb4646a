import { fixturePath } from '@htskit/testing';
import { tableFromIPC, tableToIPC } from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import { type ArrowInput, toArrow } from '../../src/columns/arrow.js';
import { openVariants } from '../../src/index.js';

const FIELDS = ['referenceId', 'start', 'end', 'ids', 'alleles', 'quality', 'filters', 'genotypes', 'dosage'] as const;
const INFO = ['DP', 'AF', 'DB'] as const;

async function firstBatch(name: string) {
  const file = await openVariants(fixturePath(name));
  for await (const batch of file.columns('chr1', { fields: FIELDS, info: INFO, maxRecords: 100 })) {
    await file.close();
    return { file, batch };
  }
  throw new Error('expected a batch');
}

/** Returns nested vectors as arrays. */
function toPlain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Symbol.iterator in value && 'toArray' in value) return Array.from(value as Iterable<unknown>, toPlain);
  return 'toJSON' in value && typeof value.toJSON === 'function' ? value.toJSON() : value;
}

describe.each(['variants.vcf.gz', 'variants.bcf'])('a table of %s', (name) => {
  test('has the types of the columns', async () => {
    const { batch, file } = await firstBatch(name);
    const { schema } = toArrow(batch);
    const samples = file.header.samples.length;
    expect(schema.fields.map(({ name: field, type, nullable }) => `${field} ${String(type)} ${nullable}`)).toEqual([
      'referenceId Int32 false',
      'start Int32 false',
      'end Int32 false',
      'ids Utf8 true',
      'alleles List<Utf8> false',
      'quality Float32 true',
      'filters Utf8 true',
      expect.stringMatching(/^info Struct<{DP:Int32, AF:.*, DB:.*}> false$/),
      `genotypes FixedSizeList[${samples}]<FixedSizeList[2]<Int8>> false`,
      `phased FixedSizeList[${samples}]<Bool> false`,
      `dosage FixedSizeList[${samples}]<Int8> false`,
    ]);
  });

  test('has the values of the records, also when it is read from a stream', async () => {
    const { batch, file } = await firstBatch(name);
    const table = tableFromIPC(tableToIPC(toArrow(batch, { references: file.header.contigs.entries }), 'stream'));
    expect(table.numRows).toBe(100);
    const again = await openVariants(fixturePath(name));
    let row = 0;
    for await (const record of again.records('chr1')) {
      if (row === batch.length) break;
      const values = table.get(row++)?.toJSON() ?? {};
      const { start, end, ref, alt, quality } = record;
      expect(values).toMatchObject({ reference: 'chr1', start, end, quality: quality ?? null });
      expect(values['ids']).toBe(record.id ?? null);
      expect(toPlain(values['alleles'])).toEqual([ref, ...alt]);
      expect(toPlain(values['info'])).toMatchObject({ DP: record.info('DP') ?? null });
      const calls = record.genotypes.map((call) => Array.from(call?.alleles ?? [], (allele) => allele ?? -1));
      const filled = calls.map(([first = -2, second = -2]) => [first, second]);
      expect(toPlain(values['genotypes'])).toEqual(filled);
      expect(toPlain(values['phased'])).toEqual(record.genotypes.map((call) => call?.isPhased ?? false));
    }
    await again.close();
  });

  test('shares the memory of the genotypes', async () => {
    const { batch } = await firstBatch(name);
    const calls = toArrow(batch).getChild('genotypes')?.data[0]?.children[0];
    const alleles: unknown = calls?.children[0]?.values;
    expect(ArrayBuffer.isView(alleles) && alleles.buffer).toBe(batch.genotypes.alleles.buffer);
  });
});

test('flags and lists of INFO have a value for each record', () => {
  const offsets = Int32Array.of(0, 0, 2);
  const batch: ArrowInput = {
    length: 2,
    info: {
      DB: { type: 'flag', values: Uint8Array.of(0, 1) },
      AF: { type: 'list', offsets, values: Float32Array.of(0.5, 1), validity: Uint8Array.of(0b10) },
      CSQ: { type: 'text', offsets, values: Uint8Array.of(0x41, 0x42), validity: Uint8Array.of(0b10) },
      DP: { type: 'number', values: Int32Array.of(0, 7), validity: Uint8Array.of(0b10) },
    },
  };
  const rows = tableFromIPC(tableToIPC(toArrow(batch), 'stream')).toArray() as { toJSON(): unknown }[];
  expect(JSON.parse(JSON.stringify(rows))).toEqual([
    { info: { DB: false, AF: null, CSQ: null, DP: null } },
    { info: { DB: true, AF: [0.5, 1], CSQ: 'AB', DP: 7 } },
  ]);
});
