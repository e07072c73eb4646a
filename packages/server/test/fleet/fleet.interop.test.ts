import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchTicket, streamTicket } from '@htskit/client';
import type { Ticket } from '@htskit/protocol';
import { areInstalled, createRandom, fixturePath } from '@htskit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lines, runTool } from '../interop-tools.js';
import { type Fleet, startFleet } from './fleet.js';
import { FleetClient } from './fleet-client.js';
import { casesOf, type FleetCase, filesOf, sequencesOf, sha256, viewBytes, writeLargeBam } from './fleet-files.js';
import type { Replica } from './replica.js';

const START_MILLISECONDS = 180_000;
const FASTA = 'genome.fa';
/** Clients that download at the same time. */
const CLIENTS = 8;
/** How often replicas are killed, in turn. */
const KILLS = 6;
/** Downloads that end before a replica is killed, and before it is started again. */
const BETWEEN = 8;
/** Runs of samtools until one of them succeeds. */
const TOOL_RUNS = 10;

let scratch = '';
let fleet: Fleet;
let cases: readonly FleetCase[] = [];
/** The answer to each case, as its tool has read and compared it. */
const answers = new Map<FleetCase, string>();
const sequences = sequencesOf(FASTA);

describe.skipIf(!areInstalled('radosgw', 'ceph-mon', 'ceph-osd', 'nginx', 'samtools', 'bcftools'))('a fleet', () => {
  beforeAll(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'htskit-fleet-'));
    await writeLargeBam(scratch);
    const files = filesOf(scratch);
    cases = casesOf(files);
    const paths = files.flatMap(({ path, index }) => [path, index]);
    fleet = await startFleet({ scratch, paths, fasta: fixturePath(FASTA) });
  }, START_MILLISECONDS);
  afterAll(async () => {
    await (fleet as Fleet | undefined)?.stop();
    rmSync(scratch, { recursive: true });
  });

  test('returns the records of the local files', compareRecords);
  test('the bucket sends presigned blocks, and the fleet everything else', compareOrigins);
  test('each replica accepts the block URLs of the others', answerForOthers);
  test('each replica reads all sequences from the bucket', readSequences);
  test(
    'the fleet reads bodies up to the limits of the server, and refuses longer ones in the words of the protocol',
    sendBodies,
  );
  test('a block breaks off when its replica dies, without a regular end', cutOff);
  test('a download resumes at another replica when its own dies within a block', goOn);
  test('downloads are complete and correct while replicas are killed in turn', downloadWhileKilling);
});

async function compareRecords(): Promise<void> {
  const client = new FleetClient(fleet.url);
  for (const each of cases) {
    const bytes = await client.download(fleet.url + each.path, each.query);
    const [found, expected] = [await viewBytes(each, bytes, join(scratch, 'download')), await runTool(each.local)];
    expect(lines(found).length, each.name).toBeGreaterThan(100);
    expect(found === expected, each.name).toBe(true);
    answers.set(each, sha256(bytes));
  }
  expect([...client.answers.keys()].sort()).toEqual(fleet.replicas.map(({ address }) => address));
}

async function compareOrigins(): Promise<void> {
  const origins = new Map<string, readonly string[]>();
  for (const { name, path, query } of cases) {
    const urls = blockUrls(await fetchTicket(fleet.url + path, query));
    origins.set(name, [...new Set(urls.map((url) => new URL(url).origin))]);
  }
  expect([origins.get('large.bam'), origins.get('presigned/large.bam')]).toEqual([[fleet.url], [fleet.bucketUrl]]);
  const proxied = cases.filter(({ isPresigned }) => !isPresigned).flatMap(({ name }) => origins.get(name));
  expect([...new Set(proxied)]).toEqual([fleet.url]);
}

/** The URLs of the blocks that are not inline. */
function blockUrls({ htsget }: Ticket): string[] {
  return htsget.urls.map(({ url }) => url).filter((url) => !url.startsWith('data:'));
}

