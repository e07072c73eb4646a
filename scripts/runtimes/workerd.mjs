import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { bundle } from './bundle.mjs';
import { runCommand, startCommand } from './command.mjs';

const TIMEOUT_SECONDS = 60;

/** Runs the suite in a Worker that answers a request with its report. */
export async function runInWorkerd({ binary, tree, compatibilityDate, flags }) {
  const folder = await bundle({ tree, entry: 'workerd.mjs', conditions: ['workerd'] });
  const config = join(folder, 'config.capnp');
  writeFileSync(config, toConfig({ compatibilityDate, flags }));
  const server = startCommand(binary, ['serve', basename(config), '--control-fd=1'], { cwd: folder });
  try {
    const port = await findPort(server);
    const signal = AbortSignal.timeout(TIMEOUT_SECONDS * 1000);
    const response = await fetch(`http://127.0.0.1:${port}/`, { signal });
    if (!response.ok) throw new Error(`answered ${response.status}${server.tail()}`);
    const version = (await runCommand(binary, ['--version'], { timeoutSeconds: TIMEOUT_SECONDS })).trim();
    return { ...(await response.json()), version };
  } finally {
    server.stop();
    await server.ended;
  }
}

/** https://github.com/cloudflare/workerd, src/workerd/server/workerd.capnp */
function toConfig({ compatibilityDate, flags }) {
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(
    name = "suite",
    worker = (
      modules = [(name = "main.js", esModule = embed "main.js")],
      compatibilityDate = "${compatibilityDate}",
      compatibilityFlags = [${flags.map((flag) => `"${flag}"`).join(', ')}],
    ),
  )],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "suite")],
);
`;
}

/** workerd tells the port that it was given by a line of JSON. */
async function findPort(server) {
  const deadline = performance.now() + TIMEOUT_SECONDS * 1000;
  while (server.isRunning() && performance.now() < deadline) {
    const [line] = /^\{.*"event":"listen".*\}$/m.exec(server.output()) ?? [];
    if (line !== undefined) return JSON.parse(line).port;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`it did not start${server.tail()}`);
}
