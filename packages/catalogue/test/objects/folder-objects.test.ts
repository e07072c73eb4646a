import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { folderObjects } from '../../src/objects/folder-objects.node.js';
import type { ObjectCatalogue } from '../../src/objects/object-catalogue.js';
import { findFiles } from './find-files.js';

let scratch: string;
let served: string;

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'htskit-'));
  served = join(scratch, 'served');
  mkdirSync(join(served, 'cohort'), { recursive: true });
});

afterEach(() => rmSync(scratch, { recursive: true }));

const logged: string[] = [];

function open(paths: string[]): Promise<ObjectCatalogue> {
  logged.length = 0;
  return folderObjects(paths, { log: (message) => logged.push(message) });
}

function write(path: string, text = ''): string {
  const whole = join(scratch, path);
  writeFileSync(whole, text);
  return whole;
}

test('uses the path below the folder without the extension as the id', async () => {
  write('served/cohort/NA1.bam', 'data');
  const catalogue = await open([served]);
  expect(await findFiles(catalogue, 'cohort/NA1')).toEqual([['BAM', 4, undefined]]);
  expect(await findFiles(catalogue, 'NA1')).toBeUndefined();
  expect(await findFiles(catalogue, 'cohort/NA1.bam')).toBeUndefined();
  expect(await catalogue.resolve('cohort/NA1', 'variants')).toBeUndefined();
});

test.each([
  { blocking: true, what: 'blocks' },
  { blocking: false, what: 'does not block' },
])('with blocking: $blocking, a lookup $what', async ({ blocking }) => {
  write('served/a.bam', 'data');
  write('served/a.bam.bai', 'index');
  const spy = vi.spyOn(realpathSync, 'native');
  try {
    const catalogue = await folderObjects(served, { blocking });
    expect(await findFiles(catalogue, 'a')).toEqual([['BAM', 4, 5]]);
    expect(spy.mock.calls.length > 0).toBe(blocking);
  } finally {
    spy.mockRestore();
  }
});

test('looks for the index as a.bam.bai, then a.bai, a.bam.csi and a.csi', async () => {
  write('served/a.bam');
  const catalogue = await open([served]);
  for (const [rank, name] of ['a.csi', 'a.bam.csi', 'a.bai', 'a.bam.bai'].entries()) {
    write(`served/${name}`, '1'.repeat(rank + 1));
    expect(await findFiles(catalogue, 'a')).toEqual([['BAM', 0, rank + 1]]);
  }
});

test.each([
  ['a.cram', 'reads', 'CRAM', ['a.crai', 'a.cram.crai']],
  ['a.vcf.gz', 'variants', 'VCF', ['a.vcf.csi', 'a.vcf.gz.csi', 'a.vcf.tbi', 'a.vcf.gz.tbi']],
  ['a.vcf.bgz', 'variants', 'VCF', ['a.vcf.bgz.csi', 'a.vcf.bgz.tbi']],
  ['a.bcf', 'variants', 'BCF', ['a.csi', 'a.bcf.csi']],
] as const)(
  '%s is an object of its datatype, with the best index beside it',
  async (name, datatype, format, indexes) => {
    write(`served/${name}`, 'data');
    const catalogue = await open([served]);
    expect(await findFiles(catalogue, 'a', datatype)).toEqual([[format, 4, undefined]]);
    for (const [rank, index] of indexes.entries()) {
      write(`served/${index}`, 'i'.repeat(rank + 1));
      expect(await findFiles(catalogue, 'a', datatype)).toEqual([[format, 4, rank + 1]]);
    }
    expect(await catalogue.resolve('a', datatype === 'reads' ? 'variants' : 'reads')).toBeUndefined();
  },
);

test('treats files of one id as formats of one object, listed once per datatype', async () => {
  write('served/b.vcf.gz');
  for (const name of ['a.cram', 'a.bam', 'a.bcf', 'a.vcf.gz', 'a.vcf.bgz']) write(`served/${name}`);
  const catalogue = await open([served]);
  expect((await catalogue.resolve('a', 'reads'))?.map(({ format }) => format)).toEqual(['BAM', 'CRAM']);
  expect((await catalogue.resolve('a', 'variants'))?.map(({ format }) => format)).toEqual(['VCF', 'BCF']);
  expect(await catalogue.list()).toEqual([
    { id: 'a', datatype: 'reads', formats: ['BAM', 'CRAM'] },
    { id: 'a', datatype: 'variants', formats: ['VCF', 'BCF'] },
    { id: 'b', datatype: 'variants', formats: ['VCF'] },
  ]);
});

