import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bgunzip, fixturePath } from '@htskit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, serve } from '../../src/runtime/serve.js';
import { cases, localQuery, referencesOf, regionsOf, type TestRegion } from '../interop-files.js';
import { lines, runTool, runTools } from '../interop-tools.js';
import { htsgetVersion, installHtsget } from './python-client.js';

/** Random regions of each file, besides those at edges. */
const RANDOM_REGIONS = 3;

const FILES = [
  'reads.bam as BAM',
  'straddle.bam as BAM',
  'longref.bam as BAM',
  'variants.vcf.gz as VCF',
  'variants-csi.vcf.gz as VCF',
];

const scratch = mkdtempSync(join(tmpdir(), 'htskit-'));
// Skipped without a package registry of Python, also where CI is set: not every CI reaches one.
const command = await installHtsget(join(scratch, 'python'));
afterAll(() => rmSync(scratch, { recursive: true }));

const decodedMd5 = (path: string): string =>
  createHash('md5')
    .update(bgunzip(readFileSync(path)))
    .digest('hex');

describe.skipIf(command === undefined)(`Python's htsget ${htsgetVersion()}`, () => {
  let server: RunningServer;
  const logged: string[] = [];
  beforeAll(async () => {
    // So that tickets have several blocks.
    const htsget = { limits: { blockBytes: 65_536 }, precision: 'exact' } as const;
    const options = { paths: [fixturePath('.')], host: '127.0.0.1', port: 0, authority: 'ga4gh', htsget } as const;
    server = await serve({ ...options, log: (message) => void logged.push(message) });
  });
  afterAll(() => server.close());

  test.each(cases.filter(({ name, isExternal }) => FILES.includes(name) && !isExternal))(
    '$name: decoded files have the MD5 of the local one, and regions its records',
    async (file) => {
      const url = `${server.url}/${file.datatype}/${file.id}`;
      const path = (name: string): string => join(scratch, name);
      const get = (output: string, ...query: readonly string[]): string[] => [
        ...[command ?? '', url, '--format', file.format, '--max-retries', '0', '--output', path(output)],
        ...query,
      ];
      await runTool(get('whole'));
      expect(decodedMd5(path('whole'))).toBe(decodedMd5(file.path));

      // Each run takes long to start.
      const references = (await referencesOf(file)).slice(0, 1);
      const view = file.datatype === 'reads' ? ['samtools', 'view'] : ['bcftools', 'view', '-H'];
      const records = lines(await runTool([...view, file.path]));
      const regions = regionsOf(file, { references, records, count: RANDOM_REGIONS });
      const asked = regions.filter(({ start = 0, end = Infinity }) => start < end);
      await runTools(asked.map((region, rank) => get(`${rank}.part`, ...toOptions(region))));
      const received = await runTools(asked.map((_, rank) => [...view, path(`${rank}.part`)]));
      const expected = await runTools(
        asked.map((region, rank) => [...view, ...localQuery(file, region, path(`${rank}.bed`))]),
      );
      for (const [rank, region] of asked.entries()) {
        expect(received[rank], JSON.stringify(region)).toBe(expected[rank]);
      }
    },
  );

  test('shows the error for an unknown reference', async () => {
    const unknown = [command ?? '', `${server.url}/reads/reads`, '--reference-name', 'chr9', '--max-retries', '0'];
    await expect(runTool(unknown)).rejects.toThrow(/404/);
  });

  test('the server logged nothing', () => {
    expect(logged).toEqual([]);
  });
});

function toOptions({ referenceName, start, end }: TestRegion): string[] {
  return [
    ...['--reference-name', referenceName],
    ...(start === undefined ? [] : ['--start', String(start)]),
    ...(end === undefined ? [] : ['--end', String(end)]),
  ];
}
