import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SCENARIOS } from '../load/scenarios.mjs';

const RUN = fileURLToPath(new URL('../load/run.mjs', import.meta.url));
const run = promisify(execFile);

/** Each takes seconds. */
const MEASURED = process.env.CI === 'true' ? ['tickets', 'readers', 'trickle'] : ['tickets'];

let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-load-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function load(...args) {
  const json = join(folder, 'rows.json');
  const { stdout } = await run(process.execPath, [RUN, '--megabytes', '1', '--json', json, ...args]);
  return { stdout, rows: JSON.parse(readFileSync(json, 'utf8')) };
}

// How much is answered in so short a time depends on the machine.
test.each(MEASURED)(
  'measures the scenario %s',
  async (scenario) => {
    const { stdout, rows } = await load(scenario, '--seconds', '1', '--connections', '2');
    expect(stdout).toContain(`\n${scenario} `);
    expect(rows).toEqual([
      expect.objectContaining({ scenario, connections: 2, seconds: 1, residentMegabytes: expect.any(Number) }),
    ]);
    expect(rows[0].residentMegabytes).toBeGreaterThan(10);
    expect(rows[0].healthz).toBeGreaterThan(0);
  },
  120_000,
);

test('a soak reports the memory', async () => {
  const { stdout, rows } = await load('--soak', '0.02');
  expect(rows[0].samples[0]).toEqual({ seconds: 0, residentMegabytes: expect.any(Number) });
  expect(stdout).toMatch(/ 0 s \d+ MB/);
}, 120_000);

test('names the scenarios, and refuses others', async () => {
  const { stdout } = await run(process.execPath, [RUN, '--help']);
  const text = stdout.replace(/ +/g, ' ');
  for (const [name, { what }] of Object.entries(SCENARIOS)) expect(text).toContain(`${name} ${what}`);
  await expect(load('nothing')).rejects.toThrow('unknown scenario nothing');
});
