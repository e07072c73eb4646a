// Runs the clients of a scenario, and measures the server meanwhile.
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const CLIENTS = fileURLToPath(new URL('./clients.mjs', import.meta.url));
const PROBE = fileURLToPath(new URL('./probe.mjs', import.meta.url));
/** Time for the background to take hold before anything is measured. */
const HEAD_START_SECONDS = 2;
const SAMPLE_MILLISECONDS = 1000;
const SOAK_SAMPLE_SECONDS = 10;
const SOAK_CONNECTIONS = 16;

/** Returns the row of a scenario. */
export async function measure({ url, probeUrl, pid }, { background, clients }, seconds) {
  const disturbing = background && runClients(url, seconds + HEAD_START_SECONDS, background);
  if (background !== undefined) await wait(HEAD_START_SECONDS * 1000);
  const residentBefore = residentMegabytesOf(pid);
  const cpuBefore = cpuMillisecondsOf(pid);
  const probes = [url, probeUrl].map((each) => startProcess(PROBE, [each]));
  const measured = runClients(url, seconds, clients);
  const residentMegabytes = await watchMemory(pid, measured);
  const { statuses, milliseconds, byteLength } = await measured;
  const cpuMilliseconds = cpuMillisecondsOf(pid) - cpuBefore;
  for (const { child } of probes) child.stdin.end();
  const [healthz, probePort] = await Promise.all(probes.map(({ result }) => result));
  await disturbing;
  const { ok, shed, errors } = countOutcomes(statuses);
  return {
    connections: clients.connections,
    seconds,
    perSecond: Math.round(ok / seconds),
    megabytesPerSecond: toDigits(byteLength / 1e6 / seconds),
    cpuPerResponse: toDigits(cpuMilliseconds / ok),
    cpuPerMegabyte: toDigits(cpuMilliseconds / (byteLength / 1e6)),
    ok,
    shed,
    errors,
    statuses,
    p99: percentile(milliseconds, 0.99),
    healthz: percentile(healthz, 1),
    probePort: percentile(probePort, 1),
    residentMegabytes,
    megabytesPerConnection: toDigits((residentMegabytes - residentBefore) / clients.connections),
  };
}

/** Requests everything for some minutes, and reports the memory at intervals. Returns a row with all of these. */
export async function soak({ url, pid, ticket, slice, filtered, whole }, minutes, report) {
  const seconds = minutes * 60;
  const requests = [ticket, slice, filtered, whole].map((path) => ({ path }));
  let isRunning = true;
  const clients = runClients(url, seconds, { connections: SOAK_CONNECTIONS, requests }).finally(() => {
    isRunning = false;
  });
  const samples = [];
  for (let at = 0; isRunning; at += SOAK_SAMPLE_SECONDS) {
    const sample = { seconds: at, residentMegabytes: residentMegabytesOf(pid) };
    samples.push(sample);
    report(sample);
    await Promise.race([wait(SOAK_SAMPLE_SECONDS * 1000, undefined, { ref: false }), clients]);
  }
  return { scenario: 'soak', connections: SOAK_CONNECTIONS, ...countOutcomes((await clients).statuses), samples };
}

function runClients(url, seconds, job) {
  const { child, result } = startProcess(CLIENTS, [url, String(seconds)]);
  child.stdin.end(JSON.stringify(job));
  return result;
}

/** Starts a script that prints its result as JSON. */
function startProcess(script, args) {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  return { child, result: text(child.stdout).then((json) => JSON.parse(json)) };
}

/** Returns the most memory that the server takes until a promise settles. */
async function watchMemory(pid, until) {
  let isRunning = true;
  const ended = until.finally(() => {
    isRunning = false;
  });
  let most = 0;
  while (isRunning) {
    most = Math.max(most, residentMegabytesOf(pid));
    await Promise.race([wait(SAMPLE_MILLISECONDS), ended]);
  }
  return most;
}

/** Returns the resident memory of a process and its children. */
function residentMegabytesOf(pid) {
  const kilobytes = family(pid).reduce((sum, { rss }) => sum + rss, 0);
  return Math.round(kilobytes / 1024);
}

/** Returns a process and its children. */
function family(pid) {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss=']).toString().trim().split('\n');
  const rows = lines.map((line) => line.trim().split(/\s+/).map(Number));
  return rows.filter(([id, parent]) => id === pid || parent === pid).map(([id, , rss]) => ({ id, rss }));
}

/** Milliseconds of a clock tick of the kernel (sysconf _SC_CLK_TCK, 100 a second on Linux). */
const TICK_MILLISECONDS = 10;

/** Returns the processor time that a process and its children have used, in user and system mode, or NaN beyond Linux. */
function cpuMillisecondsOf(pid) {
  if (process.platform !== 'linux') return Number.NaN;
  const ticks = family(pid).map(({ id }) => {
    // The name of the process, in parentheses, may contain spaces. The fields after it begin with number 3 (proc_pid_stat(5)).
    const fields = readFileSync(`/proc/${id}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, each) => sum + each, 0) * TICK_MILLISECONDS;
}

/** Returns three significant digits, or null for what is not a number. */
function toDigits(value) {
  return Number.isFinite(value) ? Number(value.toPrecision(3)) : null;
}

/** A response that stalls, and one whose connection breaks, is an error. */
function countOutcomes(statuses) {
  let [ok, shed, errors] = [0, 0, 0];
  for (const [status, count] of Object.entries(statuses)) {
    if (status.startsWith('2')) ok += count;
    else if (status === '503') shed += count;
    else errors += count;
  }
  return { ok, shed, errors };
}

/** Returns null for no values, which JSON can express. */
function percentile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.floor(share * (sorted.length - 1))];
  return value === undefined ? null : Math.round(value);
}
