import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { bundle } from './bundle.mjs';
import { runCommand } from './command.mjs';
import { startListener } from './listener.mjs';

const TIMEOUT_SECONDS = 120;

/** A Worker that serves, and answers one of its requests with the report of the suite. */
export async function openWorkerd({ servers, ...runtime }) {
  const { origin, tail, close } = await startWorker(runtime, { entry: 'suite/entries/workerd.mjs' });
  return {
    origins: servers.map((server) => ({ ...server, origin })),
    run: async (services) => {
      const signal = AbortSignal.timeout(TIMEOUT_SECONDS * 1000);
      const response = await fetch(`${origin}/suite?${new URLSearchParams(services)}`, { signal });
      if (!response.ok) throw new Error(`answered ${response.status}${tail()}`);
      const version = (await runCommand(runtime.binary, ['--version'], { timeoutSeconds: TIMEOUT_SECONDS })).trim();
      return { ...(await response.json()), version };
    },
    startExample: ({ path, port, storeOrigin }) => {
      const urls = { PUBLIC_URL: `http://127.0.0.1:${port}`, S3_ENDPOINT: storeOrigin };
      const bindings = { ...urls, SIGNING_KEY: 'sixteen or more bytes', ACCESS_KEY: 'anybody', SECRET_KEY: 'anything' };
      return startWorker(runtime, { entry: relative(runtime.tree, path), port, bindings });
    },
    close,
  };
}

async function startWorker({ name, binary, tree, compatibilityDate, flags }, { entry, port = 0, bindings = {} }) {
  const folder = await bundle({ tree, entry, conditions: ['workerd'] });
  const config = `${name}.capnp`;
  writeFileSync(join(folder, config), toConfig({ compatibilityDate, flags, port, bindings }));
  const options = { cwd: folder, timeoutSeconds: TIMEOUT_SECONDS };
  return startListener(binary, ['serve', config, '--control-fd=1'], options);
}

/**
 * https://github.com/cloudflare/workerd, src/workerd/server/workerd.capnp. Without `internet`, only public addresses
 * are reachable.
 */
function toConfig({ compatibilityDate, flags, port, bindings }) {
  const texts = Object.entries(bindings).map(([name, text]) => `(name = "${name}", text = "${text}")`);
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (
      name = "worker",
      worker = (
        modules = [(name = "main.js", esModule = embed "main.js")],
        compatibilityDate = "${compatibilityDate}",
        compatibilityFlags = [${flags.map((flag) => `"${flag}"`).join(', ')}],
        bindings = [${texts.join(', ')}],
      ),
    ),
    (name = "internet", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "worker")],
);
`;
}
