import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { replaceFile } from '../../src/files/replace-file.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-replace-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const place = (name: string): string => join(folder, name);
const bytes = new TextEncoder().encode('new');

describe('replaceFile', () => {
  test('replaces a file, also one with the longest possible name', async () => {
    const longest = `${'n'.repeat(251)}.bai`;
    writeFileSync(place('old'), 'old');
    for (const name of ['old', longest]) await replaceFile(place(name), bytes);
    expect(readFileSync(place('old'), 'utf8')).toBe('new');
    expect(readdirSync(folder).toSorted()).toEqual([longest, 'old']);
  });

  test('ignores the temporary file of an earlier process with the same id', async () => {
    writeFileSync(place(`.x.bai.${process.pid}.tmp`), 'left');
    await replaceFile(place('x.bai'), bytes);
    expect(readFileSync(place('x.bai'), 'utf8')).toBe('new');
  });

  test('writes the target of a link, even if it does not exist yet', async () => {
    writeFileSync(place('old'), 'old');
    symlinkSync('old', place('link'));
    symlinkSync('second', place('first'));
    symlinkSync('nothing', place('second'));
    for (const link of ['link', 'first']) await replaceFile(place(link), bytes);
    expect([readFileSync(place('old'), 'utf8'), readFileSync(place('nothing'), 'utf8')]).toEqual(['new', 'new']);
    expect(['link', 'first', 'second'].every((name) => lstatSync(place(name)).isSymbolicLink())).toBe(true);
    expect(readdirSync(folder)).toHaveLength(5);
  });

  test('names the file in an error and leaves no other file', async () => {
    symlinkSync('b', place('a'));
    symlinkSync('a', place('b'));
    for (const [path, code] of [
      [place('nowhere/x'), 'ENOENT: no such file or directory'],
      [place('a'), 'ELOOP: too many symbolic links encountered'],
      [folder, 'EISDIR: illegal operation on a directory'],
    ] as const) {
      const error = await replaceFile(path, bytes).catch((thrown: unknown) => thrown as Error);
      expect(error?.message).toBe(`cannot write ${path}: ${code}`);
    }
    expect(readdirSync(folder).toSorted()).toEqual(['a', 'b']);
  });
});