test('does not serve files without a name or with another extension', async () => {
  for (const name of ['.bam', '..bam', '...bam', 'a.vcf', 'a.bam.bai', 'a.sam', 'a.fa.gz']) write(`served/${name}`);
  expect(await (await open([served])).list()).toEqual([]);
});

test('notices files that appear and are deleted', async () => {
  const catalogue = await open([served]);
  expect(await findFiles(catalogue, 'new')).toBeUndefined();
  const path = write('served/new.bam');
  expect(await findFiles(catalogue, 'new')).toBeDefined();
  expect(await catalogue.list()).toEqual([{ id: 'new', datatype: 'reads', formats: ['BAM'] }]);
  rmSync(path);
  expect(await findFiles(catalogue, 'new')).toBeUndefined();
  expect(await catalogue.list()).toEqual([]);
});

test('follows a link within the folder, but not one that leaves it', async () => {
  symlinkSync(write('secret.bam', 'secret'), join(served, 'out.bam'));
  symlinkSync(scratch, join(served, 'outside'));
  symlinkSync(write('served/cohort/a.bam', 'data'), join(served, 'in.bam'));
  const catalogue = await open([served]);
  expect(await findFiles(catalogue, 'out')).toBeUndefined();
  expect(await findFiles(catalogue, 'outside/secret')).toBeUndefined();
  expect(await findFiles(catalogue, '../secret')).toBeUndefined();
  expect(await findFiles(catalogue, 'in')).toEqual([['BAM', 4, undefined]]);
});

test('does not resolve the links of a file again that it has served', async () => {
  write('served/cohort/a.bam', 'data');
  write('served/cohort/a.bam.bai', 'index');
  const catalogue = await folderObjects(served, { blocking: true });
  const first = await catalogue.resolve('cohort/a', 'reads');
  const spy = vi.spyOn(realpathSync, 'native');
  const second = await catalogue.resolve('cohort/a', 'reads');
  expect(spy).not.toHaveBeenCalled();
  expect(second?.[0]?.data).toBe(first?.[0]?.data);
});

test.each(['a.bam', 'cohort', 'cohort/b.bam'])(
  'no longer serves %s once it is a link out of the folder',
  async (path) => {
    for (const name of ['a.bam', 'cohort/b.bam']) write(`served/${name}`, 'data');
    const id = path === 'a.bam' ? 'a' : 'cohort/b';
    const catalogue = await open([served]);
    expect(await findFiles(catalogue, id)).toBeDefined();
    const moved = join(scratch, 'moved');
    renameSync(join(served, path), moved);
    symlinkSync(moved, join(served, path));
    expect(await findFiles(catalogue, id)).toBeUndefined();
  },
);

test('does not treat a folder with a common name prefix as being inside', async () => {
  mkdirSync(join(scratch, 'served-too'));
  write('served-too/a.bam');
  const catalogue = await open([served]);
  expect(await findFiles(catalogue, '../served-too/a')).toBeUndefined();
});

test('does not serve a folder that is named like a file or an index', async () => {
  mkdirSync(join(served, 'folder.bam'));
  write('served/a.bam', 'data');
  mkdirSync(join(served, 'a.bam.bai'));
  const catalogue = await open([served]);
  expect(await findFiles(catalogue, 'folder')).toBeUndefined();
  expect(await findFiles(catalogue, 'a')).toEqual([['BAM', 4, undefined]]);
});

test('serves a single file, which may be a link, and nothing else', async () => {
  write('served/b.bam');
  symlinkSync(write('far-away.bam', 'data'), join(served, 'a.bam'));
  write('served/a.bam.bai', '1');
  const catalogue = await open([join(served, 'a.bam')]);
  expect(await findFiles(catalogue, 'a')).toEqual([['BAM', 4, 1]]);
  expect(await findFiles(catalogue, 'b')).toBeUndefined();
  expect(await catalogue.list()).toEqual([{ id: 'a', datatype: 'reads', formats: ['BAM'] }]);
});

test('treats single files of one id as formats of one object, without the files beside them', async () => {
  for (const name of ['a.cram', 'a.bam', 'a.vcf.gz', 'a.bcf']) write(`served/${name}`);
  const catalogue = await open(['a.cram', 'a.bcf', 'a.bam'].map((name) => join(served, name)));
  expect((await catalogue.resolve('a', 'reads'))?.map(({ format }) => format)).toEqual(['BAM', 'CRAM']);
  expect((await catalogue.resolve('a', 'variants'))?.map(({ format }) => format)).toEqual(['BCF']);
  expect(await catalogue.list()).toEqual([
    { id: 'a', datatype: 'reads', formats: ['BAM', 'CRAM'] },
    { id: 'a', datatype: 'variants', formats: ['BCF'] },
  ]);
});

