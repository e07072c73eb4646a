import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { findCommand } from '../installed-command.mjs';
import { loadFleet, withFleets } from '../scale/fleets.mjs';
import { measureCosts } from '../scale/measure-costs.mjs';
import { MIXES } from '../scale/mixes.mjs';

const RUN = fileURLToPath(new URL('../scale/run.mjs', import.meta.url));
const run = promisify(execFile);

/** The processor time of threads is read from /proc. */
describe.skipIf(process.platform !== 'linux')('the load of a fleet', () => {
  it('measures the costs of each kind of request, and the views of users', async () => {
    const names = findCommand('samtools', 'to write CRAM') === undefined ? ['browser', 'pipeline'] : Object.keys(MIXES);
    const { costs, load } = await withFleets([1], async ([service]) => ({
      costs: await measureAll(service, names),
      load: await loadFleet(service, {
        mix: 'browser',
        users: 2,
        thinkSeconds: 0.01,
        warmUpSeconds: 0.1,
        seconds: 2,
        seed: 1,
      }),
    }));
    for (const [index, name] of names.entries()) {
      expect(Object.keys(costs[index])).toEqual(MIXES[name].view.map(({ kind }) => kind));
      for (const { samples } of Object.values(costs[index])) {
        expect(samples.bytes[0]).toBeGreaterThan(500);
        expect(samples.main[0]).toBeGreaterThan(0);
      }
    }
    expect(load.failures).toBe(0);
    expect(load.secondsByKind.view.length).toBeGreaterThan(0);
    expect(load.serverSeconds).toBeGreaterThan(0);
  }, 120_000);
});

async function measureAll(service, names) {
  const costs = [];
  for (const name of names) {
    costs.push(await measureCosts(service, { mix: MIXES[name], seconds: 0.05, samples: 1 }));
  }
  return costs;
}

it('prints what users need, and refuses other mixes', async () => {
  const { stdout } = await run(process.execPath, [RUN, '--users', '100,1000', '--mix', 'pipeline']);
  expect(stdout.trim().split('\n')).toHaveLength(4);
  await expect(run(process.execPath, [RUN, '--mix', 'nothing'])).rejects.toThrow('unknown mix "nothing"');
  expect((await run(process.execPath, [RUN, '--help'])).stdout).toContain('--users N');
}, 60_000);
