// Fleets of `htskit serve` on this machine, which serve the same files and are loaded in turns.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cpuSecondsByRole, servingProcesses } from '../cpu-time.mjs';
import { withHtskit } from '../htskit-serve.mjs';
import { withTemporaryFolder } from '../temporary-folder.mjs';
import { Client } from './client.mjs';
import { writeScaleFiles } from './files.mjs';
import { blockPath } from './requests.mjs';

const LOAD = fileURLToPath(new URL('load-users.mjs', import.meta.url));
/** Bytes at the end of a file that no part reaches: the end marker is a URL of its own. */
const END_BYTES = 1000;

/** Calls `use` with a service for each number of processes, `{ url, pid, processes, … }`, as `createRequests` takes it. */
export function withFleets(counts, use) {
  return withTemporaryFolder(async (folder) => {
    const files = await writeScaleFiles(folder, { copies: 0 });
    const wholeBytes = toWholeBytes(folder);
    const start = async (index, services) => {
      if (index === counts.length) return use(services);
      const processes = counts[index];
      const started = async (url, pid) => {
        await waitUntilDigested({ url, ...files });
        const service = { url, pid, processes, wholeBytes, ...files, wholePath: await findWholePath(url) };
        return start(index + 1, [...services, service]);
      };
      return withHtskit(folder, started, { processes });
    };
    return start(0, []);
  });
}

/** Requests for a sequence get 503 until it is digested. */
export async function waitUntilDigested({ url, sequence }) {
  const client = new Client(url);
  while ((await client.request({ path: `/sequence/${sequence.md5}/metadata` })).status === 503) await wait(50);
  client.close();
}

/** Returns the bytes of the longest block of the whole file. */
export function toWholeBytes(folder) {
  return statSync(join(folder, 'sample.bam')).size - END_BYTES;
}

export async function findWholePath(url, prefix = '') {
  const client = new Client(url);
  const { text } = await client.expect({ path: `/reads/${prefix}sample` });
  client.close();
  return blockPath(text);
}

/**
 * Loads a service with users. Returns what load-users.mjs prints, the processor time of the service, `serverSeconds`, and that of all
 * programs that have nothing to do with it, `foreignSeconds`.
 */
export async function loadFleet(service, job) {
  const child = spawn(process.execPath, [LOAD], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const nextLine = async () => (await lines.next()).value;
  child.stdin.end(JSON.stringify({ ...job, service }));
  const clocks = [];
  for (const expected of ['measuring', 'measured']) {
    const line = await nextLine();
    if (line !== expected) throw new Error(`expected "${expected}" of the load, found "${line}"`);
    clocks.push(readClocks(service));
  }
  const result = JSON.parse(await nextLine());
  await exited;
  const [before, after] = clocks;
  const roles = Object.entries(after.roles).map(([role, seconds]) => [role, seconds - before.roles[role]]);
  const serverSeconds = roles.reduce((sum, [, seconds]) => sum + seconds, 0);
  const foreignSeconds = after.machine - before.machine - serverSeconds - result.clientSeconds;
  return { ...result, serverSeconds, secondsByRole: Object.fromEntries(roles), foreignSeconds };
}

function readClocks({ pid }) {
  const roles = {};
  for (const each of servingProcesses(pid)) {
    for (const [role, seconds] of Object.entries(cpuSecondsByRole(each))) roles[role] = (roles[role] ?? 0) + seconds;
  }
  const machine = cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) / 1000;
  return { roles, machine };
}
