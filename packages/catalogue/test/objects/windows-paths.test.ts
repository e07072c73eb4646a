import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path/posix';
import { fixturePath } from '@htskit/testing';
import { expect, test, vi } from 'vitest';
import { isBelow } from '../../src/files/list-files.node.js';
import { folderObjects } from '../../src/objects/folder-objects.node.js';

/** Files are opened by paths of this system, but compared by the rules of Windows. */
vi.mock('node:path', async (importActual) => {
  const actual = await importActual<typeof import('node:path')>();
  const compared = ['relative', 'isAbsolute', 'sep'] as const;
  return { ...actual, ...Object.fromEntries(compared.map((name) => [name, actual.win32[name]])) };
});

test.each([
  ['C:\\data', 'C:\\data\\a.bam', true],
  ['C:\\data', 'C:\\data\\..a\\b.bam', true],
  ['C:\\data', 'C:\\other\\a.bam', false],
  ['C:\\data', 'C:\\', false],
  ['C:\\data', 'C:\\data', false],
  ['C:\\data', 'D:\\data\\a.bam', false],
])('below %s, %s: %s', (folder, path, isIt) => {
  expect(isBelow(folder, path)).toBe(isIt);
});

test('does not resolve an id with a backslash', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  for (const name of ['a\\b.bam', 'c.bam']) cpSync(fixturePath('reads.bam'), join(folder, name));
  const catalogue = await folderObjects(folder, { log: () => undefined });
  expect(await catalogue.resolve('a\\b', 'reads')).toBeUndefined();
  expect(await catalogue.resolve('c', 'reads')).toHaveLength(1);
  await catalogue.close();
  rmSync(folder, { recursive: true });
});
