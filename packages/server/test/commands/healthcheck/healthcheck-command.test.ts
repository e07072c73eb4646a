import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findContainerAddress } from '../../../src/commands/healthcheck/check-health.js';
import { loadOptions, withLogger } from '../../../src/commands/serve/load-options.js';
import { createLogger } from '../../../src/runtime/logger.js';
import { type RunningServer, serve } from '../../../src/runtime/serve.js';
import { runCommand } from '../../run-command.js';

let folder: string;
let servers: RunningServer[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  servers = [];
});
afterEach(async () => {
  for (const server of servers) await server.close();
  rmSync(folder, { recursive: true });
});

const certificate = (name: string): string =>
  fileURLToPath(new URL(`../../runtime/certificates/first.${name}.pem`, import.meta.url));
const tls = `tls: { cert: ${certificate('cert')}, key: ${certificate('key')} }`;

/** Starts a server by a configuration, on a free port in place of its own. Returns the port. */
async function start(text: string): Promise<string> {
  const flags = { config: 'htskit.yaml', circular: [], aliases: [], identity: [], examples: false, port: 0 };
  const options = await loadOptions({ paths: [], flags }, text);
  const server = await serve({ ...withLogger(options, createLogger({}, { stream: { write: () => undefined } })) });
  servers.push(server);
  return new URL(server.url).port;
}

const check = (...args: string[]) => runCommand(['healthcheck', ...args], folder);

describe('asks the server where the configuration has it', () => {
  test.each([
    ['on a port', 'listen: { port: 1 }', 'http'],
    ['on all interfaces', 'listen: { host: 0.0.0.0, port: 1 }', 'http'],
    ['over TLS', `listen: { port: 1, ${tls} }`, 'https'],
    ['on a port of the environment', `listen: { port: "\${HEALTH_PORT}" }`, 'http'],
    ['behind a proxy with a path', 'publicUrl: https://a.example/b\nlisten: { port: 1 }', 'http'],
  ])('%s', async (_, text, scheme) => {
    vi.stubEnv('HEALTH_PORT', '1');
    const port = await start(text);
    vi.stubEnv('HEALTH_PORT', port);
    writeFileSync(join(folder, 'htskit.yaml'), text.replace('port: 1', `port: ${port}`));
    const origin = `${scheme}://127.0.0.1:${port}`;
    const expected = { code: 0, stdout: `${origin}/healthz answers with 200\n`, stderr: '' };
    expect(await check('--config', 'htskit.yaml')).toEqual(expected);
    expect((await check('--config', 'htskit.yaml', '--ready')).stdout).toBe(`${origin}/readyz answers with 200\n`);
  });

  test('by an option, which takes precedence', async () => {
    const port = await start('listen: { port: 0 }');
    writeFileSync(join(folder, 'htskit.yaml'), 'listen: { port: 1 }');
    expect((await check('--config', 'htskit.yaml', '--port', port)).code).toBe(0);
    expect(await check('--config', 'htskit.yaml')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'htskit: cannot reach http://127.0.0.1:1/healthz: connect ECONNREFUSED 127.0.0.1:1\n',
    });
  });

  test('on the port of metrics', async () => {
    writeFileSync(join(folder, 'htskit.yaml'), 'listen: { port: 2 }\nmetrics: { host: "::", port: 1 }');
    expect((await check('--config', 'htskit.yaml')).stderr).toContain('cannot reach http://[::1]:1/healthz: ');
    writeFileSync(join(folder, 'htskit.yaml'), 'listen: { port: 2 }\nmetrics: { enabled: false, port: 1 }');
    expect((await check('--config', 'htskit.yaml')).stderr).toContain('cannot reach http://127.0.0.1:2/healthz: ');
  });
});

test('is a failure for a server that is not healthy, a port that is not known and a configuration with faults', async () => {
  const port = await start('listen: { port: 0 }');
  const server = servers.pop();
  await server?.close();
  expect((await check('--port', port)).code).toBe(1);
  const free = await check('--port', '0');
  expect([free.code, free.stderr]).toEqual([1, expect.stringContaining('set metrics.port')]);
  writeFileSync(join(folder, 'htskit.yaml'), 'listen: { prot: 1 }');
  const faulty = await check('--config', 'htskit.yaml');
  expect([faulty.code, faulty.stderr]).toEqual([1, expect.stringContaining('unknown key')]);
  expect((await check('--port', 'eighty')).code).toBe(2);
});

test.each([
  [['node', '/app/bin/htskit', 'serve', '/data', '--host', '0.0.0.0', '--cache', '/c'], { host: '0.0.0.0' }],
  [['htskit', 'serve', '--cache', '/c', '--config=/etc/a.yaml', '--port', '81'], { config: '/etc/a.yaml', port: 81 }],
  [['/sbin/docker-init', '--', 'htskit', 'serve', '--examples', '--port', '81', '/data'], { port: 81 }],
  [['/sbin/init'], {}],
])('finds the options of the server that %j is', async (args, expected) => {
  const path = join(folder, 'cmdline');
  writeFileSync(path, args.map((arg) => `${arg}\0`).join(''));
  expect(await findContainerAddress(path)).toEqual(expected);
  expect(await findContainerAddress(join(folder, 'none'))).toEqual({});
});
