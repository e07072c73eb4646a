import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { installedVersion } from './installed-version.js';
import { htsgetVersion } from './python-client.js';

const page = readFileSync(new URL('../../../../docs/clients.md', import.meta.url), 'utf8');

test.each([
  ['igv.js', installedVersion('igv')],
  ['@gmod/bam', installedVersion('@gmod/bam')],
  ['htsget', htsgetVersion()],
])('docs/clients.md has the version of %s that is tested', (client, version) => {
  const row = page.split('\n').find((line) => line.startsWith(`| [${client}](`));
  expect(row?.split('|')[2]?.trim()).toBe(version);
});
