import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { memorySource } from '@htskit/storage/memory';
import { describe, expect, test } from 'vitest';
import type { StoredFile } from '../../src/index.js';
import { DEFAULT_LIMITS } from '../../src/limits.js';
import { planBgzf } from '../../src/plan/plan-bgzf.js';
import { decodeFile } from '../decode-file.js';
import { fixtureHandler } from '../fixture-files.js';
import { fetchFile } from '../read-ticket.js';
import { nameTable } from './name-table.js';

/** Each row begins 100,000 bases after the one before, the first at base 1000. */
const ROWS = [
  ['<DEL>', 'SVLEN=50000'],
  ['<*>', '.', 'GT:LEN', '0/0:60000'],
  ['<INS>', 'SVLEN=50000'],
  ['<DUP>', 'SVLEN=10;END=240000'],
] as const;

function fileOf(version: string): StoredFile {
  const rows = ROWS.map(([alt, ...columns], i) =>
    ['c', 1000 + i * 100_000, '.', 'A', alt, '.', '.', ...columns].join('\t'),
  );
  const header = [
    `##fileformat=VCFv${version}`,
    '##contig=<ID=c>',
    '#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ts',
  ];
  const text = new TextEncoder().encode(`${[...header, ...rows].join('\n')}\n`);
  return { format: 'VCF', data: memorySource(Buffer.concat([deflateBlocks(text), EOF_MARKER]), { version }) };
}

/** The row numbers of the records that a region has. */
async function rowsOf(version: string, base: number): Promise<number[]> {
  const handler = fixtureHandler({ precision: 'exact' }, { file: [fileOf(version)] });
  const path = `/variants/file?referenceName=c&start=${base}&end=${base + 1}`;
  const { records } = decodeFile('VCF', await fetchFile(handler, path));
  return records.map((record) => (Number(record.split('\t')[1]) - 1000) / 100_000);
}

describe.each(['4.1', '4.3', '4.4', '4.5'])('in VCF %s', (version) => {
  test.each([
    [999, [0]],
    [50_999, [0]],
    [51_000, []],
    [160_998, [1]],
    [160_999, []],
    [201_000, []],
    [301_009, [3]],
    [301_010, []],
  ])('the exact region of base %i has the records %j', async (base, expected) => {
    expect(await rowsOf(version, base)).toEqual(expected);
  });
});

test.each([
  ['4.5', { svlen: 7, len: 9 }],
  ['4.3', undefined],
])('cuts of BCF %s carry the numbers of the keys: %j', (version, lengthKeys) => {
  const strings = new Map([
    [7, 'SVLEN'],
    [9, 'LEN'],
  ]);
  const header = { text: `##fileformat=VCFv${version}\n`, referenceIds: nameTable('c'), strings };
  const file = {
    format: 'BCF',
    header,
    headerBlocks: new Uint8Array(0),
    firstRecord: { coffset: 100, uoffset: 0 },
    ending: 'marked',
    end: { coffset: 900, uoffset: 0 },
    size: 900,
  } as const;
  const query = { regions: [{ referenceName: 'c', start: 5, end: 9 }] };
  const { segments } = planBgzf({
    file,
    query,
    precision: 'exact',
    isRestricted: false,
    limits: DEFAULT_LIMITS,
  });
  expect(segments[1]).toMatchObject({ kind: 'cut', lengthKeys });
});
