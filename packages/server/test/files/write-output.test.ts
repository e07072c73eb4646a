import { execFileSync } from 'node:child_process';
import {
  closeSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkOutput, isGarbledByProgress, replaceFile, writeOutput } from '../../src/files/write-output.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-write-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const place = (name: string): string => join(folder, name);

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array, void> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

async function* failing(): AsyncGenerator<Uint8Array, void> {
  yield new Uint8Array(10);
  throw new Error('the source failed');
}

const { signal } = new AbortController();

test('only a pipe or a terminal as stdout may share the terminal with progress', () => {
  execFileSync('mkfifo', [place('pipe')]);
  const [pipe, file] = [openSync(place('pipe'), 'r+'), openSync(place('file'), 'w')];
  expect([
    isGarbledByProgress('-', pipe),
    isGarbledByProgress('-', file),
    isGarbledByProgress(place('file'), pipe),
  ]).toEqual([true, false, false]);
  closeSync(pipe);
  closeSync(file);
});

describe('writeOutput', () => {
  test('creates a file only when it is complete', async () => {
    async function* watched(): AsyncGenerator<Uint8Array, void> {
      yield* chunks('ab');
      expect(readdirSync(folder)).not.toContain('out');
      yield* chunks('', 'cde');
    }
    expect(await writeOutput(place('out'), watched(), { signal })).toBe(5);
    expect(readFileSync(place('out'), 'utf8')).toBe('abcde');
    expect(readdirSync(folder)).toEqual(['out']);
  });

  test('keeps the file and the error if the chunks throw', async () => {
    writeFileSync(place('out'), 'old');
    await expect(writeOutput(place('out'), failing(), { signal })).rejects.toThrow(/^the source failed$/);
    await expect(writeOutput('/dev/null', failing(), { signal })).rejects.toThrow(/^the source failed$/);
    expect(readFileSync(place('out'), 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['out']);
  });

  test('leaves no file when aborted', async () => {
    const controller = new AbortController();
    async function* endless(): AsyncGenerator<Uint8Array, void> {
      for (let rank = 0; ; rank++) {
        if (rank === 3) controller.abort(new Error('stop'));
        yield new Uint8Array(1000);
      }
    }
    await expect(writeOutput(place('out'), endless(), { signal: controller.signal })).rejects.toThrow('stop');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('writes to a device without replacing it', async () => {
    expect(await writeOutput('/dev/null', chunks('abc'), { signal })).toBe(3);
    expect(await writeOutput('/dev/null', chunks(), { signal })).toBe(0);
  });
});

describe('checkOutput', () => {
  test('accepts a writable output', async () => {
    writeFileSync(place('in'), '');
    for (const path of ['-', place('out'), '/dev/null']) {
      await expect(checkOutput(path, [place('in'), place('nothing')])).resolves.toBeUndefined();
    }
  });

  test('rejects an unwritable output and an input', async () => {
    writeFileSync(place('in'), '');
    for (const [path, why] of [
      [folder, `${folder} is a folder, not a file`],
      [place('nowhere/out'), `cannot write ${place('nowhere/out')}: ENOENT: no such file or directory`],
    ] as const) {
      await expect(checkOutput(path, [place('in')])).rejects.toThrow(why);
    }
    await expect(checkOutput(place('in'), [place('in')])).rejects.toThrow(
      `refusing to overwrite the input ${place('in')}`,
    );
  });
});

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
