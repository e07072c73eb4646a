import { toNodeListener } from '@htskit/adapters/node';
import { createHtsgetHandler, type Locate, type StoredFile } from '@htskit/htsget';
import { type ByteSource, StorageError } from '@htskit/io';
import { httpSource } from '@htskit/storage/http';
import { memorySource } from '@htskit/storage/memory';
import { bgunzip, type Fault, FaultyServer, readFixture, sample, volume } from '@htskit/testing';
import { expect, test } from 'vitest';
import { fetchTicket, HtsgetClientError, openHtsget } from '../../src/index.js';
import { collect, listen } from '../listen.js';
import { FaultTiming, LIMIT } from './fault-timing.js';

const ONE = readFixture('reads.bam');
const VERSIONS = { '"one"': ONE, '"two"': readFixture('straddle.bam') } as const;
const CONTENTS = Object.values(VERSIONS).map(bgunzip);
const RANGE = { start: 1000, end: 300_001 };
/** The size of one block of a ticket. */
const BLOCK_BYTES = 150_000;
/** The most bytes of one request of the client if the store sends the blocks. */
const SPLIT_BYTES = 120_000;

/** One fault and when it happens: at the request with this index, from 0. */
interface Trial {
  readonly fault: Fault | 'another object' | 'another object, whatever If-Match says';
  readonly index: number;
  /** Whether failed requests are retried. */
  readonly isPatient: boolean;
}

/** A store that fails once, and the clock of its clients, whose timeouts fire at once. */
class FaultyStore {
  readonly timing = new FaultTiming();
  readonly isPatient: boolean;
  isArmed = false;
  isStruck = false;
  readonly #server: FaultyServer;
  readonly #trial: Trial;
  #version: keyof typeof VERSIONS = '"one"';
  #requestCount = 0;
  #isHeeding = true;

  private constructor(server: FaultyServer, trial: Trial) {
    this.#server = server;
    this.#trial = trial;
    this.isPatient = trial.isPatient;
    void server.stalled.then(() => this.timing.stall());
  }

  static async start(trial: Trial): Promise<FaultyStore> {
    return new FaultyStore(await FaultyServer.start({ bytes: ONE, headers: { etag: '"one"' } }), trial);
  }

  get url(): string {
    return `${this.#server.origin}/object`;
  }

