import { createInterface } from 'node:readline';
import { fixturePath } from '@htskit/testing';
import { expect, test } from 'vitest';
import { htskit, start } from './built-command.js';

test.each([
  [
    ['v31.cram', 'variants-csi.vcf.gz', 'genome.fa.gz'],
    ['/reads/v31?', '/variants/variants-csi?', '/sequence/'],
  ],
  [['reads.bam', 'reads.cram', 'straddle.bam'], ['/reads/reads?']],
])('serve %j --examples prints commands that work', async (names, paths) => {
  const { child, url } = await start(...names.map(fixturePath), '--examples');
  const lines: string[] = [];
  for await (const line of createInterface(child.stderr)) {
    lines.push(line.trim());
    if (line.startsWith('All that is served')) break;
  }
  const urls = lines.flatMap((line) => /^(?:samtools view|bcftools view|curl -s) '([^']+)'$/.exec(line)?.[1] ?? []);
  expect(urls.map((example) => example.slice(url.length))).toEqual(
    paths.map((path) => expect.stringMatching(path.replaceAll('?', '\\?')) as string),
  );
  for (const example of urls) {
    const response = await fetch(example);
    expect(response.status, example).toBe(200);
    const body = await response.text();
    const { urls: blocks } = body.startsWith('{"htsget"')
      ? (JSON.parse(body) as { htsget: { urls: { url: string }[] } }).htsget
      : { urls: [] };
    expect(blocks.length > 0, example).toBe(!example.includes('/sequence/'));
    for (const block of blocks) expect((await fetch(block.url)).status, example).toBe(200);
  }
});

test.each([
  [['--public-url', 'https://a.example/data//'], "'https://a.example/data/reads/reads?"],
  [['--host', '0.0.0.0'], "'http://127.0.0.1:"],
])('serve %j --examples prints URLs that clients can reach', async (flags, expected) => {
  const child = htskit('serve', '--port', '0', ...flags, '--examples', fixturePath('reads.bam'));
  for await (const line of createInterface(child.stderr)) {
    if (!line.includes('samtools view')) continue;
    expect(line).toContain(expected);
    break;
  }
  expect.assertions(1);
});
