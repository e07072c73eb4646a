// A registry of npm packages on loopback, to which anybody may publish.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { installPackages } from '../../runtimes/runtime-install.mjs';

/** The newest version that Node 20 runs. */
const VERDACCIO = 'verdaccio@6.7.4';
/** verdaccio depends on a tag of node-fetch that not every registry has. */
const OVERRIDES = { 'node-fetch': '2.7.0' };

/** Starts an empty registry that stores its packages in a folder. Resolves to `{ url, close }`. */
export async function startRegistry(storage) {
  const installed = fileURLToPath(new URL(`../../node_modules/.cache/release/${VERDACCIO}`, import.meta.url));
  if (!existsSync(installed)) await installPackages([VERDACCIO], installed, OVERRIDES);
  const main = pathToFileURL(join(installed, 'node_modules/verdaccio/build/index.js'));
  const { runServer } = await import(main.href);
  const server = await runServer({
    configPath: join(storage, 'config.yaml'),
    storage,
    uplinks: {},
    web: { enable: false },
    packages: { '**': { access: '$all', publish: '$all' } },
    max_body_size: '100mb',
    log: { type: 'stdout', format: 'pretty', level: 'error' },
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${server.address().port}/`, close };
}
