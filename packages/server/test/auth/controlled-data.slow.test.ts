import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { decodeBam, fixturePath, readFixture } from '@htskit/testing';
import { expect, onTestFinished, test } from 'vitest';
import { cli } from '../built-command.js';

const root = new URL('../../../../', import.meta.url);

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Returns the names of the records that overlap a part of chr1. */
function namesWithin(bytes: Uint8Array, start: number, end: number): string[] {
  const { references, records } = decodeBam(bytes);
  const found = records.filter(
    (record) => references[record.referenceId]?.name === 'chr1' && record.position < end && record.end > start,
  );
  return found.map(({ name }) => name);
}

test('the example of the guide to controlled data gives each researcher what the visas grant', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'htskit-controlled-'));
  onTestFinished(() => rmSync(folder, { recursive: true, maxRetries: 5 }));
  const [data, broker] = [await findPort(), await findPort()];
  const withPorts = (text: string): string => text.replaceAll('8080', String(data)).replaceAll('9000', String(broker));
  const guide = readFileSync(new URL('docs/controlled-data.md', root), 'utf8');
  const [, example = ''] = /## A working example\n.*?```sh\n(.*?)```/s.exec(guide) ?? [];
  const configuration = readFileSync(new URL('deploy/controlled-data/htskit.yaml', root), 'utf8');
  writeFileSync(join(folder, 'htskit.yaml'), withPorts(configuration));
  copyFileSync(fileURLToPath(new URL('deploy/controlled-data/broker.mjs', root)), join(folder, 'broker.mjs'));
  copyFileSync(fixturePath('reads.bam'), join(folder, 'reads.bam'));
  // A function would run the server in a shell, which alone would be killed.
  writeFileSync(join(folder, 'htskit'), `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`, { mode: 0o755 });
  const before = `set -eu\ntrap 'kill $(jobs -p)' EXIT\nPATH="$PWD:$PATH"\n`;
  const { stdout } = await promisify(execFile)('bash', ['-c', before + withPorts(example)], {
    cwd: folder,
    timeout: 120_000,
  });
  expect(stdout).toContain('refused');
  const stored = readFixture('reads.bam');
  const read = (name: string): Uint8Array => readFileSync(join(folder, name));
  const region = namesWithin(stored, 1000, 2000);
  expect(region.length).toBeGreaterThan(5);
  expect(decodeBam(read('region.bam')).records.map(({ name }) => name)).toEqual(region);
  expect(decodeBam(read('panel.bam')).records.map(({ name }) => name)).toEqual(namesWithin(stored, 0, 5000));
  const audit = readFileSync(join(folder, 'audit.jsonl'), 'utf8').trim().split('\n');
  const records = audit.map((line) => JSON.parse(line) as Record<string, unknown>);
  const outcomes = new Set(records.map(({ subject, status }) => `${String(subject)} ${String(status)}`));
  expect([...outcomes].sort()).toEqual(['alice 200', 'bob 200', 'carol 403']);
  expect(read('data/D1/reads.bam.c4gh').subarray(0, 8)).toEqual(Buffer.from('crypt4gh'));
});
