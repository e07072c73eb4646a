import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type ClientRequest, get as getHttp, type IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';
import { Command } from 'commander';
import { parseConfig } from '../../config/parse-config.js';
import type { Config } from '../../config/schema.js';
import { DEFAULT_HOST, DEFAULT_PORT } from '../../config/serve-options.js';
import { describeError } from '../../errors.js';
import { toLoopback } from '../../runtime/public-url.js';
import { parsePort } from '../command-line.js';

/** The options of `htskit serve` that decide where it listens. */
export interface ServerAddress {
  readonly config?: string;
  readonly host?: string;
  readonly port?: number;
}

/** Shorter than the limit of Docker, which does not show why a check that takes longer has failed. */
const TIMEOUT_MILLISECONDS = 4000;

/** Returns the options of the server that process 1 is, or that it has started as an init: none if it is another program. */
export async function findContainerAddress(commandLine = '/proc/1/cmdline'): Promise<ServerAddress> {
  const args = (await readFile(commandLine, 'utf8').catch(() => '')).split('\0').slice(0, -1);
  const start = args.indexOf('serve');
  const command = new Command().allowUnknownOption().allowExcessArguments().exitOverride();
  command.option('--config <file>').option('--host <host>').option('--port <port>', '', parsePort);
  return start === -1 ? {} : command.parse(args.slice(start + 1), { from: 'user' }).opts<ServerAddress>();
}

/**
 * Requests a path of the server, and returns its URL. Throws Error if the server is not reached or answers with anything but 200,
 * and the errors of `parseConfig`.
 */
export async function checkHealth(address: ServerAddress, path: '/healthz' | '/readyz'): Promise<string> {
  const { config: file } = address;
  const text = file === undefined ? undefined : await readFile(file, 'utf8');
  const config = text === undefined ? {} : parseConfig(text, { file: file ?? '', environment: process.env }).config;
  const url = toOrigin(address, config) + path;
  const status = await requestStatus(url).catch((error: unknown) => {
    throw new Error(`cannot reach ${url}: ${describeError(error)}`, { cause: error });
  });
  if (status !== 200) throw new Error(`${url} answers with ${status}`);
  return url;
}

/**
 * Returns the origin of the probes. The port of metrics is preferred, since no probe waits there for the clients of the other one.
 * Throws Error for a port that the server chooses when it starts.
 */
function toOrigin(address: ServerAddress, { listen = {}, metrics = {} }: Config): string {
  if (metrics.enabled !== false && (metrics.port ?? 0) > 0) {
    return toLoopback(formatOrigin('http', metrics.host ?? DEFAULT_HOST, metrics.port));
  }
  const port = address.port ?? listen.port ?? DEFAULT_PORT;
  if (port === 0) throw new Error('the server takes a free port, which is not known here; set metrics.port');
  const scheme = listen.tls === undefined ? 'http' : 'https';
  return toLoopback(formatOrigin(scheme, address.host ?? listen.host ?? DEFAULT_HOST, port));
}

function formatOrigin(scheme: string, host: string, port: number | undefined): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function requestStatus(url: string): Promise<number | undefined> {
  const signal = AbortSignal.timeout(TIMEOUT_MILLISECONDS);
  // The certificate is that of the public name, and nothing secret is sent.
  const request: ClientRequest = url.startsWith('https:')
    ? getHttps(url, { signal, rejectUnauthorized: false })
    : getHttp(url, { signal });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.destroy();
  return response.statusCode;
}
