// Users of a server, in a process of their own: node load-users.mjs, with a job as JSON on stdin:
// { service, mix, users, thinkSeconds, warmUpSeconds, seconds, seed }. Each user has a connection. Prints as JSON the seconds of
// each response by kind and of each view, the responses that were not successful, and the processor time of this process, after the warm-up.
import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { createShares } from '../random.mjs';
import { Client } from './client.mjs';
import { drawExponential, drawView, MIXES } from './mixes.mjs';
import { createRequests, requestView } from './requests.mjs';

const job = await json(process.stdin);
const mix = MIXES[job.mix];
const nextShare = createShares(job.seed);
const requests = createRequests(job.service, nextShare);
const end = performance.now() + (job.warmUpSeconds + job.seconds) * 1000;
const isOver = () => performance.now() >= end;
let isMeasuring = false;
let failures = 0;
const secondsByKind = {};

async function runUser() {
  const client = new Client(job.service.url);
  // The connection is open before anything is measured: the processes get the connections in turns.
  await client.request({ path: '/healthz' });
  while (!isOver()) {
    await wait(Math.min(drawExponential(job.thinkSeconds, nextShare) * 1000, Math.max(0, end - performance.now())));
    let view = 0;
    const steps = requestView((request) => client.request(request), { kinds: drawView(mix, nextShare), requests });
    for await (const { kind, status, seconds } of steps) {
      if (status !== 200 && status !== 206) {
        failures += 1;
        break;
      }
      view += seconds;
      record(kind, seconds);
      if (isOver()) break;
    }
    record('view', view);
  }
  client.close();
}

function record(kind, seconds) {
  if (!isMeasuring || isOver()) return;
  secondsByKind[kind] ??= [];
  secondsByKind[kind].push(Number(seconds.toFixed(6)));
}

const running = Promise.all(Array.from({ length: job.users }, runUser));
await wait(job.warmUpSeconds * 1000);
process.stdout.write('measuring\n');
isMeasuring = true;
const before = process.cpuUsage();
await wait(job.seconds * 1000);
const { user, system } = process.cpuUsage(before);
process.stdout.write('measured\n');
await running;
process.stdout.write(`${JSON.stringify({ secondsByKind, failures, clientSeconds: (user + system) / 1e6 })}\n`);