async function answerForOthers(): Promise<void> {
  const { replicas } = fleet;
  let compared = 0;
  for (const each of cases.filter(({ isPresigned }) => !isPresigned)) {
    for (const [rank, issuer] of replicas.entries()) {
      const { htsget } = await fetchTicket(issuer.url + each.path, each.query);
      const other = replicas[(rank + 1) % replicas.length];
      const urls = htsget.urls.map((block) => ({ ...block, url: block.url.replace(fleet.url, other?.url ?? '') }));
      const stream = streamTicket({ htsget: { ...htsget, urls } }, { retries: 0 });
      const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
      expect(sha256(bytes), each.name).toBe(answers.get(each));
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(40);
}

async function readSequences(): Promise<void> {
  const random = createRandom(21);
  for (const replica of fleet.replicas) {
    const client = new FleetClient(replica.url);
    for (const { md5, bases } of sequences) {
      const start = Math.floor(random() * bases.length);
      const end = Math.min(bases.length, start + 1000);
      const [whole, slice] = await Promise.all([client.sequence(md5), client.sequence(md5, { start, end })]);
      expect(whole === bases, md5).toBe(true);
      expect(slice).toBe(bases.slice(start, end));
    }
  }
}

async function sendBodies(): Promise<void> {
  const send = async (path: string, byteLength: number): Promise<unknown[]> => {
    const body = JSON.stringify({ names: ['chr1'], lengths: [1], padding: ['x'.repeat(byteLength)] });
    const response = await fetch(fleet.url + path, { method: 'POST', body });
    return [response.status, /json/.test(response.headers.get('content-type') ?? '')];
  };
  const [list] = ((await (await fetch(`${fleet.url}/list/collection`)).json()) as { results: string[] }).results;
  // It is read, and lacks the sequences.
  expect(await send(`/comparison/${list}`, 4_000_000)).toEqual([400, true]);
  expect(await send(`/comparison/${list}`, 4_500_000)).toEqual([413, true]);
  expect(await send(cases[0]?.path ?? '', 1_500_000)).toEqual([413, true]);
}

async function cutOff(): Promise<void> {
  const [large] = cases as [FleetCase];
  const urls = blockUrls(await fetchTicket(fleet.url + large.path));
  expect(urls.length).toBeGreaterThan(1);
  const response = await fetch(urls[0] ?? '');
  // More than the sockets on the way hold.
  expect(Number(response.headers.get('content-length'))).toBeGreaterThan(10_000_000);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  const replica = replicaAt(response.headers.get('x-replica') ?? '');
  await replica.kill();
  const readOn = async (): Promise<void> => {
    for (let part = await reader.read(); !part.done; part = await reader.read());
  };
  await expect(readOn()).rejects.toThrow(/terminated/);
  await replica.start();
}

async function goOn(): Promise<void> {
  const [large] = cases as [FleetCase];
  const client = new FleetClient(fleet.url);
  const { stream } = await client.open(fleet.url + large.path, large.query, { concurrency: 1, bytesAhead: 1 });
  const chunks: Uint8Array[] = [];
  let killed: Replica | undefined;
  for await (const chunk of stream) {
    chunks.push(chunk);
    // The header is inline.
    if (killed !== undefined || chunks.length < 3) continue;
    killed = replicaAt(client.lastReplica);
    await killed.kill();
  }
  expect(sha256(Buffer.concat(chunks))).toBe(answers.get(large));
  expect(client.cutCount).toBe(1);
  await killed?.start();
}

function replicaAt(address: string): Replica {
  const replica = fleet.replicas.find((each) => each.address === address);
  if (replica === undefined) throw new Error('no replica answers');
  return replica;
}

/** Lets others wait until some more downloads have ended. */
class Progress {
  count = 0;
  readonly #waiting = new Set<{ readonly count: number; readonly resolve: () => void }>();

  add(): void {
    this.count++;
    for (const each of this.#waiting) {
      if (each.count > this.count) continue;
      this.#waiting.delete(each);
      each.resolve();
    }
  }

  more(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.add({ count: this.count + count, resolve });
    });
  }
}

async function downloadWhileKilling(): Promise<void> {
  const client = new FleetClient(fleet.url);
  const progress = new Progress();
  let isOver = false;
  const killing = killInTurn(progress).finally(() => {
    isOver = true;
  });
  const downloads = Array.from({ length: CLIENTS }, (_, rank) =>
    downloadOften(client, { progress, seed: rank, isOver: () => isOver }),
  );
  const counts = await Promise.all([...downloads, viewOften(() => isOver), killing]);
  process.stderr.write(
    `${progress.count} downloads, ${client.retryCount} requests made again, ${client.cutCount} bodies cut off, ` +
      `${counts.at(-2)} runs of samtools failed\n`,
  );
  expect(progress.count).toBeGreaterThan(2 * BETWEEN * KILLS);
  expect([...client.answers.keys()].sort()).toEqual(fleet.replicas.map(({ address }) => address));
}

/** Kills each replica while downloads run, and starts it again while others continue. */
async function killInTurn(progress: Progress): Promise<number> {
  for (let turn = 0; turn < KILLS; turn++) {
    await progress.more(BETWEEN);
    const replica = fleet.replicas[turn % fleet.replicas.length] as Replica;
    await replica.kill();
    await progress.more(BETWEEN);
    await replica.start();
  }
  return KILLS;
}

interface DownloadOptions {
  readonly progress: Progress;
  readonly seed: number;
  readonly isOver: () => boolean;
}

/** Downloads in an order of its own, and compares each. */
async function downloadOften(client: FleetClient, { progress, seed, isOver }: DownloadOptions): Promise<number> {
  const random = createRandom(seed);
  let count = 0;
  while (!isOver()) {
    const rank = Math.floor(random() * (cases.length + sequences.length));
    const [each, sequence] = [cases[rank], sequences[rank - cases.length]];
    if (each !== undefined) {
      const bytes = await client.download(fleet.url + each.path, each.query);
      expect(sha256(bytes), each.name).toBe(answers.get(each));
    } else if (sequence !== undefined) {
      expect((await client.sequence(sequence.md5)) === sequence.bases, sequence.md5).toBe(true);
    }
    progress.add();
    count++;
  }
  return count;
}

/** Has samtools and bcftools download, again where one fails. Resolves with how often one failed. */
async function viewOften(isOver: () => boolean): Promise<number> {
  let failureCount = 0;
  for (let rank = 0; !isOver(); rank = (rank + 5) % cases.length) {
    const { name, path, query, view, local } = cases[rank] as FleetCase;
    if (query.regions !== undefined) continue;
    const expected = await runTool(local);
    for (let run = 1; ; run++) {
      const found = await runTool([...view, fleet.url + path]).catch((error: unknown) => error as Error);
      if (typeof found === 'string') {
        expect(found === expected, name).toBe(true);
        break;
      }
      failureCount++;
      if (run === TOOL_RUNS) throw found;
    }
  }
  return failureCount;
}
