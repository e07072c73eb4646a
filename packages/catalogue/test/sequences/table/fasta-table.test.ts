import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { digestFile, digestPath } from '../../../src/sequences/digest-file.node.js';
import { readSequenceTable } from '../../../src/sequences/sequence-file.node.js';
import type { FileTable } from '../../../src/sequences/table/fasta-table.node.js';

let folder: string;
let [file, cache] = ['', ''];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  [file, cache] = [join(folder, 'uneven.fa'), join(folder, 'cache')];
  writeFileSync(file, '>even\nACGT\n>uneven\nAC\nGATTACA\n');
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Reads a FASTA whose second record cannot be read in place, so that it is imported. Returns the progress, too. */
async function read(dataVersion: string): Promise<{ readonly table: FileTable; readonly progress: number[] }> {
  const progress: number[] = [];
  const warn = (message: string): void => expect.unreachable(message);
  const table = await readSequenceTable(file, {
    dataVersion,
    cache,
    digestCache: digestFile(file, { cache, dataVersion, onError: (error) => warn(error.message) }),
    warn,
    onProgress: ({ bytesRead }) => progress.push(bytesRead),
  });
  return { table, progress };
}

test('the digests of a file that was imported are cached', async () => {
  const first = await read('1');
  expect(first.progress).not.toEqual([]);
  const second = await read('1');
  expect(second.progress).toEqual([]);
  expect(second.table.store).toBe(first.table.store);
});

test('the store of another version of a file is removed', async () => {
  const { table: other } = await read('1');
  const { table } = await read('2');
  expect(other.store).not.toBe(table.store);
  const kept = [digestPath(file, cache), table.store, `${table.store}.digests`];
  expect(new Set(readdirSync(cache).map((name) => join(cache, name)))).toEqual(new Set(kept));
});
