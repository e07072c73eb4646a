import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type RangeAnswer, readFixture, type S3Request } from '@htskit/testing';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { startBucket } from '../../bucket.js';
import { cli } from '../../built-command.js';
import {
  copyFiles,
  environmentOf,
  expectIndex,
  FILES,
  fillBucket,
  fixtureOf,
  INDEXES,
  objectsOf,
} from './prepare-files.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-prepare-slow-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  vi.unstubAllEnvs();
});

function start(args: readonly string[], environment: Readonly<Record<string, string>> = {}): ChildProcess {
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, [cli, 'prepare', ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Reads the lines of a command until it ends. */
async function* linesOf({ stdout }: ChildProcess): AsyncGenerator<string, void> {
  if (stdout === null) throw new Error('the output is not piped');
  yield* createInterface(stdout);
}

test('a folder whose preparation is killed after each file is complete in the end', async () => {
  copyFiles(folder);
  let runs = 0;
  for (let isComplete = false; !isComplete; runs++) {
    const child = start([folder, '-j', '2', '--coverage', '--index', '-q', '-T', join(folder, 'genome.fa')]);
    const ended = once(child, 'exit');
    for await (const line of linesOf(child)) if (line.startsWith('made')) child.kill('SIGKILL');
    const [code] = (await ended) as [number | null];
    // Killed, or complete.
    expect(code ?? 0).toBe(0);
    isComplete = code === 0;
  }
  expect(runs).toBeGreaterThan(2);
  for (const name of INDEXES) expectIndex(name, readFileSync(join(folder, name)));
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const companions = ['longref.bam', 'reads.bam', 'v31.cram'].map((name) => `${name}.coverage.bw`);
  const expected = [...Object.keys(FILES), ...INDEXES].map(fixtureOf);
  expect(names.map(({ name }) => name).toSorted()).toEqual([...expected, ...companions].toSorted());
});

test('a bucket whose preparation is killed at any request is complete in the end', async () => {
  const bucket = await fillBucket();
  onTestFinished(() => bucket.server.close());
  let runs = 0;
  for (let isComplete = false; !isComplete; runs++) {
    const child = start(['s3://bucket', '-j', '3', '-q'], environmentOf(bucket));
    const ended = once(child, 'exit');
    let left = 20 + 5 * runs;
    bucket.server.interfere = () => {
      if (--left === 0) child.kill('SIGKILL');
      return undefined;
    };
    for await (const line of linesOf(child)) expect(line).not.toMatch(/^failed/);
    const [code] = (await ended) as [number | null];
    // Killed, or complete.
    expect(code ?? 0).toBe(0);
    isComplete = code === 0;
  }
  expect(runs).toBeGreaterThan(2);
  const objects = await objectsOf(bucket);
  for (const name of INDEXES) expectIndex(name, objects.get(name));
  expect(objects.size).toBe(INDEXES.length + Object.keys(FILES).length);
});

/** With more, such as 100,000, this takes minutes. */
const OBJECTS = Number(process.env['HTSKIT_PREPARED_OBJECTS'] ?? 5_000);
/** Whatever the number of objects. */
const MAX_KILOBYTES = 2 ** 18;
const PAGE = 1000;
/** Every so many objects have no index yet. */
const UNPREPARED = 200;

/** Answers for a bucket of small BAM files, most of which have an index. */
function answerMany(made: Set<string>): (request: S3Request) => RangeAnswer {
  const bam = readFixture('empty.bam');
  return ({ method, key, query, message }) => {
    if (key === '') return answerList(Number(query.get('continuation-token') ?? 0));
    if (key.endsWith('.bam')) return answerObject(bam, message.headers.range);
    if (method === 'PUT') made.add(key);
    const number = /^(\d+)\.bam\.bai$/.exec(key)?.[1];
    const isMissing = number === undefined || (Number(number) % UNPREPARED === 0 && !made.has(key));
    if (isMissing) return { status: 404, headers: {}, body: new Uint8Array() };
    return answerObject(Uint8Array.of(1), undefined, { 'x-amz-meta-htskit-origin': encodeURIComponent(ETAG) });
  };
}

const ETAG = '"one"';

function answerObject(bytes: Uint8Array, range: string | undefined, metadata: Readonly<Record<string, string>> = {}) {
  const headers = { etag: ETAG, 'content-length': bytes.length, ...metadata };
  if (range === undefined) return { status: 200, headers, body: bytes };
  const contentRange = `bytes 0-${bytes.length - 1}/${bytes.length}`;
  const [, first = 0] = /^bytes=(\d+)-/.exec(range) ?? [];
  const body = bytes.subarray(Number(first));
  const part = { 'content-range': contentRange.replace('0', String(first)), 'content-length': body.length };
  return { status: 206, headers: { ...headers, ...part }, body };
}

function answerList(from: number) {
  const keys = Array.from({ length: PAGE }, (_, index) => `<Contents><Key>${from + index}.bam</Key></Contents>`);
  const next = from + PAGE;
  const token = next < OBJECTS ? `<NextContinuationToken>${next}</NextContinuationToken>` : '';
  const text = `<ListBucketResult><IsTruncated>${next < OBJECTS}</IsTruncated>${keys.join('')}${token}</ListBucketResult>`;
  return { status: 200, headers: {}, body: Buffer.from(text) };
}

test.skipIf(!existsSync('/proc/self/status'))(
  `${OBJECTS} objects are prepared within 256 MiB`,
  { timeout: 2_400_000 },
  async () => {
    const bucket = await startBucket();
    onTestFinished(() => bucket.server.close());
    const made = new Set<string>();
    bucket.server.interfere = answerMany(made);
    const child = start(['s3://bucket', '-j', '16', '-q'], environmentOf(bucket));
    const ended = once(child, 'exit');
    const counts: Record<string, number> = {};
    let peakKilobytes = 0;
    let lines = 0;
    for await (const line of linesOf(child)) {
      const [outcome = ''] = line.split('\t');
      counts[outcome] = (counts[outcome] ?? 0) + 1;
      if (++lines % PAGE !== 0) continue;
      const status = existsSync(`/proc/${child.pid}`) ? readFileSync(`/proc/${child.pid}/status`, 'utf8') : '';
      peakKilobytes = Math.max(peakKilobytes, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
    }
    expect(await ended).toEqual([0, null]);
    expect(counts).toEqual({ made: OBJECTS / UNPREPARED, current: OBJECTS - OBJECTS / UNPREPARED });
    expect(made.size).toBe(OBJECTS / UNPREPARED);
    expect(peakKilobytes).toBeGreaterThan(0);
    expect(peakKilobytes).toBeLessThan(MAX_KILOBYTES);
  },
);
