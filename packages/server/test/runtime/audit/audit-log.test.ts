import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccessEvent } from '@htskit/htsget';
import { fixturePath } from '@htskit/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AuditDestination, AuditLog, type WhenFull } from '../../../src/runtime/audit/audit-log.js';
import { type RunningServer, type ServeOptions, serve } from '../../../src/runtime/serve.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  cpSync(fixturePath('reads.bam'), join(folder, 'a.bam'));
});

afterEach(() => rmSync(folder, { recursive: true }));

function linesOf(name: string): Record<string, unknown>[] {
  const text = readFileSync(join(folder, name), 'utf8').trim();
  return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
}

function options(audit?: string): ServeOptions {
  const shared = { host: '127.0.0.1', port: 0, authority: 'ga4gh', log: () => undefined } as const;
  return { ...shared, paths: [folder], audit: audit === undefined ? undefined : { file: join(folder, audit) } };
}

async function ask(server: RunningServer, path: string, requestId: string): Promise<string> {
  const url = path.startsWith('http') ? path : server.url + path;
  return (await fetch(url, { headers: { 'x-request-id': requestId, authorization: 'Bearer s3cret' } })).text();
}

test('each ticket and block is one line, and a rotated file is opened again by a reload', async () => {
  const server = await serve(options('audit.jsonl'));
  const ticket = JSON.parse(await ask(server, '/reads/a', 'r1')) as { htsget: { urls: { url: string }[] } };
  const url = ticket.htsget.urls.find((each) => each.url.startsWith('http'))?.url ?? '';
  await ask(server, url, 'r2');
  await ask(server, '/reads/missing', 'r3');
  await ask(server, '/reads/service-info', 'r4');
  const lines = linesOf('audit.jsonl');
  expect(lines).toMatchObject([
    { requestId: 'r1', resource: 'ticket', object: 'reads/a', format: 'BAM', status: 200, outcome: 'completed' },
    { requestId: 'r2', resource: 'block', object: 'reads/a', format: 'BAM', status: 200, outcome: 'completed' },
    { requestId: 'r3', resource: 'ticket', object: 'reads/missing', status: 404, outcome: 'refused', bytes: 0 },
  ]);
  expect(lines[0]?.['time']).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  expect(JSON.stringify(lines)).not.toMatch(/s3cret|http/);
  renameSync(join(folder, 'audit.jsonl'), join(folder, 'rotated'));
  await server.reload(options('audit.jsonl'));
  await ask(server, '/reads/a', 'r5');
  expect([linesOf('rotated').length, linesOf('audit.jsonl').map(({ requestId }) => requestId)]).toEqual([3, ['r5']]);
  expect(statSync(join(folder, 'audit.jsonl')).mode & 0o007).toBe(0);
  await server.close();
});

test('a file that cannot be opened fails the start', async () => {
  await expect(serve(options('missing/audit.jsonl'))).rejects.toThrow('ENOENT');
});

test('requests are refused while the file cannot be written, and answered once it can', async () => {
  const path = join(folder, 'full');
  symlinkSync('/dev/full', path);
  const messages: string[] = [];
  const server = await serve({ ...options('full'), log: (message) => messages.push(message) });
  const statuses = [];
  for (const path of ['/reads/a', '/reads/a', '/blocks/x', '/reads/service-info', '/sequence/x']) {
    statuses.push((await fetch(server.url + path)).status);
  }
  // The record of the first request shows that the file is full.
  expect(statuses).toEqual([200, 503, 503, 200, 404]);
  const refused = await fetch(`${server.url}/reads/a`);
  expect([refused.headers.get('retry-after'), await refused.json()]).toMatchObject([
    '2',
    { htsget: { error: 'InternalServerError' } },
  ]);
  const metrics = await ask(server, '/metrics', 'm');
  expect(metrics).toContain('htskit_audit_failing 1\n');
  expect(metrics).toContain('htskit_http_shed_total{reason="audit"} 3\n');
  expect(messages).toEqual([expect.stringMatching(/^cannot write the audit log, so that tickets .*ENOSPC/)]);
  rmSync(path);
  await server.reload(options('full'));
  expect((await fetch(`${server.url}/reads/a`)).status).toBe(200);
  expect(await ask(server, '/metrics', 'm')).toContain('htskit_audit_failing 0\n');
  await server.close();
});

test('with whenFull: drop, requests are answered while the file cannot be written', async () => {
  symlinkSync('/dev/full', join(folder, 'full'));
  const server = await serve({ ...options(), audit: { file: join(folder, 'full'), whenFull: 'drop' } });
  for (let index = 0; index < 3; index++) expect((await fetch(`${server.url}/reads/a`)).status).toBe(200);
  await server.close();
});

const event = {
  type: 'access',
  resource: 'ticket',
  object: undefined,
  format: undefined,
  regions: undefined,
  isRestricted: false,
  subject: undefined,
  status: 200,
  bytes: 0,
  outcome: 'completed',
} as const;

