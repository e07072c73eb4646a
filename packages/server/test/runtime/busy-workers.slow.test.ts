import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { DeliveryWorkers, FileLoader, planFile, streamPlan } from '@htskit/htsget';
import { indexVcf } from '@htskit/indexes';
import { fileSource } from '@htskit/storage/file';
import { createRandom, fixturePath } from '@htskit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getFile } from '../../src/commands/get/local-file.js';
import { type RunningServer, serve } from '../../src/runtime/serve.js';

/** Jobs that wait for the one worker before clients with a fair share of them are refused. */
const CAPACITY = 64;
const CLIENTS = 4 * CAPACITY;
/** Their addresses, each of which has a share of the places. */
const ADDRESSES = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'];

/** Both ends lie within a block. */
const REGION = { referenceName: 'c', start: 10_005, end: 90_005 };
/** Regions of three blocks or containers. */
const PANEL = [5005, 35_005, 65_005].map((start) => ({ referenceName: 'c', start, end: start + 10_000 }));
const CRAM_PANEL = ['chr1', 'chr2', 'chrM'].map((referenceName) => ({ referenceName, start: 100, end: 200 }));

let folder: string;
let server: RunningServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'htskit-busy-'));
  await writeCalls(join(folder, 'calls.vcf.gz'));
  for (const name of ['v31.cram', 'v31.cram.crai', 'genome.fa', 'genome.fa.fai']) {
    await copyFile(fixturePath(name), join(folder, name));
  }
  server = await serve({
    paths: [folder],
    host: '127.0.0.1',
    port: 0,
    authority: 'ga4gh',
    log: () => undefined,
    trustedProxies: 1,
    workerThreads: 1,
    // The gate refuses no request.
    serverLimits: { concurrency: 2 * CLIENTS },
    // Blocks of more than 16 KiB of the file are made while they are sent.
    htsget: { limits: { cacheBytes: 2 ** 18, gapBytes: 0 } },
  });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

/** Writes variants whose lines compress badly, with their index. */
async function writeCalls(path: string): Promise<void> {
  const random = createRandom(1);
  const lines = Array.from({ length: 10_000 }, (_, i) => {
    const id = Array.from({ length: 4 }, () => random().toString(36)).join('');
    return `c\t${i * 10 + 1}\t${id}\tA\tC\t.\t.\tDP=${random() % 1000}\n`;
  });
  const header = [
    '##fileformat=VCFv4.3',
    '##contig=<ID=c,length=100000>',
    '##INFO=<ID=DP,Number=1,Type=Integer,Description="Depth">',
    '#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n',
  ];
  const bytes = Buffer.concat([deflateBlocks(Buffer.from(header.join('\n') + lines.join(''))), EOF_MARKER]);
  await writeFile(path, bytes);
  await writeFile(`${path}.tbi`, await indexVcf(new Blob([bytes]).stream()));
}

type Outcome = 'complete' | 'refused' | 'broken' | 'different';

/** Counts what becomes of the answers of all clients, which begin in the same moment. */
async function countOutcomes(request: (address: string) => Promise<Outcome>): Promise<Record<Outcome, number>> {
  const counts = { complete: 0, refused: 0, broken: 0, different: 0 };
  const runClient = async (index: number): Promise<void> => {
    counts[await request(ADDRESSES[index % ADDRESSES.length] ?? '')]++;
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, index) => runClient(index)));
  return counts;
}

