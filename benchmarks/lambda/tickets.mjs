// Measures the CPU time of a function from the start of its process to its first ticket, and of further ones.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LambdaFunction, unzipFunction } from '@htskit/testing';
import { cpuSeconds } from '../cpu-time.mjs';
import { randomRegions, TYPICAL, toTicketPath } from '../server/regions.mjs';
import { smallerRows } from '../turns.mjs';
import { BUCKET, withFileBucket } from './file-bucket.mjs';
import { htsgetLambda } from './htsget-lambda.mjs';

const COLD_STARTS = 5;
const WARM_TICKETS = 200;
const CONSTANT = 'a constant';
/** The goals: milliseconds of the first ticket, and megabytes. */
const COLD_GOAL = 400;
const ZIP_GOAL = 1.5;

/** Returns rows for the genome that `writeFiles` wrote. */
export async function measureTickets(folder, { genome, index: bai }) {
  const unzipped = unzipFunction();
  const rows = await withFileBucket({ 'genome.bam': genome, 'genome.bam.bai': bai }, async (endpoint) => {
    const ours = {
      name: 'ours',
      folder: unzipped.folder,
      handler: 'streamed.handler',
      environment: ourVariables(endpoint),
    };
    const peer = htsgetLambda(folder, endpoint);
    const contenders = [ours, constantFunction(folder), ...(peer === undefined ? [] : [{ ...ours, ...peer }])];
    return toRows(await takeTurns(contenders));
  });
  unzipped.remove();
  const zip = { name: 'the zip', unit: 'MB', budgets: { [`${ZIP_GOAL} MB`]: 1 }, equal: true };
  return [
    ...rows,
    ...smallerRows(zip, [
      ['ours', unzipped.zipBytes / 1e6],
      [`${ZIP_GOAL} MB`, ZIP_GOAL],
    ]),
  ];
}

const KEYS = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };

function ourVariables(endpoint) {
  return {
    HTSKIT_BUCKET: BUCKET,
    HTSKIT_KEY: 'utf8:0123456789abcdef',
    HTSKIT_PUBLIC_URL: '{url}',
    AWS_ENDPOINT_URL_S3: endpoint,
  };
}

/** Writes a function that answers each event with the same ticket: the work of Node and its runtime alone. */
function constantFunction(folder) {
  const task = join(folder, 'constant');
  mkdirSync(task);
  writeFileSync(join(task, 'package.json'), '{"type":"module"}');
  writeFileSync(
    join(task, 'constant.js'),
    `const ticket = JSON.stringify({ htsget: { format: 'BAM', urls: [{ url: 'data:;base64,${'A'.repeat(800)}' }] } });
export const handler = awslambda.streamifyResponse(async (_, stream) => {
  awslambda.HttpResponseStream.from(stream, { statusCode: 200, headers: {} }).end(ticket);
});
`,
  );
  return { name: CONSTANT, folder: task, handler: 'constant.handler', environment: {} };
}

/** Starts each contender several times, in turns. Returns the medians of each. */
async function takeTurns(contenders) {
  const runs = contenders.map(() => []);
  for (let round = 0; round < COLD_STARTS; round += 1) {
    for (const [index, contender] of contenders.entries()) runs[index].push(await measureStart(contender));
  }
  return contenders.map(({ name, bootstrap }, index) => ({
    name: bootstrap === undefined ? name : `${name} ${runs[index][0].version}`,
    cold: median(runs[index].map(({ cold }) => cold)),
    warm: median(runs[index].map(({ warm }) => warm)),
    headers: runs[index].map(({ header }) => header),
  }));
}

/** Returns the milliseconds of CPU time to the first ticket, and of each further one, and the header that the ticket leads to. */
async function measureStart({ environment, tickets = WARM_TICKETS, ...options }) {
  const started = await LambdaFunction.start({ ...options, environment: { ...KEYS, ...environment } });
  try {
    const [pid] = started.processIds;
    const ticket = await readTicket(started.url, TYPICAL);
    const cold = cpuSeconds(pid);
    for (const region of randomRegions(tickets)) await readTicket(started.url, region);
    const warm = (cpuSeconds(pid) - cold) / tickets;
    // The version of htsget-rs, which its `--version` does not report.
    const { version } = await (await fetch(`${started.url}/reads/service-info`)).json();
    return { cold: cold * 1000, warm: warm * 1000, header: ticket.htsget.urls[0].url, version };
  } finally {
    await started.close();
  }
}

async function readTicket(url, region) {
  const response = await fetch(url + toTicketPath(region));
  if (!response.ok) throw new Error(`no ticket: ${response.status} ${await response.text()}`);
  return response.json();
}

/** All answers of ours must begin with the same header. */
function toRows([ours, ...peers]) {
  const [header] = ours.headers;
  const equal = header.startsWith('data:') && ours.headers.every((each) => each === header);
  const goal = { name: `${COLD_GOAL} ms`, cold: COLD_GOAL };
  const amounts = (contenders, of) => contenders.map((each) => [each.name, each[of]]);
  const start = { name: 'start and first ticket, BAI of 9 MB: CPU', unit: 'ms', budgets: { [goal.name]: 1 }, equal };
  const warm = { name: 'warm ticket: CPU', unit: 'ms', budgets: {}, equal };
  return [
    ...smallerRows(start, amounts([ours, goal, ...peers], 'cold')),
    ...smallerRows(warm, amounts([ours, ...peers], 'warm')),
  ];
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}
