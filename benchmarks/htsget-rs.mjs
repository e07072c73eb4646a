// htsget-rs, if it is installed: the peer of `htskit serve`.
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { findFreePorts } from './free-ports.mjs';
import { noteNotMeasured } from './not-measured.mjs';
import { withProcess } from './with-process.mjs';

const given = process.env.HTSGET_AXUM;
const command = given === undefined ? 'htsget-axum' : resolve(given);
const STARTED_WITHIN_MILLISECONDS = 10_000;
const LOOK_MILLISECONDS = 20;

/**
 * Serves the files of a folder with htsget-rs. Returns the rows that `use` makes of its `url`, its `pid` and its `name` with
 * version, or no rows if it is not installed. Only errors are logged.
 */
export async function withHtsgetRs(folder, use) {
  if (spawnSync(command, ['--version'], { stdio: 'ignore' }).status !== 0) {
    if (given !== undefined) throw new Error('HTSGET_AXUM is not the path of htsget-axum');
    noteNotMeasured('htsget-rs', 'htsget-axum on PATH, or its path in HTSGET_AXUM');
    return [];
  }
  const [ticketPort, dataPort] = await findFreePorts(2);
  const config = join(folder, 'htsget-rs.toml');
  // Locations are relative to the working directory; htsget-rs refuses an absolute one.
  writeFileSync(
    config,
    `ticket_server.addr = "127.0.0.1:${ticketPort}"
data_server.addr = "127.0.0.1:${dataPort}"
locations = "file://${basename(folder)}"
`,
  );
  // htsget-rs reads every variable HTSGET_… as a setting, and exits for an unknown one.
  const env = { PATH: process.env.PATH, RUST_LOG: 'error' };
  const stdio = ['ignore', 'ignore', 'inherit'];
  const child = spawn(command, ['--config', config], { cwd: dirname(folder), env, stdio });
  return withProcess(child, async () => {
    const url = `http://127.0.0.1:${ticketPort}`;
    // Its --version is that of another of its crates.
    const { version } = await firstAnswer(`${url}/reads/service-info`, child);
    return use({ url, pid: child.pid, name: `htsget-rs ${version}` });
  });
}

/** Returns the JSON of the first response that succeeds once the server listens. */
async function firstAnswer(url, child) {
  const end = performance.now() + STARTED_WITHIN_MILLISECONDS;
  while (child.exitCode === null && performance.now() < end) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return answer.json();
    await setTimeout(LOOK_MILLISECONDS);
  }
  throw new Error('htsget-rs did not start');
}
