import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixturePath, readFixture } from '@htskit/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { IdTable } from '../../src/mapped/id-table.node.js';
import { findFiles } from '../objects/find-files.js';
import { openMappedObjects } from './services.js';

let folder: string;
let table: string;
const logged: string[] = [];
const log = (message: string): void => void logged.push(message);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  table = join(folder, 'ids.tsv');
  logged.length = 0;
});

afterEach(() => rmSync(folder, { recursive: true }));

function write(...rows: readonly (readonly string[])[]): void {
  writeFileSync(table, rows.map((row) => `${row.join('\t')}\n`).join(''));
}

const size = (name: string): number => readFixture(name).length;

test('serves and lists the files of a table, whose paths are relative to it', async () => {
  cpSync(fixturePath('reads.bam'), join(folder, 'x.bam'));
  cpSync(fixturePath('reads.bam.bai'), join(folder, 'y.bai'));
  cpSync(fixturePath('v21.cram'), join(folder, 'x.cram'));
  cpSync(fixturePath('variants.vcf.gz'), join(folder, 'v.vcf.gz'));
  writeFileSync(
    table,
    '# id\tlocation\tindex\r\n\nstudy/A\tx.bam\ty.bai\r\nstudy/A\tx.cram\nstudy/A\tv.vcf.gz\nB\tdrs://host/1',
  );
  const catalogue = await openMappedObjects([{ kind: 'table', path: table, prefix: 'p' }]);
  expect(await findFiles(catalogue, 'p/study/A')).toEqual([
    ['BAM', size('reads.bam'), size('reads.bam.bai')],
    ['CRAM', size('v21.cram'), undefined],
  ]);
  expect(await findFiles(catalogue, 'p/study/A', 'variants')).toEqual([['VCF', size('variants.vcf.gz'), undefined]]);
  expect(await findFiles(catalogue, 'study/A')).toBeUndefined();
  expect(await catalogue.list()).toEqual([
    { id: 'p/study/A', datatype: 'reads', formats: ['BAM', 'CRAM'] },
    { id: 'p/study/A', datatype: 'variants', formats: ['VCF'] },
  ]);
});

test.each([
  [['a'], 'expected an id, a location'],
  [['a', 'b.bam', 'c', 'd'], 'expected an id, a location'],
  [['a', ''], 'expected an id, a location'],
  [['', 'a.bam'], 'cannot be an id'],
  [['../a', 'a.bam'], 'cannot be an id'],
  [['service-info', 'a.bam'], 'cannot be an id'],
  [['a', 'a.txt'], 'expected *.bam'],
  [['a', 'gs://b/a.bam'], 'expected a path'],
  [['a', 'a.bam', 'gs://b'], 'expected a path'],
  [['a', 'drs://prefix:1'], 'expected a path'],
  [['ok', 'other.bam'], 'has another file of this format'],
  [['a', 'x'.repeat(20_000)], 'expected at most'],
])('the number of a bad line is named: %j', async (row, message) => {
  write(['# comment'], ['ok', 'a.bam'], row);
  await expect(IdTable.open(table, log)).rejects.toThrow(`${table}: line 3: `);
  await expect(IdTable.open(table, log)).rejects.toThrow(message);
});

test('a table that changes is read again, and a malformed one is not used', async () => {
  let now = 0;
  write(['a', '1.bam']);
  const ids = await IdTable.open(table, log, () => now);
  write(['b', '2.bam'], ['c', 'drs://host/3', 'drs://host/4']);
  expect(await ids.rowsOf('a')).toEqual([{ location: '1.bam' }]);
  now = 2000;
  expect(await ids.rowsOf('a')).toEqual([]);
  expect(await ids.rowsOf('c')).toEqual([{ location: 'drs://host/3', index: 'drs://host/4' }]);
  write(['b', '5.txt']);
  for (now = 4000; now < 10_000; now += 2000) expect(await ids.rowsOf('b')).toEqual([{ location: '2.bam' }]);
  expect(logged).toEqual([expect.stringContaining(`${table}: line 1: expected *.bam`)]);
  write(['b', '6.bam']);
  expect([...(await ids.entries()).keys()]).toEqual(['b']);
});

test('a table of 200,000 rows is read in parts', async () => {
  const rows = Array.from({ length: 200_000 }, (_, index) => `study/${index}\ts3://bucket/${index}.bam\n`);
  writeFileSync(table, rows.join(''));
  const ids = await IdTable.open(table, log);
  expect(await ids.rowsOf('study/199999')).toEqual([{ location: 's3://bucket/199999.bam' }]);
});
