import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { fixturePath } from '@htskit/testing';
import { expect, test } from 'vitest';
import { htskit } from '../../built-command.js';

const REQUEST = 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const PROCESSES = 2;
const KILLS = 8;

/** Sends requests on connections of their own, one after another on each of 40 lanes, until it is stopped. */
class Load {
  answered = 0;
  broken = 0;
  /** The connections that are neither answered nor closed. */
  readonly open = new Set<object>();
  #isOver = false;

  constructor(port: number) {
    for (let lane = 0; lane < 40; lane++) void this.#run(port);
  }

  stop(): void {
    this.#isOver = true;
  }

  async #run(port: number): Promise<void> {
    while (!this.#isOver) {
      const socket = connect(port, '127.0.0.1');
      this.open.add(socket);
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      socket.on('error', () => undefined).write(REQUEST);
      await new Promise((resolve) => socket.once('close', resolve));
      this.open.delete(socket);
      if (text.includes('200 OK')) this.answered++;
      else this.broken++;
    }
  }
}

/** Returns the ids of the processes that serve, once so many do. */
async function serving(pid: number | undefined, url: string): Promise<[number, ...number[]]> {
  const isComplete = async (): Promise<boolean> => {
    const response = await fetch(`${url}/metrics`, { headers: { connection: 'close' } });
    return (await response.text()).includes(`\nhtskit_processes ${PROCESSES}\n`);
  };
  await expect.poll(() => isComplete().catch(() => false)).toBe(true);
  const pids = execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(Number);
  const [first, ...others] = pids;
  if (first === undefined) throw new Error('no process serves');
  return [first, ...others];
}

test('each connection is answered or closed although processes are killed under load', async () => {
  const child = htskit('serve', '--port', '0', '--processes', String(PROCESSES), fixturePath('reads.bam'));
  let ended = 0;
  createInterface(child.stderr).on('line', (line) => {
    if (line.includes('ended (SIGKILL)')) ended++;
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const url = line.replace('listening on ', '');
  const load = new Load(Number(new URL(url).port));
  for (let kills = 1; kills <= KILLS; kills++) {
    const { answered } = load;
    // The first one is the oldest, so each is killed in turn.
    const [oldest] = await serving(child.pid, url);
    await expect.poll(() => load.answered).toBeGreaterThan(answered + 100);
    process.kill(oldest, 'SIGKILL');
    await expect.poll(() => ended).toBe(kills);
  }
  load.stop();
  // A request is answered in milliseconds, so a connection that stays open now would stay open for ever.
  await expect.poll(() => load.open.size).toBe(0);
  // Those that the killed processes had accepted, and at most one on its way to each.
  expect(load.broken).toBeLessThan(load.answered / 10);
  expect(load.answered).toBeGreaterThan(100 * KILLS);
});
