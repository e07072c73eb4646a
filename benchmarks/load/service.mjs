// `htskit serve` in a process of its own, with a generated BAM file and a bucket that never answers.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findFreePorts } from '../free-ports.mjs';
import { allServe } from '../htskit-serve.mjs';
import { findCommand, runCommand } from '../installed-command.mjs';
import { writeBam } from '../write-bam.mjs';

/** Bases of the region that clients request. */
const REGION_BASES = 10_000;
const LOG = 'log: { access: false, level: error }\n';

/**
 * Starts the server and calls `use` with its URL, that of its port for probes, its process id and the paths of the scenarios. Stops
 * it and removes its files afterwards.
 */
export async function withService({ command, args, processes, threads, megabytes, needsCram = false }, use) {
  const folder = mkdtempSync(join(tmpdir(), 'htskit-load-'));
  const bucket = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
  try {
    await once(bucket, 'listening');
    const files = join(folder, 'files');
    mkdirSync(files);
    const { regions } = await writeBam(files, 'reads', { length: megabytes * 1_000_000, count: 1, longest: 1000 });
    if (needsCram) await writeCram(files);
    const config = join(folder, 'htskit.yaml');
    const [probePort] = await findFreePorts(1);
    const probeUrl = `http://127.0.0.1:${probePort}`;
    writeFileSync(config, toConfig({ bucketPort: bucket.address().port, probePort, threads }));
    const serve = [command, 'serve', '--port', '0', '--config', config, ...args];
    if (processes !== undefined) serve.push('--processes', processes);
    const child = spawn(process.execPath, serve, { stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(child, 'exit');
    try {
      const line = await Promise.race([once(createInterface(child.stdout), 'line'), exited]);
      const url = /^listening on (\S+)$/.exec(String(line[0]))?.[1];
      if (url === undefined) throw new Error('htskit serve did not start');
      if (Number(processes) > 1) await allServe(probeUrl, processes);
      const paths = await findPaths(url, regions[0].region);
      const converted = needsCram ? await blocksOf(url, CONVERTED) : [];
      return await use({ url, probeUrl, pid: child.pid, ...paths, converted });
    } finally {
      // Slow clients would delay a graceful end.
      child.kill('SIGKILL');
      await exited;
    }
  } finally {
    bucket.close();
    rmSync(folder, { recursive: true });
  }
}

/** The ticket of the whole CRAM file as BAM. */
const CONVERTED = '/reads/archive?format=BAM';

/** Writes the reads as CRAM, which needs no reference. */
async function writeCram(folder) {
  const samtools = findCommand('samtools');
  if (samtools === undefined) throw new Error('the scenario needs samtools to write a CRAM file');
  const path = join(folder, 'archive.cram');
  // The header of the generated file lacks its read groups.
  const options = ['-C', '-x', 'RG', '--output-fmt-option', 'no_ref=1', '-o', path];
  await runCommand(samtools.command, ['view', ...options, join(folder, 'reads.bam')]);
  await runCommand(samtools.command, ['index', path]);
}

function toConfig({ bucketPort, probePort, threads }) {
  const limits = threads === undefined ? '' : `limits: { workerThreads: ${threads} }\n`;
  return `${LOG}${limits}metrics: { port: ${probePort} }
htsget:
  locations:
    - { location: ./files }
    - { prefix: hung, location: s3://bucket }
s3: { endpoint: "http://127.0.0.1:${bucketPort}", forcePathStyle: true }
`;
}

async function findPaths(url, { referenceName, start }) {
  const object = '/reads/reads';
  const ticket = `${object}?referenceName=${referenceName}&start=${start}&end=${start + REGION_BASES}`;
  const blocks = {
    slice: ticket,
    filtered: `${object}?tags=NM`,
    whole: object,
  };
  const found = await Promise.all(
    Object.entries(blocks).map(async ([name, path]) => [name, await longestBlock(url, path)]),
  );
  return { object, ticket, ...Object.fromEntries(found) };
}

/** Returns the path of the longest part of the file that a ticket refers to: the last one with records. */
async function longestBlock(url, path) {
  return (await blocksOf(url, path)).at(-1);
}

/** Returns the paths of the blocks of records that a ticket refers to. */
async function blocksOf(url, path) {
  const response = await fetch(url + path);
  const { htsget } = await response.json();
  const bodies = htsget.urls.filter((part) => part.class !== 'header' && part.url.startsWith('http'));
  if (bodies.length === 0) throw new Error(`the ticket of ${path} has no block`);
  return bodies.map((block) => new URL(block.url).pathname);
}
