// Starts nginx as a cache that many clients share:
//
//   node scripts/servers/shared-cache.mjs HOST:PORT
//
// Prints {"url","pid"}. The header X-Cache-Status of each block says whether it was kept. The address is that of htskit.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runServer } from './run-server.mjs';
import { startNginx } from './start-nginx.mjs';

await runServer(async (server) => {
  const [origin] = process.argv.slice(2);
  /** Returns deploy/nginx/htskit-cache.conf with this origin, port and folder. */
  const sites = ({ port, folder }) =>
    readFileSync(new URL('../../deploy/nginx/htskit-cache.conf', import.meta.url), 'utf8')
      .replace('server htskit:8080;', `server ${origin};`)
      .replace('listen 8080;', `listen 127.0.0.1:${port};`)
      .replace('/var/cache/nginx/htskit', join(folder, 'cache'));
  const url = await startNginx(server, sites);
  return { url, pid: Number(readFileSync(join(server.folder, 'nginx.pid'), 'utf8')) };
});
