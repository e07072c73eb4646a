import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { PageAssets } from '../../../src/runtime/page/page-assets.js';

const folder = mkdtempSync(join(tmpdir(), 'htskit-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('finds the files of the page, and nothing else', async () => {
  mkdirSync(join(folder, 'dist/page'), { recursive: true });
  for (const name of ['package.js', 'dist/index.html', 'dist/page/main-1.js', 'dist/page/main.map'])
    writeFileSync(join(folder, name), name);
  const assets = new PageAssets(join(folder, 'dist'));
  expect((await assets.find('index.html'))?.mediaType).toBe('text/html; charset=utf-8');
  expect(String((await assets.find('page/main-1.js'))?.bytes)).toBe('dist/page/main-1.js');
  for (const name of ['../package.js', 'page/../../package.js', './index.html', 'page', 'page/main.map', ''])
    expect(await assets.find(name), name).toBeUndefined();
});

test('finds nothing in a checkout without a built page', async () => {
  expect(await new PageAssets(join(folder, 'missing')).find('index.html')).toBeUndefined();
});