test('combines a single file with its folder', async () => {
  for (const name of ['a.cram', 'a.bam']) write(`served/${name}`);
  const catalogue = await open([join(served, 'a.bam'), served]);
  expect((await catalogue.resolve('a', 'reads'))?.map(({ format }) => format)).toEqual(['BAM', 'CRAM']);
  expect(await catalogue.list()).toEqual([{ id: 'a', datatype: 'reads', formats: ['BAM', 'CRAM'] }]);
});

test('serves an id from the first path that has it', async () => {
  write('served/a.bam', '1');
  write('served/cohort/a.bam', '22');
  const catalogue = await open([join(served, 'cohort'), served]);
  expect(await findFiles(catalogue, 'a')).toEqual([['BAM', 2, undefined]]);
  expect(await findFiles(catalogue, 'cohort/a')).toEqual([['BAM', 2, undefined]]);
});

test('logs each file that cannot be reached by an id once', async () => {
  mkdirSync(join(served, 'other'));
  const shadowed = ['a.vcf.bgz', 'other/a.cram', 'other/c.bam'];
  for (const name of ['a.vcf.gz', 'a.bam', 'cohort/c.bam', 'cohort/c.cram', ...shadowed]) write(`served/${name}`);
  const paths = ['', 'cohort', 'other', 'cohort/c.bam', 'a.bam'].map((path) => join(served, path));
  const catalogue = await open(paths);
  expect(logged).toEqual([]);
  const listed = await catalogue.list();
  expect(listed.filter(({ datatype }) => datatype === 'reads').map(({ id }) => id)).toEqual([
    'a',
    'c',
    'cohort/c',
    'other/a',
    'other/c',
  ]);
  const shown = (path: string): string => relative(process.cwd(), join(realpathSync(served), path));
  const expected = [
    `${shown('a.vcf.bgz')} is not served: ${shown('a.vcf.gz')} has the same id`,
    `${shown('other/c.bam')} is not served: ${shown('cohort/c.bam')} has the same id`,
    `${shown('other/a.cram')} is not served: ${shown('a.bam')} has the same id`,
  ];
  expect(logged).toEqual(expected);
  write('served/other/c.cram');
  await catalogue.list();
  const later = `${shown('other/c.cram')} is not served: ${shown('cohort/c.cram')} has the same id`;
  expect(logged).toEqual([...expected, later]);
});

test('recognises a folder that is reached through a link', async () => {
  write('served/a.bam');
  symlinkSync(served, join(scratch, 'link'));
  const catalogue = await open([join(scratch, 'link/a.bam'), join(scratch, 'link'), served]);
  expect(await catalogue.list()).toEqual([{ id: 'a', datatype: 'reads', formats: ['BAM'] }]);
  expect(logged).toEqual([]);
});

test('logs and does not list files whose id is a path of the protocol', async () => {
  for (const name of ['service-info.bam', 'service-info.bcf', 'cohort/service-info.bam']) write(`served/${name}`);
  const catalogue = await open([served]);
  expect(await catalogue.list()).toEqual([{ id: 'cohort/service-info', datatype: 'reads', formats: ['BAM'] }]);
  expect(logged).toEqual([
    expect.stringMatching(
      /service-info\.bam is not served: \/reads\/service-info is a path of the protocol; rename the file$/,
    ),
    expect.stringMatching(/service-info\.bcf is not served: \/variants\/service-info is a path of the protocol/),
  ]);
});

test.skipIf(process.platform !== 'linux')('logs and does not list a file whose name is not UTF-8', async () => {
  writeFileSync(Buffer.concat([Buffer.from(`${served}/`), Buffer.of(0xff), Buffer.from('.bam')]), '');
  write('served/\ufffd\ufffd.bam');
  const catalogue = await open([served]);
  expect(await catalogue.list()).toEqual([{ id: '\ufffd\ufffd', datatype: 'reads', formats: ['BAM'] }]);
  expect(logged).toEqual([expect.stringMatching(/\ufffd\.bam is not served: its name is not UTF-8; rename the file$/)]);
});

test('rejects a path that does not exist', async () => {
  await expect(open([join(scratch, 'nothing')])).rejects.toThrow(/ENOENT/);
});