/** A destination of a number of bytes at once, which then fails. */
class FakeDestination implements AuditDestination {
  text = '';
  roomBytes = Number.POSITIVE_INFINITY;
  code = 'ENOSPC';
  isClosed = false;
  attemptCount = 0;

  write(bytes: Uint8Array): number {
    this.attemptCount++;
    const count = Math.min(bytes.length, this.roomBytes);
    if (count === 0) throw Object.assign(new Error('no space left on device'), { code: this.code });
    this.roomBytes -= count;
    this.text += Buffer.from(bytes.subarray(0, count)).toString();
    return count;
  }

  close(): void {
    this.isClosed = true;
  }

  get ids(): unknown[] {
    return this.text.split('\n').flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as AccessEvent).requestId]));
  }
}

/** A log whose time and timer the test controls. */
function createLog(whenFull?: WhenFull) {
  const destination = new FakeDestination();
  const state = {
    elapsed: 0,
    lostCount: 0,
    messages: [] as string[],
    pauses: [] as number[],
    wake: (): void => undefined,
  };
  const audit = new AuditLog(destination, {
    whenFull,
    log: (message) => state.messages.push(message),
    onLost: (count) => {
      state.lostCount += count;
    },
    elapsed: () => state.elapsed,
    sleep: (milliseconds) =>
      new Promise((resolve) => {
        state.pauses.push(milliseconds);
        state.wake = () => resolve();
      }),
  });
  const add = (...ids: readonly string[]): void => {
    for (const requestId of ids) audit.record({ ...event, requestId });
  };
  /** Lets the pause before the next attempt pass. */
  const pass = async (milliseconds = 1000): Promise<void> => {
    state.elapsed += milliseconds;
    state.wake();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { destination, state, audit, add, pass };
}

test('lines that cannot be written wait and are complete and in order once they can', async () => {
  const { destination, state, audit, add, pass } = createLog();
  destination.roomBytes = 150;
  add('a', 'b', 'c');
  expect([audit.isFailing, audit.refusesRequests, destination.text.length]).toEqual([true, true, 150]);
  await pass();
  expect(audit.isFailing).toBe(true);
  destination.roomBytes = Number.POSITIVE_INFINITY;
  await pass();
  expect([audit.isFailing, audit.refusesRequests, destination.ids]).toEqual([false, false, ['a', 'b', 'c']]);
  add('d');
  expect(destination.ids).toEqual(['a', 'b', 'c', 'd']);
  expect([state.lostCount, state.pauses]).toEqual([0, [1000, 1000]]);
});

test('20,000 records that cannot be written take a megabyte and one attempt a second, and the others are counted', async () => {
  const { destination, state, audit, add, pass } = createLog('drop');
  destination.roomBytes = 0;
  for (let index = 0; index < 20_000; index++) add(String(index));
  expect([destination.attemptCount, audit.refusesRequests]).toEqual([1, false]);
  destination.roomBytes = Number.POSITIVE_INFINITY;
  await pass();
  expect(destination.text.length).toBeLessThanOrEqual(2 ** 20);
  expect(destination.text.length).toBeGreaterThan(2 ** 19);
  expect(state.lostCount).toBe(20_000 - destination.ids.length);
});

test('reports a failure once a minute', async () => {
  const { destination, state, add, pass } = createLog('drop');
  destination.roomBytes = 0;
  add('a', 'b');
  for (let second = 0; second < 59; second++) await pass();
  expect(state.messages).toEqual([
    expect.stringMatching(/^cannot write the audit log, so that records are lost .*no space/),
  ]);
  await pass();
  expect(state.messages).toHaveLength(2);
});

test('a pipe whose reader is slow has not failed until many records wait', async () => {
  const { destination, state, audit, add, pass } = createLog();
  destination.roomBytes = 0;
  destination.code = 'EAGAIN';
  add('a');
  expect([audit.isFailing, state.pauses, state.messages]).toEqual([false, [10], []]);
  for (let index = 0; index < 5000; index++) add(String(index));
  await pass();
  expect(audit.isFailing).toBe(true);
  destination.roomBytes = Number.POSITIVE_INFINITY;
  await pass();
  expect([audit.isFailing, destination.ids.length]).toEqual([false, 5001]);
});

test('writes what waits when it is closed, and counts what cannot be written as lost', () => {
  for (const [roomBytes, lostCount] of [
    [Number.POSITIVE_INFINITY, 0],
    [0, 2],
  ] as const) {
    const { destination, state, audit, add } = createLog();
    destination.roomBytes = 0;
    add('a', 'b');
    destination.roomBytes = roomBytes;
    void audit.close();
    expect([destination.isClosed, destination.ids.length, state.lostCount]).toEqual([true, 2 - lostCount, lostCount]);
  }
});
