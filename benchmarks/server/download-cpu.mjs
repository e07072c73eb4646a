// Measures the CPU time that servers take for each GB of a BAM that is downloaded: `htskit serve`, htsget-rs, and nginx, which
// sends the file without a ticket.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openHtsget } from '@htskit/client';
import { cpuSeconds } from '../cpu-time.mjs';
import { withHtsgetRs } from '../htsget-rs.mjs';
import { withHtskit } from '../htskit-serve.mjs';
import { noteNotMeasured } from '../not-measured.mjs';
import { smallerRows, takeTurns } from '../turns.mjs';
import { withProcess } from '../with-process.mjs';
import { writeBam } from '../write-bam.mjs';

const ROUNDS = 5;
const NGINX = fileURLToPath(new URL('../../scripts/servers/nginx.mjs', import.meta.url));
const ID = 'downloaded';
/** Uncompressed bytes, 48 MB as BAM. */
const BAM = { length: 200_000_000, count: 20, longest: 200_000 };

/** Returns rows for a BAM that is written into the folder; no rows without `/proc`, or without a peer. */
export async function measureDownloadCpu(folder) {
  if (process.platform !== 'linux') {
    noteNotMeasured('CPU time of downloads', 'Linux');
    return [];
  }
  const bam = await writeBam(folder, ID, BAM);
  return withHtskit(folder, (url, pid) =>
    withNginx(folder, async (nginx) => {
      const ours = { name: 'ours', url, pid };
      const rows = await withHtsgetRs(folder, (peer) => raceAll(bam, [ours, peer], nginx));
      return rows.length > 0 ? rows : raceAll(bam, [ours], nginx);
    }),
  );
}

/** Calls `use` with nginx over a folder, or with nothing if it is not installed. */
async function withNginx(folder, use) {
  const { status, stderr } = spawnSync('nginx', ['-v'], { encoding: 'utf8', env: withServers() });
  if (status !== 0) {
    noteNotMeasured('nginx');
    return use();
  }
  const child = spawn(process.execPath, [NGINX, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  return withProcess(child, async () => {
    const [line] = await once(createInterface(child.stdout), 'line');
    const [, version] = /nginx\/(\S+)/.exec(stderr) ?? [];
    return use({ name: `nginx ${version}, the file itself`, ...JSON.parse(line) });
  });
}

/** Debian has servers in a folder that only root looks into. */
function withServers() {
  return { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
}

async function raceAll(bam, services, nginx) {
  const open = async (url, region) => (await openHtsget({ baseUrl: url, datatype: 'reads', id: ID }, region)).stream;
  const whole = services.map(({ url, ...service }) => ({ ...service, download: async () => drain(await open(url)) }));
  const file = nginx && { ...nginx, download: async () => drain((await fetch(`${nginx.url}/${ID}.bam`)).body) };
  const files = file === undefined ? whole : [...whole, file];
  const sizes = await Promise.all(files.map(({ download }) => download()));
  const regions = services.map(({ url, ...service }) => ({
    ...service,
    download: async () => {
      for (const { region } of bam.regions) await drain(await open(url, region));
    },
  }));
  const { length } = bam.bytes;
  const isRight = sizes.every((size) => size === length);
  const perRegion = {
    name: `a region of up to ${BAM.longest / 1000} kb`,
    unit: 'CPU ms',
    factor: 1e3 / bam.regions.length,
  };
  return [
    ...(await race({ name: 'a GB of a BAM', unit: 'CPU s', factor: 1e9 / length, equal: isRight }, files)),
    ...(await race({ ...perRegion, equal: true }, regions)),
  ];
}

async function race({ name, unit, factor, equal }, services) {
  const contenders = services.map(({ name: contender, pid, download }) => ({
    name: contender,
    measure: async () => {
      const before = cpuSeconds(pid);
      await download();
      return (cpuSeconds(pid) - before) * factor;
    },
  }));
  const { ours, peers } = await takeTurns(contenders, { rounds: ROUNDS });
  return smallerRows(
    { name: `htskit serve: CPU of ${name}, downloaded`, unit, budgets: {}, equal },
    [ours, ...peers].map(({ name: contender, seconds }) => [contender, seconds]),
  );
}

/** Returns the number of bytes of a stream. */
async function drain(stream) {
  let bytes = 0;
  for await (const chunk of stream) bytes += chunk.length;
  return bytes;
}
