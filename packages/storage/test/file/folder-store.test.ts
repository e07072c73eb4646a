import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StorageError } from '@htskit/io';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { folderStore } from '../../src/file/folder-store.node.js';
import { writerPrefix } from '../../src/file/writer-process.node.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'htskit-folder-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function leaveBehind(name: string, ageSeconds: number): Promise<void> {
  const path = join(folder, '.partial', name);
  await writeFile(path, 'half');
  const time = Date.now() / 1000 - ageSeconds;
  await utimes(path, time, time);
}

async function keys(prefix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const key of folderStore(folder).list(prefix)) found.push(key);
  return found;
}

describe('folderStore', () => {
  test('an object is the file of that name', async () => {
    await writeFile(join(folder, 'a'), 'by hand');
    expect(await folderStore(folder).source('a').read({ start: 0, end: 7 })).toEqual(
      new TextEncoder().encode('by hand'),
    );
    expect(await keys('')).toEqual(['a']);
  });

  test('a folder that other programs fill holds all names of files, but not what writers leave behind', async () => {
    const store = folderStore(folder, { anyNames: true });
    const names = ['a copy (1).bam', 'sub folder/é+.bam', '.hidden/b'];
    for (const name of names) await store.put(name, Uint8Array.of(1));
    const found: string[] = [];
    for await (const key of store.list('')) found.push(key);
    expect(found.toSorted()).toEqual(names.toSorted());
    for (const key of ['', '..', 'a/../b', 'a//b', '.partial/a', 'a\0'])
      expect(() => store.source(key)).toThrow(StorageError);
  });

  test('what a writer left behind is not listed, and removed by the first put of another one an hour later', async () => {
    await mkdir(join(folder, '.partial'));
    await leaveBehind('old', 3_700);
    await leaveBehind('young', 3_500);
    expect(await keys('')).toEqual([]);
    await folderStore(folder).put('a', Uint8Array.of(1));
    expect(await readdir(join(folder, '.partial'))).toEqual(['young']);
    expect(await keys('')).toEqual(['a']);
  });

  test('what an ended process of this machine left behind is named, and removed by the next put', async () => {
    const [machine = ''] = (await writerPrefix()).split('-');
    const ended = spawn(process.execPath, ['--version']);
    await once(ended, 'exit');
    await mkdir(join(folder, '.partial'));
    const names = {
      ended: `${machine}-${ended.pid}-a`,
      running: `${machine}-${process.ppid}-b`,
      own: `${await writerPrefix()}c`,
      other: `${'0'.repeat(16)}-${ended.pid}-d`,
    };
    for (const name of Object.values(names)) await leaveBehind(name, 10);
    const store = folderStore(folder);
    expect(await store.listAbandoned?.()).toEqual([`.partial/${names.ended}`]);
    await store.put('a', Uint8Array.of(1));
    const kept = [names.running, names.own, names.other];
    expect((await readdir(join(folder, '.partial'))).sort()).toEqual(kept.sort());
  });

  test('nothing was left behind in a folder that does not exist', async () => {
    expect(await folderStore(join(folder, 'missing')).listAbandoned?.()).toEqual([]);
  });

  test('a put fails if no folder can be created', async () => {
    await writeFile(join(folder, 'file'), '');
    // Node's own `recursive` never ends below /proc.
    const places = [join(folder, 'file'), ...(process.platform === 'linux' ? ['/proc/htskit'] : [])];
    for (const place of places) {
      await expect(folderStore(join(place, 'x')).put('a/b', Uint8Array.of(1))).rejects.toBeInstanceOf(StorageError);
    }
    expect(await readdir(folder)).toEqual(['file']);
  });

  test('a put leaves no temporary file, whether it fails or not', async () => {
    const store = folderStore(folder);
    await store.put('a', Uint8Array.of(1));
    await mkdir(join(folder, 'b'));
    await expect(store.put('b', Uint8Array.of(1))).rejects.toMatchObject({
      name: 'StorageError',
      code: 'UNAVAILABLE',
      message: 'cannot write the object (EISDIR)',
    });
    expect(await readdir(join(folder, '.partial'))).toEqual([]);
  });

  test('hidden files, dangling links and folders are not listed', async () => {
    await writeFile(join(folder, '.hidden'), '');
    await symlink('nothing', join(folder, 'link'));
    await symlink('circle', join(folder, 'circle'));
    await mkdir(join(folder, 'empty'));
    expect(await keys('')).toEqual([]);
  });

  test('a folder that cannot be made is a failure of the store', async () => {
    await writeFile(join(folder, 'file'), '');
    await expect(folderStore(join(folder, 'file')).put('a', Uint8Array.of(1))).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      key: 'a',
    });
  });
});