describe('at four times the capacity of the workers, no answer that has begun breaks off', () => {
  test.each<readonly [name: string, object: string, format: string, regions: readonly object[]]>([
    ['a block with two cut edges', '/variants/calls', 'VCF', [REGION]],
    ['a block of a panel', '/variants/calls', 'VCF', PANEL],
    ['a block of a panel as BCF', '/variants/calls', 'BCF', PANEL],
    ['a block of a panel as text', '/variants/calls', 'VCFTEXT', PANEL],
    ['a block of a panel of CRAM as BAM', '/reads/v31', 'BAM', CRAM_PANEL],
  ])('%s', async (_, object, format, regions) => {
    const url = await findBlock(object, { format, regions });
    const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
    const expected = await fetchBlock(url, { agent });
    const counts = await countOutcomes(async (client) => {
      const { status, retryAfter, isComplete, body } = await fetchBlock(url, { agent, client });
      if (status === 503) return retryAfter === '1' ? 'refused' : 'different';
      if (status !== 200 || !isComplete) return 'broken';
      return body.equals(expected.body) ? 'complete' : 'different';
    });
    agent.destroy();
    expect(counts).toMatchObject({ broken: 0, different: 0 });
    expect(counts.complete).toBeGreaterThan(CAPACITY / 2);
    expect(counts.refused).toBeGreaterThan(0);
  });
});

/** Returns the URL of the block that has all records of a query. */
async function findBlock(object: string, query: object): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(server.url + object, { method: 'POST', headers, body: JSON.stringify(query) });
  expect(response.status).toBe(200);
  const { htsget } = (await response.json()) as { htsget: { urls: { url: string; class: string }[] } };
  const blocks = htsget.urls.filter(({ url, class: part }) => part === 'body' && url.startsWith('http'));
  expect(blocks).toHaveLength(1);
  return blocks[0]?.url ?? '';
}

interface FetchedBlock {
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
  /** Whether the connection has not broken. */
  readonly isComplete: boolean;
  readonly body: Buffer;
}

function fetchBlock(
  url: string,
  { agent, client = '192.0.2.0' }: { readonly agent: Agent; readonly client?: string },
): Promise<FetchedBlock> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { 'x-forwarded-for': client } }, (response) => {
      const { statusCode: status, headers } = response;
      const settle = (body: Buffer): void =>
        resolve({ status, retryAfter: headers['retry-after'], isComplete: response.complete, body });
      buffer(response).then(settle, () => settle(Buffer.alloc(0)));
    }).on('error', reject);
  });
}

describe('in one process', () => {
  test.each(['VCF', 'BCF'] as const)('streams of regions as %s are complete', async (format) => {
    const path = join(folder, 'calls.vcf.gz');
    const [data, index] = [fileSource(path), fileSource(`${path}.tbi`)];
    const loader = new FileLoader({ limits: { gapBytes: 0 } });
    const plan = await planFile(
      { format: 'VCF', data, index },
      { regions: PANEL, format },
      { loader, precision: 'exact' },
    );
    const { version } = plan.stat;
    const expected = await buffer(streamPlan(plan, data, { version }));
    const workers = new DeliveryWorkers({ threads: 1 });
    const counts = await countOutcomes(async (client) => {
      const chunks: Uint8Array[] = [];
      try {
        for await (const chunk of streamPlan(plan, data, { version, workers, client })) chunks.push(chunk);
      } catch {
        return chunks.length === 0 ? 'refused' : 'broken';
      }
      return Buffer.concat(chunks).equals(expected) ? 'complete' : 'different';
    });
    await Promise.all([workers.close(), data.close(), index.close()]);
    expect(counts).toMatchObject({ broken: 0, different: 0 });
    expect(counts.complete).toBeGreaterThan(CAPACITY / 2);
  });

  test('htskit get writes the same file with one thread as without', async () => {
    const regions = PANEL.map(({ referenceName, start, end }) => `${referenceName}:${start + 1}-${end}`);
    const write = async (threads: number): Promise<Buffer> => {
      const output = join(folder, `${threads}.vcf.gz`);
      const { signal } = new AbortController();
      const options = {
        regions,
        isHeaderOnly: false,
        precision: 'exact',
        threads,
        output,
        showsProgress: false,
        signal,
      } as const;
      await getFile(join(folder, 'calls.vcf.gz'), options);
      return readFile(output);
    };
    expect((await write(1)).equals(await write(0))).toBe(true);
  });
});
