import { readFileSync } from 'node:fs';
import { runReadmeExample } from '@htskit/testing';
import { expect, test } from 'vitest';
import { JBrowse } from './jbrowse.js';

const README = new URL('../README.md', import.meta.url);

test('the example in the README names the plugin', async () => {
  expect((await runReadmeExample(README)).output).toBe('HtskitPlugin\n');
});

test('the README lists the adapters with their slots', () => {
  const text = readFileSync(README, 'utf8');
  const rows = [...text.matchAll(/^\| `(Htskit\w+)` .*\| (.*) \|$/gm)].map(([, name = '', slots = '']) => [
    name,
    [...slots.matchAll(/`(\w+)\??`/g)].map(([, slot]) => slot),
  ]);
  const registered = new JBrowse().slots();
  expect(rows).toEqual(registered);
});
