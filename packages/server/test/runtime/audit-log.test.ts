import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixturePath } from '@htskit/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AuditLog } from '../../src/runtime/audit-log.js';
import { type RunningServer, type ServeOptions, serve } from '../../src/runtime/serve.js';

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
  return { ...shared, paths: [folder], audit: audit && join(folder, audit) };
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

test('a record that cannot be written is reported', async () => {
  const messages: string[] = [];
  const audit = new AuditLog('/dev/full', { log: (message) => messages.push(message) });
  audit.record({
    type: 'access',
    resource: 'ticket',
    object: undefined,
    format: undefined,
    regions: undefined,
    isRestricted: false,
    subject: undefined,
    requestId: undefined,
    status: 200,
    bytes: 0,
    outcome: 'completed',
  });
  await expect.poll(() => messages.join()).toMatch(/cannot write the audit log: .*ENOSPC/);
});
