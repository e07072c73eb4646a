import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { JBROWSE_VERSION } from './browsers/jbrowse-server.js';
import { installedVersion } from './installed-version.js';
import { htsgetVersion, pythonVersion, refgetVersion } from './python-client.js';

const page = readFileSync(new URL('../../../../docs/clients.md', import.meta.url), 'utf8');

test.each([
  ['igv.js', installedVersion('igv')],
  ['@gmod/bam', installedVersion('@gmod/bam')],
  ['JBrowse', JBROWSE_VERSION],
  ['htsget', htsgetVersion()],
  ['refget', refgetVersion()],
  ['pysam', pythonVersion('pysam', 'pysam-requirements.txt')],
  ['cyvcf2', pythonVersion('cyvcf2', 'programs/requirements.txt')],
  ['gtars', pythonVersion('gtars', 'refget-requirements.txt')],
])('docs/clients.md names the tested version of %s', (client, version) => {
  const row = page.split('\n').find((line) => line.startsWith(`| [${client}](`));
  expect(row?.split('|')[2]?.trim()).toBe(version);
});
