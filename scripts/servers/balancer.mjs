// Starts nginx as the load balancer of a fleet:
//
//   node scripts/servers/balancer.mjs HOST:PORT…
//
// Prints {"url"}. The header X-Replica of each response names the replica that answered.
import { readFileSync } from 'node:fs';
import { runServer } from './run-server.mjs';
import { startNginx } from './start-nginx.mjs';

const replicas = process.argv.slice(2);

/** Returns deploy/nginx/htskit.conf with these replicas and this port. */
function sites({ port }) {
  const servers = replicas.map((replica) => `server ${replica} $1;`);
  return readFileSync(new URL('../../deploy/nginx/htskit.conf', import.meta.url), 'utf8')
    .replace(/server htskit:8080 (.*);/, servers.join('\n  '))
    .replace('listen 8080;', `listen 127.0.0.1:${port};`)
    .replace('location / {', 'location / {\n    add_header X-Replica $$upstream_addr always;');
}

await runServer(async (server) => ({ url: await startNginx(server, sites) }));
