import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClockOptions } from '@htskit/io';
import { fixturePath } from '@htskit/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningServer, type ServeOptions, serve } from '../../src/runtime/serve.js';

const CREDENTIALS = { accessKeyId: 'id', secretAccessKey: 'secret' };
/** The time limits of the server; every other delay is shorter. */
const LIMIT_SECONDS = 100;

let folder: string;
let store: HungStore;
let clock: TestClock;
let server: RunningServer | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'htskit-hung-'));
  await copyFile(fixturePath('reads.bam'), join(folder, 'local.bam'));
  await copyFile(fixturePath('reads.bam.bai'), join(folder, 'local.bam.bai'));
  store = await HungStore.start();
  clock = new TestClock();
});
afterEach(async () => {
  store.close();
  clock.expire();
  await server?.close();
  server = undefined;
  await rm(folder, { recursive: true });
});

/** A store that accepts connections and never answers. */
class HungStore {
  readonly endpoint: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(listening: Server) {
    this.#server = listening;
    this.endpoint = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
    listening.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
    });
  }

  static async start(): Promise<HungStore> {
    const listening = createServer();
    await new Promise<void>((resolve) => {
      listening.listen(0, '127.0.0.1', resolve);
    });
    return new HungStore(listening);
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

/** A clock on which delays between attempts are over at once, and time limits pass when a test says so. */
class TestClock {
  #now = 0;
  readonly #limits = new Set<() => void>();

  get options(): ClockOptions {
    return {
      now: () => this.#now,
      random: () => 0,
      sleep: (milliseconds, signal) =>
        new Promise((resolve) => {
          signal?.addEventListener('abort', () => resolve(), { once: true });
          if (milliseconds < LIMIT_SECONDS * 1000) setImmediate(resolve);
          else this.#limits.add(resolve);
        }),
    };
  }

  pass(seconds: number): void {
    this.#now += seconds * 1000;
  }

  expire(): void {
    for (const pass of this.#limits) pass();
    this.#limits.clear();
  }
}

async function start(options: Partial<ServeOptions> = {}): Promise<string> {
  const s3 = { endpoint: store.endpoint, forcePathStyle: true, credentials: CREDENTIALS, ...clock.options };
  server = await serve({
    paths: [folder],
    objectLocations: [{ prefix: 'cold', location: { kind: 's3', bucket: 'cohort', key: '' } }],
    host: '127.0.0.1',
    port: 0,
    authority: 'ga4gh',
    log: () => undefined,
    s3,
    stores: { firstByteSeconds: LIMIT_SECONDS, stallSeconds: LIMIT_SECONDS },
    ...options,
  });
  return server.url;
}

/** Requests that were answered, and the others. */
class Requests {
  readonly answers: Response[] = [];
  readonly all: Promise<unknown>;
  readonly #listeners = new Set<() => void>();

  constructor(urls: readonly string[]) {
    this.all = Promise.all(urls.map((url) => this.#send(url)));
  }

  /** Resolves when so many were answered. */
  async answered(count: number): Promise<void> {
    while (this.answers.length < count) {
      await new Promise<void>((resolve) => this.#listeners.add(resolve));
      this.#listeners.clear();
    }
  }

  async #send(url: string): Promise<void> {
    const response = await fetch(url);
    await response.arrayBuffer();
    this.answers.push(response);
    for (const wake of this.#listeners) wake();
  }
}

/** Lets the time limits of all attempts pass until the requests are answered. */
async function expireUntil(done: Promise<unknown>): Promise<void> {
  let isDone = false;
  void done.then(() => {
    isDone = true;
  });
  while (!isDone) {
    clock.expire();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test.each([
  ['of different ids', (index: number) => `id${index}`],
  ['of one id', () => 'id'],
])('300 requests %s in a bucket that never answers leave local files served', async (_, nameOf) => {
  const url = await start();
  const requests = new Requests(Array.from({ length: 300 }, (_each, index) => `${url}/reads/cold/${nameOf(index)}`));
  // Half of the 256 requests in flight may wait for one store. The others are answered without waiting.
  await requests.answered(300 - 128);
  const refusals = requests.answers.map(({ status, headers }) => `${status} ${headers.get('retry-after')}`);
  // Some may find all places taken, before the server has refused the others.
  for (const refusal of refusals) expect(refusal).toMatch(/^503 [12]$/);
  expect(refusals).toContain('503 1');
  for (const path of ['/reads/local', '/reads/local?referenceName=chr1&start=0&end=100']) {
    expect((await fetch(url + path)).status).toBe(200);
  }
  await expireUntil(requests.all);
  expect(new Set(requests.answers.map(({ status }) => status))).toEqual(new Set([503]));
});

test('a store that does not respond is named, and its requests are answered at once', async () => {
  const url = await start();
  const requests = new Requests(Array.from({ length: 10 }, (_, index) => `${url}/reads/cold/id${index}`));
  await expireUntil(requests.all);
  clock.pass(4);
  const refused = await fetch(`${url}/reads/cold/other`);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '6']);
  const ready = await fetch(`${url}/readyz`);
  expect([ready.status, await ready.text()]).toEqual([200, 'ok; these stores do not respond: s3://cohort\n']);
  const detail = await fetch(`${url}/readyz`, { headers: { accept: 'application/json' } });
  expect([detail.status, await detail.json()]).toEqual([
    200,
    { status: 'ok', stores: [{ name: 's3://cohort', state: 'open' }] },
  ]);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toContain('htskit_store_state{store="s3://cohort",state="open"} 1\n');
  expect(metrics).toContain('htskit_store_state{store="s3://cohort",state="closed"} 0\n');
  expect(metrics).toContain('htskit_store_waiting_requests{store="s3://cohort"} 0\n');
  expect(metrics).toMatch(/htskit_store_refused_total\{store="s3:\/\/cohort",reason="open"\} [1-9]/);
});

test('is not ready while no store responds and there is nothing else to serve, and ready again for a test', async () => {
  const url = await start({ paths: [] });
  const requests = new Requests(Array.from({ length: 10 }, (_, index) => `${url}/reads/cold/id${index}`));
  await expireUntil(requests.all);
  const unready = await fetch(`${url}/readyz`);
  expect([unready.status, await unready.text()]).toEqual([
    503,
    'no store responds; these stores do not respond: s3://cohort\n',
  ]);
  clock.pass(10);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
});

test('a server starts while the bucket of its sequences does not respond', async () => {
  await copyFile(fixturePath('genome.fa'), join(folder, 'genome.fa'));
  const messages: string[] = [];
  const url = await start({
    sequenceLocations: [{ location: { kind: 's3', bucket: 'genomes', key: 'store' } }],
    log: (message) => messages.push(message),
  });
  expect(messages).toContain('s3://genomes/store does not respond; its sequences are served once it does');
  await server?.sequences.settled();
  // The MD5 of chr1.
  const local = await fetch(`${url}/sequence/8d7cdef404cd54bc03939a96b12c7488`);
  expect([local.status, (await local.text()).length]).toEqual([200, 150_000]);
  const unknown = await fetch(`${url}/sequence/${'0'.repeat(32)}`);
  expect([unknown.status, unknown.headers.get('retry-after')]).toEqual([503, '5']);
});
