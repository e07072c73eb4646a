import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ticket } from '@htskit/protocol';
import { bgunzip, decodeBam, fixturePath, readFixture, toSamText } from '@htskit/testing';
import { expect, onTestFinished, test } from 'vitest';
import { type RunningServer, type ServeOptions, serve } from '../../../src/runtime/serve.js';

/** Serves a CRAM file, and the genome that it refers to. */
async function serveCram(options: Partial<ServeOptions> & { readonly hasGenome: boolean }): Promise<RunningServer> {
  const folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['reads.cram', 'reads.cram.crai'])
    copyFileSync(fixturePath(`referenced/${name}`), join(folder, name));
  if (options.hasGenome) copyFileSync(fixturePath('genome.fa'), join(folder, 'genome.fa'));
  const common = { host: '127.0.0.1', port: 0, authority: 'ga4gh', settlesFirst: true, log: () => undefined } as const;
  const server = await serve({ ...common, paths: [folder], ...options });
  onTestFinished(() => server.close());
  return server;
}

async function download(url: string): Promise<Buffer> {
  const { htsget } = (await (await fetch(url)).json()) as Ticket;
  const blocks: Buffer[] = [];
  for (const block of htsget.urls) blocks.push(Buffer.from(await (await fetch(block.url)).arrayBuffer()));
  return Buffer.concat(blocks);
}

const basesOf = (bam: Uint8Array): (string | undefined)[] =>
  toSamText(decodeBam(bam))
    .split('\n')
    .filter((line) => !line.startsWith('@'))
    .map((line) => line.split('\t')[9]);

test('a CRAM file is served as BAM with the sequences that are served', async () => {
  const server = await serveCram({ hasGenome: true });
  const bam = await download(`${server.url}/reads/reads`);
  expect(basesOf(bam)).toEqual(basesOf(readFixture('reads-csi.bam')));
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics).toMatch(
    /^htskit_htsget_converted_blocks_total\{from="CRAM",format="BAM",outcome="complete"\} [1-9]/m,
  );
});

test('a reference comes from a remote service, and a missing one is named in the ticket', async () => {
  const remote = await serveCram({ hasGenome: true });
  const server = await serveCram({ hasGenome: false, reference: { refget: `${remote.url}/sequence/` } });
  expect(basesOf(await download(`${server.url}/reads/reads`))).toEqual(basesOf(readFixture('reads-csi.bam')));
  const without = await serveCram({ hasGenome: false });
  const response = await fetch(`${without.url}/reads/reads`);
  expect(response.status).toBe(400);
  expect(await response.text()).toMatch(/CRAM.*MD5 [0-9a-f]{32}/);
  expect((await fetch(`${without.url}/reads/reads?format=CRAM`)).status).toBe(200);
});

test('the header is that of the file, unless the setting asks for a program line', async () => {
  const programs: string[][] = [];
  for (const program of [undefined, { name: 'htskit', version: '1.2' }]) {
    const server = await serveCram({ hasGenome: true, htsget: { program } });
    const data = bgunzip(await download(`${server.url}/reads/reads?class=header`));
    programs.push(
      Array.from(
        Buffer.from(data)
          .toString('latin1')
          .matchAll(/^@PG\t.*$/gm),
        ([line]) => line,
      ),
    );
  }
  const [without = [], added = []] = programs;
  expect(added.slice(0, -1)).toEqual(without);
  expect(added.at(-1)).toMatch(/^@PG\tID:htskit\tPN:htskit\t(PP:\S+\t)?VN:\d/);
});

test('conversions can be switched off', async () => {
  const server = await serveCram({ hasGenome: true, htsget: { conversions: false } });
  const response = await fetch(`${server.url}/reads/reads`);
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('available: CRAM');
});
