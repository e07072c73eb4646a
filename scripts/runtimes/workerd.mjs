import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './bundle.mjs';
import { runCommand } from './command.mjs';
import { startListener } from './listener.mjs';

const TIMEOUT_SECONDS = 60;

/** A Worker that serves, and answers a request of its own with the report of the suite. */
export async function openWorkerd({ name, binary, tree, compatibilityDate, flags, servers }) {
  const folder = await bundle({ tree, entry: 'workerd.mjs', conditions: ['workerd'] });
  const config = `${name}.capnp`;
  writeFileSync(join(folder, config), toConfig({ compatibilityDate, flags }));
  const options = { cwd: folder, timeoutSeconds: TIMEOUT_SECONDS };
  const { origin, tail, close } = await startListener(binary, ['serve', config, '--control-fd=1'], options);
  return {
    origins: servers.map((server) => ({ ...server, origin })),
    run: async (services) => {
      const signal = AbortSignal.timeout(TIMEOUT_SECONDS * 1000);
      const response = await fetch(`${origin}/suite?${new URLSearchParams(services)}`, { signal });
      if (!response.ok) throw new Error(`answered ${response.status}${tail()}`);
      const version = (await runCommand(binary, ['--version'], { timeoutSeconds: TIMEOUT_SECONDS })).trim();
      return { ...(await response.json()), version };
    },
    close,
  };
}

/** https://github.com/cloudflare/workerd, src/workerd/server/workerd.capnp; without `internet`, only public addresses. */
function toConfig({ compatibilityDate, flags }) {
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (
      name = "suite",
      worker = (
        modules = [(name = "main.js", esModule = embed "main.js")],
        compatibilityDate = "${compatibilityDate}",
        compatibilityFlags = [${flags.map((flag) => `"${flag}"`).join(', ')}],
      ),
    ),
    (name = "internet", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "suite")],
);
`;
}
