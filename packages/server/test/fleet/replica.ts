import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface ReplicaOptions {
  readonly host: string;
  readonly port: number;
  /** A configuration file. */
  readonly config: string;
  /** The variables that the configuration takes from the environment. */
  readonly environment: Readonly<Record<string, string>>;
}

/** One `htskit serve` of a fleet, in a process of its own. */
export class Replica {
  /** Host and port, as a proxy names it. */
  readonly address: string;
  readonly url: string;
  readonly #options: ReplicaOptions;
  #child: ChildProcess | undefined;

  constructor(options: ReplicaOptions) {
    if (!existsSync(CLI)) throw new Error('the fleet runs the built command: build first');
    this.#options = options;
    this.address = `${options.host}:${options.port}`;
    this.url = `http://${this.address}`;
  }

  /** Resolves once it answers, at the same address each time. */
  async start(): Promise<void> {
    const { host, port, config, environment } = this.#options;
    const child = spawn(process.execPath, [CLI, 'serve', '--config', config, '--host', host, '--port', String(port)], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    for await (const line of createInterface(child.stdout)) {
      if (line === `listening on ${this.url}`) return;
    }
    throw new Error(`a replica did not start: ${errors.slice(0, 2000)}`);
  }

  /** Ends it at once, as a machine that loses its power. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
}

/** Returns an unused port of an address. */
export async function findPort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}
