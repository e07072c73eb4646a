import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixturePath } from '@htskit/testing';
import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../../../src/runtime/serve.js';
import { runCommand } from '../../run-command.js';

interface Report {
  readonly summary: { readonly passed: number; readonly failed: number; readonly warned: number };
  readonly phases: readonly { readonly tests: readonly { readonly test_name: string; readonly status: string }[] }[];
}

test('htskit serve keeps all rules but one, which clients do not keep', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'htskit-conform-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const server = await serve({
    paths: [fixturePath('')],
    host: '127.0.0.1',
    port: 0,
    authority: 'ga4gh',
    log: () => undefined,
  });
  onTestFinished(() => server.close());
  const ids = ['--reads', 'reads', '--reads', 'straddle', '--reads', 'no-eof', '--variants', 'variants'];
  const { code, stdout } = await runCommand(['conform', server.url, ...ids, '--json', 'report.json'], folder);
  const { summary, phases } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report;
  expect(stdout.match(/^FAIL.*/gm)).toBeNull();
  expect([code, summary.failed]).toEqual([0, 0]);
  expect(summary.passed).toBeGreaterThan(400);
  // Clients of @gmod/bam send referenceName beside class=header.
  const warned = phases.flatMap(({ tests }) => tests.filter(({ status }) => status === 'WARN'));
  expect(warned.map(({ test_name: name }) => name)).toEqual(['htsget.errors.class-with-others-body']);
});
