import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkOutput, writeOutput } from '../../src/files/write-output.js';

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
