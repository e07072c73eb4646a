import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ObjectCatalogue } from '../src/objects.js';

let scratch: string;
let served: string;

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'htskit-'));
  served = join(scratch, 'served');
  mkdirSync(join(served, 'cohort'), { recursive: true });
});

afterEach(() => rmSync(scratch, { recursive: true }));

function write(path: string, text = ''): string {
  const whole = join(scratch, path);
  writeFileSync(whole, text);
  return whole;
}

/** Sizes of data and index, which tell which files were found. */
async function find(catalogue: ObjectCatalogue, id: string): Promise<unknown> {
  const files = await catalogue.resolve(id, 'reads');
  return (
    files &&
    Promise.all(
      files.map(async ({ format, data, index }) => [format, (await data.stat()).size, (await index?.stat())?.size]),
    )
  );
}

test('an id is the path below the folder without the extension', async () => {
  write('served/cohort/NA1.bam', 'data');
  const catalogue = await ObjectCatalogue.open([served]);
  expect(await find(catalogue, 'cohort/NA1')).toEqual([['BAM', 4, undefined]]);
  expect(await find(catalogue, 'NA1')).toBeUndefined();
  expect(await find(catalogue, 'cohort/NA1.bam')).toBeUndefined();
  expect(await catalogue.resolve('cohort/NA1', 'variants')).toBeUndefined();
});

test('the index is looked for as a.bam.bai, then as a.bai, then as a.bam.csi', async () => {
  write('served/a.bam');
  write('served/a.bam.csi', '1');
  const catalogue = await ObjectCatalogue.open([served]);
  expect(await find(catalogue, 'a')).toEqual([['BAM', 0, 1]]);
  write('served/a.bai', '12');
  expect(await find(catalogue, 'a')).toEqual([['BAM', 0, 2]]);
  write('served/a.bam.bai', '123');
  expect(await find(catalogue, 'a')).toEqual([['BAM', 0, 3]]);
});

test('files that appear and vanish are noticed', async () => {
  const catalogue = await ObjectCatalogue.open([served]);
  expect(await find(catalogue, 'new')).toBeUndefined();
  const path = write('served/new.bam');
  expect(await find(catalogue, 'new')).toBeDefined();
  expect(await catalogue.list()).toEqual([{ id: 'new', datatype: 'reads' }]);
  rmSync(path);
  expect(await find(catalogue, 'new')).toBeUndefined();
  expect(await catalogue.list()).toEqual([]);
});

test('a link that leads out of the folder is not followed, one that stays inside is', async () => {
  symlinkSync(write('secret.bam', 'secret'), join(served, 'out.bam'));
  symlinkSync(scratch, join(served, 'outside'));
  symlinkSync(write('served/cohort/a.bam', 'data'), join(served, 'in.bam'));
  const catalogue = await ObjectCatalogue.open([served]);
  expect(await find(catalogue, 'out')).toBeUndefined();
  expect(await find(catalogue, 'outside/secret')).toBeUndefined();
  expect(await find(catalogue, '../secret')).toBeUndefined();
  expect(await find(catalogue, 'in')).toEqual([['BAM', 4, undefined]]);
});

test('a folder whose name begins alike is not inside', async () => {
  mkdirSync(join(scratch, 'served-too'));
  write('served-too/a.bam');
  const catalogue = await ObjectCatalogue.open([served]);
  expect(await find(catalogue, '../served-too/a')).toBeUndefined();
});

test('a folder that is named like a file is no object, and no index', async () => {
  mkdirSync(join(served, 'folder.bam'));
  write('served/a.bam', 'data');
  mkdirSync(join(served, 'a.bam.bai'));
  const catalogue = await ObjectCatalogue.open([served]);
  expect(await find(catalogue, 'folder')).toBeUndefined();
  expect(await find(catalogue, 'a')).toEqual([['BAM', 4, undefined]]);
});

test('a single file is the only object, and may be a link', async () => {
  write('served/b.bam');
  symlinkSync(write('far-away.bam', 'data'), join(served, 'a.bam'));
  write('served/a.bam.bai', '1');
  const catalogue = await ObjectCatalogue.open([join(served, 'a.bam')]);
  expect(await find(catalogue, 'a')).toEqual([['BAM', 4, 1]]);
  expect(await find(catalogue, 'b')).toBeUndefined();
  expect(await catalogue.list()).toEqual([{ id: 'a', datatype: 'reads' }]);
});

test('of several paths the first that has an id answers', async () => {
  write('served/a.bam', '1');
  write('served/cohort/a.bam', '22');
  const catalogue = await ObjectCatalogue.open([join(served, 'cohort'), served]);
  expect(await find(catalogue, 'a')).toEqual([['BAM', 2, undefined]]);
  expect(await find(catalogue, 'cohort/a')).toEqual([['BAM', 2, undefined]]);
});

test('a path that does not exist is an error', async () => {
  await expect(ObjectCatalogue.open([join(scratch, 'nothing')])).rejects.toThrow(/ENOENT/);
});
