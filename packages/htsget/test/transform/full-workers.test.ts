import { gzipSync } from 'node:zlib';
import { type ByteSource, toByteStream } from '@htskit/io';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  DeliveryWorkers,
  FileLoader,
  type FilePlan,
  planFile,
  type StoredFile,
  type StreamPlanOptions,
  streamPlan,
} from '../../src/index.js';
import type { PlanQuery } from '../../src/plan/plan-input.js';
import { genomeReference } from '../cram-conversion.js';
import { fixtureFile, fixtureHandler, fixturePathOf } from '../fixture-files.js';
import { openingWorkers } from '../observed-workers.js';
import { fetchTicket, type Handler } from '../read-ticket.js';

let workers: DeliveryWorkers;
/** The jobs that occupy the workers. */
let occupying: Promise<unknown>[];

beforeEach(() => {
  // One job of one client may wait, or two of two.
  workers = new DeliveryWorkers({ threads: 1, maxWaiting: 1 });
  occupying = [];
});
afterEach(async () => {
  await Promise.allSettled(occupying);
  await workers.close();
});

/** Takes the worker long to decompress. */
const LONG_JOB = { chunk: new Uint8Array(gzipSync(new Uint8Array(2 ** 23))), isLast: true };

/** Occupies the worker with the jobs of two clients. Those of further clients wait: two leave no place for a new answer. */
function occupyWorkers(clients: readonly string[] = ['a', 'b', 'c', 'd']): void {
  for (const client of clients) {
    const session = workers.open({ kind: 'decompress', maxBytes: 2 ** 26 }, client);
    const job = session.run(LONG_JOB);
    occupying.push(job);
  }
}

async function releaseWorkers(): Promise<void> {
  await Promise.allSettled(occupying.splice(0));
}

const [FIRST, SECOND] = [
  { referenceName: 'chr1', start: 5000, end: 6000 },
  { referenceName: 'chr1', start: 50_000, end: 51_000 },
];

/** Answers of several transforms. */
const ANSWERS: readonly (readonly [name: string, file: string, query: PlanQuery])[] = [
  ['regions of BAM', 'reads.bam', { regions: [FIRST, SECOND] }],
  ['BAM with some tags', 'reads.bam', { regions: [FIRST, SECOND], tags: ['NM'] }],
  ['CRAM as BAM', 'reads.cram', { format: 'BAM' }],
  ['VCF as BCF', 'variants.vcf.gz', { format: 'BCF' }],
  ['BCF as text', 'variants.bcf', { format: 'VCFTEXT' }],
];

const LIMITS = { gapBytes: 0, convertedBytes: 2 ** 15 };

async function planAnswer(stored: StoredFile, query: PlanQuery): Promise<FilePlan> {
  const loader = new FileLoader({ limits: LIMITS });
  const plan = await planFile(stored, query, { loader, precision: 'exact', reference: genomeReference });
  expect(plan.segments.filter(({ kind }) => kind === 'cut').length).toBeGreaterThan(1);
  return plan;
}

async function readAll(chunks: AsyncIterable<Uint8Array>, afterFirst = (): void => undefined): Promise<Buffer> {
  const collected: Uint8Array[] = [];
  for await (const chunk of chunks) {
    if (collected.push(chunk) === 1) afterFirst();
  }
  return Buffer.concat(collected);
}

describe('an answer that has begun is complete if the workers become busy', () => {
  test.each(ANSWERS)('%s, in the process', async (_, name, query) => {
    const stored = fixtureFile(name);
    const plan = await planAnswer(stored, query);
    const options = { version: '1', reference: genomeReference };
    const expected = await readAll(streamPlan(plan, stored.data, options));
    const chunks = streamPlan(plan, stored.data, { ...options, workers, client: 'e' });
    expect((await readAll(chunks, occupyWorkers)).equals(expected)).toBe(true);
  });

  test('a block of several regions', async () => {
    const { handler, block } = await openPanel();
    const expected = await fetchBody(fixtureHandler(OPTIONS), block);
    const response = await handler(new Request(block));
    expect(response.status).toBe(200);
    occupyWorkers();
    expect(Buffer.from(await response.arrayBuffer()).equals(expected)).toBe(true);
  });
});

test('the edges of a ticket take one place', async () => {
  const file = { ...fixtureFile('reads.bam'), locate: async () => ({ url: 'https://store.example.org/reads.bam' }) };
  const regions = Array.from({ length: 8 }, (_, i) => ({
    referenceName: 'chr1',
    start: i * 9000,
    end: i * 9000 + 100,
  }));
  const init = { method: 'POST', headers: JSON_HEADERS, body: JSON.stringify({ format: 'BAM', regions }) };
  const expected = await fetchTicket(fixtureHandler(OPTIONS, { a: [file] }), '/reads/a', init);
  const ticket = await fetchTicket(fixtureHandler({ ...OPTIONS, workers }, { a: [file] }), '/reads/a', init);
  expect(ticket).toEqual(expected);
});

const JSON_HEADERS = { 'content-type': 'application/json' };
const KEY = new Uint8Array(32);
/** No block is made as a whole before its status is sent. */
const OPTIONS = { precision: 'exact', signingKeys: [KEY], limits: { gapBytes: 0, cacheBytes: 0 } } as const;

