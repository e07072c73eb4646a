import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listFiles } from '../../src/files/list-files.node.js';

/** The error code with which `readdir` of a folder fails. */
const failures = vi.hoisted(() => new Map<string, string>());
/** The folders that were read. */
const read = vi.hoisted((): string[] => []);

vi.mock('node:fs/promises', async (importActual) => {
  const actual = await importActual<typeof import('node:fs/promises')>();
  const readdir = (path: string, options: { readonly withFileTypes: true }): Promise<unknown> => {
    read.push(path);
    const code = failures.get(path);
    if (code === undefined) return actual.readdir(path, options);
    return Promise.reject(Object.assign(new Error(`${code}: no`), { code }));
  };
  return { ...actual, readdir };
});

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  for (const name of ['a', 'b']) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'x.bam'), '');
  }
});

afterEach(() => {
  failures.clear();
  read.length = 0;
  rmSync(folder, { recursive: true });
});

async function list(): Promise<string[]> {
  return (await listFiles(folder)).map((path) => relative(folder, path));
}

test.each(['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR'])('skips a folder that fails with %s', async (code) => {
  failures.set(join(folder, 'a'), code);
  expect(await list()).toEqual(['b/x.bam']);
});

test.each(['EMFILE', 'ENFILE', 'EIO', 'ESTALE'])(
  'fails with %s, since the files have not been deleted',
  async (code) => {
    failures.set(join(folder, 'a'), code);
    await expect(list()).rejects.toThrow(code);
  },
);

test('skips a link whose target does not exist or is the link itself', async () => {
  symlinkSync('nowhere', join(folder, 'dangling.bam'));
  symlinkSync('loop.bam', join(folder, 'loop.bam'));
  expect(await list()).toEqual(['a/x.bam', 'b/x.bam']);
});

test.each(['htskit-store.json', 'rgstore.json'])(
  'does not search the subfolders of a store marked by %s',
  async (name) => {
    writeFileSync(join(folder, 'a', name), '{}');
    mkdirSync(join(folder, 'a', 'sequences/00'), { recursive: true });
    expect(await list()).toEqual([`a/${name}`, 'a/x.bam', 'b/x.bam']);
    expect(read.map((path) => relative(folder, path)).sort()).toEqual(['', 'a', 'b']);
  },
);
