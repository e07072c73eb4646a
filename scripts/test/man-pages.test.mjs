import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createProgram } from '../../packages/server/src/program.js';
import { createManPages } from '../man-pages.mjs';

const pages = createManPages(await createProgram());
const { man } = JSON.parse(readFileSync(new URL('../../packages/server/package.json', import.meta.url), 'utf8'));

test('the package lists a page for each command', () => {
  expect(man).toEqual([...pages.keys()].map((name) => `./man/${name}`));
  expect(man.length).toBeGreaterThan(15);
});

test('a page has what the help has', () => {
  const page = pages.get('htskit-get.1') ?? '';
  const titles = [...page.matchAll(/^\.SH (.*)$/gm)].map(([, title]) => title);
  expect(titles).toEqual([
    'NAME',
    'SYNOPSIS',
    'DESCRIPTION',
    'ARGUMENTS',
    'OPTIONS',
    'EXAMPLES',
    'EXIT STATUS',
    'SEE ALSO',
  ]);
  expect(page).toContain('\n\\fB\\-@, \\-\\-threads <n>\\fR\n');
  expect(page).toContain('htskit get reads.bam chr1:1,001\\-2,000 chr2 \\-o part.bam');
  expect(page).toContain('.SH EXIT STATUS\n0, 1 (failed), 2 (usage).\n');
  expect(pages.get('htskit.1')).toContain('see htskit\\-get(1)');
});

const { error } = spawnSync('groff', ['--version']);
test.skipIf(error !== undefined)('groff reads the pages without a warning', () => {
  const input = [...pages.values()].join('');
  const { stdout, stderr } = spawnSync('groff', ['-man', '-Tutf8', '-ww'], { input, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(stdout.replace(/\s+/g, ' ')).toContain('Without a REGION it has all records.');
});