/** Returns a handler with these workers, and the URL of a block of three filtered cuts. */
async function openPanel(): Promise<{ handler: Handler; block: string }> {
  const handler = fixtureHandler({ ...OPTIONS, workers, clientOf: () => 'e' });
  const body = JSON.stringify({ format: 'BAM', regions: [FIRST, SECOND] });
  const { htsget } = await fetchTicket(handler, '/reads/reads.bam', { method: 'POST', headers: JSON_HEADERS, body });
  const blocks = htsget.urls.filter(({ url }) => url.startsWith('http'));
  expect(blocks).toHaveLength(1);
  return { handler, block: blocks[0]?.url ?? '' };
}

async function fetchBody(handler: Handler, url: string): Promise<Buffer> {
  const response = await handler(new Request(url));
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

describe('while too many jobs wait for the workers', () => {
  test('an answer is refused before its first byte, even if that needs no worker', async () => {
    const stored = fixtureFile('reads.bam');
    const plan = await planAnswer(stored, { regions: [FIRST, SECOND] });
    expect(plan.segments[0]?.kind).toBe('inline');
    occupyWorkers();
    const chunks = streamPlan(plan, stored.data, { version: '1', workers, client: 'e' });
    await expect(chunks.next()).rejects.toMatchObject({ code: 'QUEUE_FULL' });
  });

  test('a block is 503 with Retry-After, and 200 afterwards', async () => {
    const { handler, block } = await openPanel();
    occupyWorkers();
    const response = await handler(new Request(block));
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    await releaseWorkers();
    expect((await handler(new Request(block))).status).toBe(200);
  });

  test('an answer without transforms is complete', async () => {
    const stored = fixtureFile('reads.bam');
    const plan = await planFile(stored, {});
    occupyWorkers();
    const chunks = streamPlan(plan, stored.data, { version: '1', workers, client: 'e' });
    expect((await readAll(chunks)).length).toBeGreaterThan(300_000);
  });

  test('a ticket whose index is parsed by the workers is complete', async () => {
    const handler = fixtureHandler({ ...OPTIONS, workers, clientOf: () => 'e' });
    occupyWorkers();
    const ticket = await fetchTicket(handler, `${fixturePathOf('reads.cram')}&referenceName=chr1&start=1000&end=3000`);
    expect(ticket.htsget.urls.length).toBeGreaterThan(1);
  });
});

describe('an answer keeps no other one out', () => {
  /** Plans two filtered cuts of a file whose data arrives after `read`. */
  async function openAnswer(
    read: () => Promise<void>,
    options: StreamPlanOptions = {},
  ): Promise<AsyncGenerator<Uint8Array, void>> {
    const stored = fixtureFile('reads.bam');
    const plan = await planAnswer(stored, { regions: [FIRST, SECOND] });
    const segments = plan.segments.filter(({ kind }) => kind === 'cut');
    return streamPlan({ ...plan, segments }, delayed(stored.data, read), { workers, client: 'e', ...options });
  }

  function delayed(source: ByteSource, read: () => Promise<void>): ByteSource {
    async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
      await read();
      yield* stream;
    }
    return {
      key: source.key,
      stat: (options) => source.stat(options),
      read: (range, options) => source.read(range, options),
      stream: (range, options) => toByteStream(chunksOf(source.stream(range, options)), options),
    };
  }

  const arrives = async (): Promise<void> => undefined;
  const hangs = (): Promise<void> => new Promise(() => undefined);

  /** Answers in which no job waits. */
  const IDLE: readonly (readonly [name: string, start: () => Promise<unknown>])[] = [
    ['when it has ended', async () => readAll(await openAnswer(arrives))],
    ['while its client reads the first chunk', async () => (await openAnswer(arrives)).next()],
    ['when its client has left after the first chunk', async () => leave(await openAnswer(arrives))],
    [
      'while its storage does not answer',
      async () => {
        const chunks = await openAnswer(hangs);
        chunks.next().catch(() => undefined);
      },
    ],
    [
      'when its storage has failed',
      async () => {
        const chunks = await openAnswer(() => Promise.reject(new Error('no data')));
        await expect(chunks.next()).rejects.toThrow('no data');
      },
    ],
    [
      'when its client has left while it waited for a worker',
      async () => {
        const controller = new AbortController();
        const leaving = openingWorkers((description, client) => {
          const session = workers.createPlace(client).open(description);
          const run: typeof session.run = (job) => {
            const result = session.run(job);
            controller.abort();
            return result;
          };
          return { ...session, run };
        });
        const read = async (): Promise<void> => occupyWorkers(['a', 'b']);
        const chunks = await openAnswer(read, { workers: leaving, signal: controller.signal });
        await expect(chunks.next()).rejects.toMatchObject({ code: 'ABORTED' });
      },
    ],
  ];

  async function leave(chunks: AsyncGenerator<Uint8Array, void>): Promise<void> {
    await chunks.next();
    await chunks.return();
  }

  test.each(IDLE)('%s', async (_, start) => {
    await start();
    // A single job that waits would leave no place for this client.
    expect(() => workers.createPlace('e').take()).not.toThrow();
  });
});