  /** Calls the global `fetch`, and counts the requests to the store. */
  readonly fetch = (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    if (this.isArmed && input === this.url && this.#requestCount++ === this.#trial.index) this.#strike();
    if (this.#isHeeding) return fetch(input, init);
    const headers = new Headers(init?.headers);
    headers.delete('if-match');
    return fetch(input, { ...init, headers });
  };

  /** A source that reads from the store and sees its faults. */
  get source(): ByteSource {
    const { fetch, timing } = this;
    const { now, sleep, random } = timing;
    const retries = this.isPatient ? 3 : 0;
    return httpSource(this.url, { fetch, now, sleep, random, timeoutMilliseconds: LIMIT, retries });
  }

  /** A source of the same object without faults. */
  get soundSource(): ByteSource {
    const now = (): ByteSource => memorySource(VERSIONS[this.#version], { version: this.#version });
    return {
      key: 'object',
      stat: (options) => now().stat(options),
      read: (range, options) => now().read(range, options),
      stream: (range, options) => now().stream(range, options),
    };
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  #strike(): void {
    this.isStruck = true;
    const { fault } = this.#trial;
    if (typeof fault === 'string') {
      this.#isHeeding = fault === 'another object';
      this.#version = '"two"';
      this.#server.object = { bytes: VERSIONS['"two"'], headers: { etag: '"two"' } };
    } else this.#server.fail(fault);
  }
}

/** Starts an htsget service of the file and returns its URL. */
async function serveFile(file: Omit<StoredFile, 'format'>): Promise<string> {
  let listener: ReturnType<typeof toNodeListener> | undefined;
  const origin = await listen((request, response) => listener?.(request, response));
  const resolve = async (): Promise<StoredFile[]> => [{ format: 'BAM', ...file }];
  const limits = { blockBytes: BLOCK_BYTES };
  // The failures of blocks are expected.
  const onError = (): void => undefined;
  listener = toNodeListener(createHtsgetHandler({ publicUrl: origin, resolve, limits, onError }), { onError });
  return `${origin}/reads/file`;
}

async function readSource(store: FaultyStore): Promise<Uint8Array> {
  store.isArmed = true;
  return collect(store.source.stream(RANGE, { version: '"one"' }));
}

/** Fetches the blocks of an earlier ticket with `fetch` alone. */
async function readBlocks(store: FaultyStore): Promise<Uint8Array> {
  const { htsget } = await fetchTicket(await serveFile({ data: store.source }));
  store.isArmed = true;
  const blocks: ArrayBuffer[] = [];
  for (const { url } of htsget.urls) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`status ${response.status}`);
    blocks.push(
      await response.arrayBuffer().catch(() => {
        throw new Error('broken off');
      }),
    );
  }
  return Buffer.concat(blocks.map((block) => new Uint8Array(block)));
}

/** Downloads everything with the client from a service that reads the store. */
async function downloadFromService(store: FaultyStore): Promise<Uint8Array> {
  const url = await serveFile({ data: store.source });
  store.isArmed = true;
  // The connection to the service does not stall.
  return download(url, store, new FaultTiming());
}

/** Downloads everything with the client from the store, whose URLs the ticket has. */
async function downloadFromStore(store: FaultyStore): Promise<Uint8Array> {
  const locate: Locate = async (_, { version = '' }) => ({ url: store.url, headers: { 'If-Match': version } });
  const url = await serveFile({ data: store.soundSource, locate });
  store.isArmed = true;
  return download(url, store, store.timing);
}

async function download(url: string, { fetch, isPatient }: FaultyStore, { sleep }: FaultTiming): Promise<Uint8Array> {
  const options = { fetch, sleep, timeoutMilliseconds: LIMIT, retries: isPatient ? 3 : 0, splitBytes: SPLIT_BYTES };
  return collect((await openHtsget(url, {}, options)).stream);
}

type Level = (store: FaultyStore) => Promise<Uint8Array>;

/** Returns the outcome of one trial, or undefined if the fault was after the last request. */
async function tryOnce(level: Level, trial: Trial): Promise<string | undefined> {
  const store = await FaultyStore.start(trial);
  try {
    const bytes = await level(store);
    if (!isRight(level, bytes)) return 'WRONG';
    return store.isStruck ? 'right' : undefined;
  } catch (error) {
    if (!store.isStruck) throw error;
    return nameOf(error);
  } finally {
    await store.close();
  }
}

/** Returns whether the bytes are those of the old object, or of the new one if a new ticket may lead to it: never of both. */
function isRight(level: Level, bytes: Uint8Array): boolean {
  if (level === readSource) return Buffer.from(ONE.subarray(RANGE.start, RANGE.end)).equals(bytes);
  const right = level === readBlocks ? CONTENTS.slice(0, 1) : CONTENTS;
  return right.some((content) => Buffer.from(content).equals(bgunzip(bytes)));
}

function nameOf(error: unknown): string {
  if (error instanceof StorageError || error instanceof HtsgetClientError) return error.code;
  return error instanceof Error && /^(status \d+|broken off)$/.test(error.message) ? error.message : String(error);
}

/** The distance between the requests at which the store fails in turn: 1 in CI. */
const STRIDE = 6 - volume(5);

/** Returns the outcomes of a fault at each of the requests in turn, each outcome once. */
async function outcomesOf(level: Level, fault: Trial['fault'], isPatient: boolean): Promise<string[]> {
  const outcomes = new Set<string>();
  // Only a few requests notice that the object was replaced.
  const stride = typeof fault === 'string' ? 1 : STRIDE;
  for (let index = 0; ; index += stride) {
    const outcome = await tryOnce(level, { fault, index, isPatient });
    if (outcome === undefined) return [...outcomes].sort();
    outcomes.add(outcome);
  }
}

const LEVELS = { source: readSource, blocks: readBlocks, service: downloadFromService, store: downloadFromStore };

type LevelName = keyof typeof LEVELS;
type Outcomes = Readonly<Record<LevelName, readonly string[]>>;

/** A temporary fault has no effect. */
const RIGHT: Outcomes = { source: ['right'], blocks: ['right'], service: ['right'], store: ['right'] };
/** The client requests a new ticket, and by then the store works. */
const REFUSED: Outcomes = {
  source: ['UNAVAILABLE'],
  blocks: ['broken off', 'status 500'],
  service: ['right'],
  store: ['INVALID_RESPONSE'],
};
/** The bytes that were received do not fit a new ticket. */
const CHANGED: Outcomes = {
  source: ['CHANGED'],
  blocks: ['status 409', 'broken off'],
  service: ['right', 'CHANGED'],
  store: ['right', 'CHANGED'],
};
/** The outcomes without retries. */
const ERRORS: Outcomes = {
  source: ['UNAVAILABLE', 'SHORT_READ', 'CHANGED'],
  blocks: ['status 409', 'status 500', 'status 503', 'broken off'],
  service: ['SERVER_ERROR', 'NETWORK', 'CHANGED'],
  store: ['SERVER_ERROR', 'NETWORK', 'STALLED', 'TRUNCATED', 'INVALID_RESPONSE', 'CHANGED'],
};

const FAULTS: readonly (readonly [string, Trial['fault'], Outcomes])[] = [
  ['a connection that breaks before the answer', { kind: 'reset' }, RIGHT],
  ['a connection that breaks after the headers', { kind: 'reset', after: 0 }, RIGHT],
  ['a connection that breaks in the middle', { kind: 'reset', after: 40_000 }, RIGHT],
  ['a connection that stalls before the answer', { kind: 'stall' }, RIGHT],
  ['a connection that stalls in the middle', { kind: 'stall', after: 40_000 }, RIGHT],
  ['HTTP 500', { kind: 'status', status: 500 }, RIGHT],
  ['HTTP 503', { kind: 'status', status: 503, headers: { 'retry-after': '2' } }, RIGHT],
  ['a body that is too short', { kind: 'short', bytes: 1000 }, RIGHT],
  ['a body that is too long', { kind: 'long', bytes: 1 }, REFUSED],
  ['another range', { kind: 'headers', headers: { 'content-range': `bytes 0-99/${ONE.length}` } }, REFUSED],
  ['everything in place of a range', { kind: 'whole' }, REFUSED],
  ['another object', 'another object', CHANGED],
  ['another object of a store without conditions', 'another object, whatever If-Match says', CHANGED],
];

const CASES = FAULTS.flatMap(([name, fault, expected]) =>
  (Object.keys(LEVELS) as LevelName[]).map((level) => [name, level, { fault, expected: expected[level] }] as const),
);

test.each(sample(CASES))('%s leads to no wrong bytes, whenever it happens: %s', async (_name, levelName, each) => {
  const { fault, expected } = each;
  const level = LEVELS[levelName];
  const patient = await outcomesOf(level, fault, true);
  expect(patient.filter((outcome) => !expected.includes(outcome))).toEqual([]);
  expect(patient.length).toBeGreaterThan(0);
  // Without retries, it is reported.
  const impatient = await outcomesOf(level, fault, false);
  expect(impatient.filter((outcome) => outcome !== 'right' && !ERRORS[levelName].includes(outcome))).toEqual([]);
  expect(impatient.some((outcome) => outcome !== 'right')).toBe(true);
});
